import{$ as t,R as o,Y as n,ba as i}from"./chunk-4HREFBBW.js";var c=({to:k,text:r})=>o(t,{to:n(k),class:"back-link",children:[o(i,{name:"back"}),r]});export{c as a};
