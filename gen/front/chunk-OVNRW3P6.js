import{Q as o,X as n,_ as t,aa as i}from"./chunk-TB4KKP5H.js";var c=({to:k,text:r})=>o(t,{to:n(k),class:"back-link",children:[o(i,{name:"back"}),r]});export{c as a};
