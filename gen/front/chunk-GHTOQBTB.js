<<<<<<<< HEAD:gen/front/chunk-ENBATVVL.js
import{s as o}from"./chunk-6AEST57U.js";function n(t,e,i){return t.some(({value:r})=>r===e)?t:[{value:e,text:e||i},...t]}var c=(t,e="")=>n(Intl.supportedValuesOf("timeZone").map(i=>({value:i,text:i.replaceAll("_"," ")})),t,e),g=(t,e="")=>n(o,t,e);export{c as a,g as b};
========
import{s as o}from"./chunk-FBKZDAO3.js";function n(t,e,i){return t.some(({value:r})=>r===e)?t:[{value:e,text:e||i},...t]}var c=(t,e="")=>n(Intl.supportedValuesOf("timeZone").map(i=>({value:i,text:i.replaceAll("_"," ")})),t,e),g=(t,e="")=>n(o,t,e);export{c as a,g as b};
>>>>>>>> 0c112ab3 (Web addresses without a scheme and colours of CSS are accepted):gen/front/chunk-GHTOQBTB.js
