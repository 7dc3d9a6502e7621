import{O as o,X as n,Z as t}from"./chunk-SY55P4WV.js";var a=({to:i,text:k})=>o(n,{to:i,class:"back-link",children:[o(t,{name:"back"}),k]});export{a};
