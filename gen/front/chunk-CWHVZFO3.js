import{S as o,Z as n,aa as t,ca as i}from"./chunk-ADKGEWEC.js";var c=({to:k,text:r})=>o(t,{to:n(k),class:"back-link",children:[o(i,{name:"back"}),r]});export{c as a};
