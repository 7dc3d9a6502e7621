import{P as o,Y as n,_ as t}from"./chunk-3L3MFBRA.js";var a=({to:i,text:k})=>o(n,{to:i,class:"back-link",children:[o(t,{name:"back"}),k]});export{a};
