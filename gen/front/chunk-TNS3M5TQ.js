import{N as o,W as n,Y as t}from"./chunk-LOEID3HP.js";var a=({to:i,text:k})=>o(n,{to:i,class:"back-link",children:[o(t,{name:"back"}),k]});export{a};
