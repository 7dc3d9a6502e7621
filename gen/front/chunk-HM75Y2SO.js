import{P as o,Y as n,_ as t}from"./chunk-QF5CH432.js";var a=({to:i,text:k})=>o(n,{to:i,class:"back-link",children:[o(t,{name:"back"}),k]});export{a};
