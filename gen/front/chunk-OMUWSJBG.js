import{O as o,X as n,Z as t}from"./chunk-C4A5RFR5.js";var a=({to:i,text:k})=>o(n,{to:i,class:"back-link",children:[o(t,{name:"back"}),k]});export{a};
