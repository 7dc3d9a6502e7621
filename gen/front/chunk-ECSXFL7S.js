import{$ as i,P as o,W as n,Z as t}from"./chunk-FBKZDAO3.js";var c=({to:k,text:r})=>o(t,{to:n(k),class:"back-link",children:[o(i,{name:"back"}),r]});export{c as a};
