var F=(e,t=0)=>Object.assign(new Error(e),{kind:e,seconds:t});function oe(e){let t,a;return(n,r)=>t&&(!n||r!==void 0&&r!==t)?Promise.resolve(t):(a??=new Promise(i=>i(e(n))).then(i=>{if(!i)throw F("token");return t=i,i}).finally(()=>{a=void 0}),a)}var $e=e=>new Promise(t=>setTimeout(t,e*1e3));function ie(e,t){let a=async(l,i,u,m,k)=>{let _={authorization:`Bearer ${m}`,...u?{"content-type":"application/json"}:{}},g={method:l,headers:_,credentials:"omit",cache:"no-store",keepalive:l!=="GET"},d=await fetch(e+i,{...g,...u?{body:JSON.stringify(u)}:{}}).catch(()=>{throw F("offline")});if(d.ok)return d.json();if(d.status===401&&k===0)return a(l,i,u,await r(m),1);if(d.status===401)throw F("token");let b=Number(d.headers.get("retry-after"))||0;if(d.status!==429&&d.status!==503)throw F("failed");if(b>3||k>1)throw F("limited",b||5);return await $e(b+Math.random()),a(l,i,u,m,k+1)},n=l=>{throw l.kind?l:F("token")},r=l=>t(!0,l).catch(n);return async(l,i,u)=>a(l,i,u,await t(!1).catch(n),0)}var Le="http://www.w3.org/2000/svg";function s(e,t={},...a){let n=e==="svg"||e==="path"?document.createElementNS(Le,e):document.createElement(e);for(let[r,l]of Object.entries(t))l===!1||l===null||l===void 0||(r.startsWith("on")?n.addEventListener(r.slice(2),l):n.setAttribute(r,l===!0?"":String(l)));return n.append(...a.flat().filter(r=>r!=null&&r!==!1)),n}var N=(e,t={})=>s("bdi",t,e);function U(e,t){let a=new Set(t);for(let n of[...e.childNodes])a.has(n)||n.remove();for(let[n,r]of t.entries())e.childNodes[n]!==r&&e.insertBefore(r,e.childNodes[n]??null)}function Q(e){if(typeof e!="string"||e==="")return;let t=/^[^:/?#\s]*\.[^:/?#.\s]+([/?#]|$)/.test(e)?`https://${e}`:e;try{let a=new URL(t,document.baseURI);return/^https?:$/.test(a.protocol)?a.href:void 0}catch{return}}var se={bell:"M6 9a6 6 0 0 1 12 0c0 6 2.500 7 2.500 7h-17S6 15 6 9M10 19.500a2.200 2.200 0 0 0 4 0",page:"M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",comment:"M4 5h16v11H11l-5 4v-4H4z",like:"M12 20s-7.500-4.600-7.500-10A4.200 4.200 0 0 1 12 7.300 4.200 4.200 0 0 1 19.500 10c0 5.400-7.500 10-7.500 10z",message:"M3.500 6h17v12h-17zM4 7l8 6 8-6",member:"M12 11.500a3.800 3.800 0 1 0 0-7.600 3.800 3.800 0 0 0 0 7.600M4.500 20.500c0-4 3.300-6 7.500-6s7.500 2 7.500 6",workspace:"M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",hotel:"M4 21V6l8-3v18M12 8l8 2v11M2 21h20M7.500 9h1M7.500 13h1M15.500 13h1",settings:"M4 7h9M17 7h3M4 17h3M11 17h9M15 9.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400M9 19.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400",readAll:"M2.500 12.500l4.500 4.500L16 8M11 16l1 1 9.500-9.500",close:"M6 6l12 12M18 6L6 18",back:"M15 5l-7 7 7 7",archive:"M3.500 4h17v4.500h-17zM5 8.500V20h14V8.500M10 12.500h4",restore:"M4 4v6h6M4.600 10a8 8 0 1 1-.3 5",read:"M5 12.500l4.500 4.500L19 7.500",unreadAgain:"M12 16.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9",alert:"M12 8v5M12 16.500v.01M12 3l9.500 17h-19z"},j=e=>s("svg",{class:`icon icon-${e}`,viewBox:"0 0 24 24","aria-hidden":"true"},s("path",{d:se[e]??se.bell})),q=(e,t,a,n={})=>s("button",{type:"button",class:"icon-button","aria-label":t,title:t,onclick:a,...n},j(e));var ze=[1008,4403],De=[1013,4429];function re({url:e,token:t,on:a,gap:n,state:r,invisible:l,pingMs:i=25*1e3,refreshMs:u=600*1e3}){let m=new Map,k=new Map,_=new Map,g=new Set,d,b=[],C,z=0,D=0,P=!1,y=!1,c,v=(f,...M)=>{try{f?.(...M)}catch(O){(globalThis.reportError??console.error)(O)}},x=(f,M)=>b.push(setInterval(()=>M(),f)),A=(f,M,O)=>new Promise(($,H)=>{if(d?.readyState!==1)return H(new Error("not connected"));let R=++D;_.set(R,{resolve:$,reject:H}),d.send(JSON.stringify({event:f,data:M,id:R,offset:O}))}),L=async f=>{let{event:M,data:O}=f,$=await A(M,O===void 0?await t(y):O,f.offset);return f.isIn=!0,f.isLate&&!$.recovered&&v(n,M,O),f.isLate=!1,$},T=({wants:f},M)=>{for(let{refused:O}of f)v(O,M)},o=(f,M=1e3)=>L(f).then(({refused:O})=>{O&&T(f,Object.assign(new Error("Rooms refused"),{statusCode:403,refused:O}))}).catch(O=>{if(!O.statusCode||(T(f,O),O.statusCode<500))return;f.isLate=!0;let $=()=>[...k.values()].includes(f)&&o(f,Math.min(3e4,2*M));b.push(setTimeout($,M*(.5+Math.random()/2)))}),p=async()=>{try{await L(w),z=0,y=!1;let f=[...k.values()];await Promise.all(f.map(M=>o(M))),w.isIn&&v(r,"open")}catch{d?.readyState===1&&d.close()}},E=f=>{let M=JSON.parse(f),{event:O,data:$,id:H,offset:R,recovered:J}=M;if(J||(C=R||O==="ack"&&$.offset||C),R){if(g.has(R))return;g.add(R),g.size>2e3&&g.delete(g.values().next().value)}let Y=_.get(H);if(_.delete(H),O==="ack")return Y?.resolve($);if(Y)return Y.reject(Object.assign(new Error($.message),$));v(a,O,$,M);for(let Z of m.get(O)??[])v(Z,$,M)},h=()=>{if(P)return;v(r,"connecting");let f=d=new WebSocket(e+(l?"?presence=invisible":"")),M=Date.now();d.onopen=p,d.onmessage=({data:$})=>{M=Date.now(),E($)};let O=({code:$,reason:H})=>{if(f!==d)return;d=void 0,b.forEach(clearInterval),b=[];for(let I of[w,...k.values()])I.isIn&&(I.offset=C),I.isIn=!1,I.isLate=!0;for(let{reject:I}of _.values())I(new Error("connection lost"));if(_.clear(),P||ze.includes($))return P=!0,v(r,"closed",$,H);y=$===4401;let R=Math.min(3e4,1e3*2**z++);v(r,"waiting",$,H);let J=y&&z===1,Y=Math.min(3e4,4*R)*(1+Math.random()),Z=De.includes($)?Y:R*(.5+Math.random()/2);c=setTimeout(h,J?0:Z)};d.onclose=O,x(i,()=>{A("ping").catch(()=>{}),!(Date.now()-M<2*i)&&(f.close(),O({code:1006,reason:"silent"}))}),x(u,()=>S.refresh().catch(()=>{}))},w={event:"auth"},S={on(f,M){let O=m.get(f)??new Set;return m.set(f,O.add(M)),()=>O.delete(M)},join(f,M,O){let $=JSON.stringify([f,M]),H=k.get($)??{event:f,data:M,wants:new Set,isLate:z>0},R={refused:O};return H.wants.add(R),k.set($,H),w.isIn&&!H.isIn&&o(H),()=>{if(!H.wants.delete(R)||H.wants.size||(k.delete($),!w.isIn))return;let J=f.replace(/^join/,"leave").replace(/^subscribeTo/,"unsubscribeFrom");A(J,M).catch(()=>{})}},send:A,refresh:async()=>A("auth",await t(!0)),close(){P=!0,clearTimeout(c),d?d.close(1e3):v(r,"closed",1e3,"")}};return h(),S}var He=6e4,Re=2e3,Ne=4403;function ce({inbox:e,base:t,tokens:a,parts:n,emit:r},l){let{store:i,announce:u}=n,m=!1,k=new AbortController,_=(T,o,p)=>T.addEventListener(o,p,{signal:k.signal}),g=!1,d,b,C=new Set,z=(T,o)=>{let p=setTimeout(()=>C.delete(p)&&o(),T);C.add(p)},D=()=>{m||!e.open||(m=!0,z(500+Math.random()*1500,()=>{m=!1,e.open&&i.refresh()}))},P=()=>e.open?i.refresh():i.poll(),y=T=>{n.isPaused=T,n.panel.showPaused(T)},c,v=!1,x=T=>{v=!1,c=re({url:`${t.replace(/^http/,"ws")}/ws`,token:async o=>b=await a(o,b),invisible:!0,gap:P,state:(o,p)=>{g=o==="open",v=p===Ne&&o==="closed",(o==="waiting"||o==="closed")&&(d??=setTimeout(y,Re,!0)),g&&(clearTimeout(d),d=void 0,y(!1),T&&P())}}),c.on("notification:new",(o,{recovered:p})=>{i.arrived(o),D(),p||u(n.t.arrived(o.title)),r("notification-new",{...o,recovered:p===!0})}),c.on("notification:count",({unread:o})=>{o!==void 0&&(o!==i.state.unread&&D(),i.counted(o))}),c.on("notification:read",o=>i.readElsewhere(o))};x(!1),_(document,"pointerdown",T=>T.composedPath().includes(e)||e.hide()),_(window,"resize",()=>l("place")),_(document,"scroll",()=>l("place")),_(window,"online",P),_(window,"pagehide",()=>n.panel.hurry()),_(document,"visibilitychange",()=>document.visibilityState==="visible"&&!g&&P()),_(e.shadowRoot,"keydown",T=>{T.key!=="Escape"||T.defaultPrevented||(n.panel.isSettings()?n.panel.turn(!1):e.hide(),T.stopPropagation())});let A=async()=>{await i.poll()&&v&&!k.signal.aborted&&x(!0)},L=setInterval(()=>{!g&&document.visibilityState==="visible"&&A(),l("times")},He);return()=>{k.abort(),c.close(),i.end(),clearInterval(L),clearTimeout(d),C.forEach(clearTimeout)}}var le=`:host {
  --_accent: var(--inbox-accent, light-dark(#2f55d4, #8aabff));
  --_accent-ink: var(--inbox-accent-ink, light-dark(#fff, #0d1730));
  --_surface: var(--inbox-surface, light-dark(#fff, #171d26));
  --_raised: var(--inbox-raised, light-dark(#f3f5f8, #212a36));
  --_ink: var(--inbox-ink, light-dark(#161b24, #e7ebf1));
  --_soft: var(--inbox-soft, light-dark(#566072, #a3aebd));
  --_line: var(--inbox-line, light-dark(#e2e6ec, #2b3543));
  --_edge: var(--inbox-edge, light-dark(#868fa0, #7d8b9d));
  --_badge: var(--inbox-badge, light-dark(#c92a3a, #ff8790));
  --_badge-ink: var(--inbox-badge-ink, light-dark(#fff, #2a0a0e));
  --_wash: color-mix(in srgb, var(--_accent) 7%, var(--_surface));
  /* One pixel at a font size of 14: everything scales with the reader's font size. */
  --_u: calc(var(--inbox-text, 0.875rem) / 14);
  --_radius: var(--inbox-radius, 14px);
  --_shadow: var(--inbox-shadow, 0 16px 48px rgb(10 18 34 / 22%), 0 2px 6px rgb(10 18 34 / 10%));
  color-scheme: light dark;
  display: inline-block;
  font:
    400 calc(14 * var(--_u)) / 1.45
    var(--inbox-font, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif);
  color: var(--_ink);
  text-align: start;
}
:host([theme="light"]) {
  color-scheme: light;
}
:host([theme="dark"]) {
  color-scheme: dark;
}
:host([hidden]),
[hidden] {
  display: none !important;
}
:host([inline]) {
  display: block;
}
:host([inline]) .bell,
:host([inline]) .close {
  display: none;
}

* {
  box-sizing: border-box;
}
h2,
h3,
p,
ul {
  margin: 0;
  padding: 0;
}
ul {
  list-style: none;
}
button,
select,
input {
  font: inherit;
  color: inherit;
}
button,
a.main {
  cursor: pointer;
}
:focus-visible {
  outline: 2px solid var(--_accent);
  outline-offset: 2px;
}
.panel:focus-visible {
  outline: none;
}
.hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  margin: -1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.icon {
  width: calc(20 * var(--_u));
  height: calc(20 * var(--_u));
  fill: none;
  stroke: currentColor;
  stroke-width: 1.7;
  stroke-linecap: round;
  stroke-linejoin: round;
  flex: none;
}

.bell {
  position: relative;
  display: grid;
  place-items: center;
  width: max(44px, calc(44 * var(--_u)));
  height: max(44px, calc(44 * var(--_u)));
  border: 0;
  border-radius: 50%;
  background: none;
}
.bell:hover,
:host([open]) .bell {
  background: var(--_raised);
}
.bell .icon {
  width: calc(24 * var(--_u));
  height: calc(24 * var(--_u));
}
.badge {
  position: absolute;
  inset-block-start: 2px;
  inset-inline-start: calc(22 * var(--_u));
  min-width: calc(20 * var(--_u));
  height: calc(20 * var(--_u));
  padding-inline: calc(5 * var(--_u));
  border-radius: calc(10 * var(--_u));
  background: var(--_badge);
  color: var(--_badge-ink);
  font-size: calc(11 * var(--_u));
  font-weight: 700;
  line-height: calc(20 * var(--_u));
  text-align: center;
  font-variant-numeric: tabular-nums;
  box-shadow: 0 0 0 2px var(--_surface);
}

.panel {
  position: relative;
  width: var(--inbox-width, calc(420 * var(--_u)));
  max-width: calc(100vw - calc(16 * var(--_u)));
  height: min(
    var(--inbox-height, calc(600 * var(--_u))),
    max(calc(280 * var(--_u)), var(--_room, calc(600 * var(--_u))))
  );
  margin: 0;
  padding: 0;
  border: 1px solid var(--_line);
  border-radius: var(--_radius);
  background: var(--_surface);
  color: var(--_ink);
  box-shadow: var(--_shadow);
  flex-direction: column;
  overflow: hidden;
}
.panel[popover] {
  position: fixed;
  inset: auto;
}
.panel:popover-open,
:host([inline]) .panel {
  display: flex;
}
:host([inline]) .panel {
  width: auto;
  max-width: none;
  height: var(--inbox-height, calc(600 * var(--_u)));
  box-shadow: none;
}
.panel:popover-open {
  animation: rise 140ms ease-out;
}
@keyframes rise {
  from {
    opacity: 0;
    transform: translateY(-6px);
  }
}

.header {
  display: flex;
  align-items: center;
  gap: calc(4 * var(--_u));
  padding-block: calc(14 * var(--_u)) calc(8 * var(--_u));
  padding-inline: calc(20 * var(--_u)) calc(12 * var(--_u));
  flex: none;
}
.header > .icon-button:first-child {
  margin-inline-start: calc(-10 * var(--_u));
}
h2 {
  font-size: calc(18 * var(--_u));
  font-weight: 650;
  letter-spacing: -0.01em;
}
.tools {
  display: flex;
  gap: 2px;
  margin-inline-start: auto;
}
.icon-button {
  display: grid;
  place-items: center;
  width: calc(36 * var(--_u));
  height: calc(36 * var(--_u));
  padding: 0;
  border: 0;
  border-radius: calc(9 * var(--_u));
  background: none;
  color: var(--_soft);
}
.icon-button:hover:not(:disabled) {
  background: var(--_raised);
  color: var(--_ink);
}
.icon-button:disabled {
  opacity: 0.4;
  cursor: default;
}
:dir(rtl) .icon-back {
  transform: scaleX(-1);
}

.tabs {
  display: flex;
  gap: calc(4 * var(--_u));
  padding-inline: calc(14 * var(--_u));
  border-block-end: 1px solid var(--_line);
  flex: none;
}
.tabs button {
  position: relative;
  padding: calc(8 * var(--_u)) calc(8 * var(--_u)) calc(11 * var(--_u));
  border: 0;
  background: none;
  color: var(--_soft);
  font-weight: 550;
  border-radius: calc(6 * var(--_u)) calc(6 * var(--_u)) 0 0;
}
.tabs button:hover {
  color: var(--_ink);
}
.tabs button:focus-visible {
  outline-offset: -3px;
}
.tabs [aria-selected="true"] {
  color: var(--_ink);
}
.tabs [aria-selected="true"]::after {
  content: "";
  position: absolute;
  inset-inline: calc(8 * var(--_u));
  inset-block-end: -1px;
  height: 2px;
  border-radius: 1px;
  background: var(--_accent);
}
.paused {
  padding: calc(6 * var(--_u)) calc(20 * var(--_u));
  background: var(--_raised);
  color: var(--_soft);
  font-size: calc(12.5 * var(--_u));
  flex: none;
}

.content {
  flex: 1;
  min-height: 0;
  display: flex;
}
.list,
.preferences {
  flex: 1;
  min-height: 0;
  overflow-y: auto;
  overscroll-behavior: contain;
  scrollbar-width: thin;
  scrollbar-color: var(--_edge) transparent;
}
.list {
  display: flex;
  flex-direction: column;
}
.list section,
.foot {
  flex: none;
}
.list h3 {
  position: sticky;
  inset-block-start: 0;
  z-index: 1;
  padding: calc(12 * var(--_u)) calc(20 * var(--_u)) calc(6 * var(--_u));
  background: var(--_surface);
  color: var(--_soft);
  font-size: calc(12 * var(--_u));
  font-weight: 600;
}

.row {
  position: relative;
}
.row + .row::before {
  content: "";
  position: absolute;
  inset-block-start: 0;
  inset-inline: calc(72 * var(--_u)) calc(20 * var(--_u));
  border-block-start: 1px solid var(--_line);
}
.main {
  display: flex;
  gap: calc(12 * var(--_u));
  width: 100%;
  padding-block: calc(12 * var(--_u));
  padding-inline: calc(20 * var(--_u)) calc(36 * var(--_u));
  border: 0;
  background: none;
  text-align: start;
  text-decoration: none;
  color: inherit;
}
.main:hover,
.row:hover .main {
  background: var(--_raised);
}
.row.is-unread .main {
  background: var(--_wash);
}
.row.is-unread:hover .main {
  background: color-mix(in srgb, var(--_accent) 12%, var(--_surface));
}
.main:focus-visible {
  outline-offset: -3px;
  border-radius: calc(8 * var(--_u));
}
.words {
  display: block;
  flex: 1;
  min-width: 0;
}
.row .words {
  overflow-wrap: anywhere;
}
.headline {
  display: block;
  font-weight: 500;
}
.row.is-unread .headline {
  font-weight: 650;
}
.text {
  display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 2;
  overflow: hidden;
  color: var(--_soft);
  margin-block-start: 1px;
}
.facts {
  display: flex;
  gap: calc(4 * var(--_u));
  color: var(--_soft);
  font-size: calc(12.5 * var(--_u));
  align-items: center;
  /* The actions stand at the end of this line, where no text is. */
  min-height: calc(34 * var(--_u));
  margin-block: 0 calc(-8 * var(--_u));
  padding-inline-end: calc(54 * var(--_u));
  white-space: nowrap;
}
.who {
  min-width: 0;
  overflow: hidden;
  text-overflow: ellipsis;
}
.who:empty {
  display: none;
}
.who:not(:empty) + time::before {
  content: "\xB7 ";
}
.face {
  position: relative;
  display: grid;
  place-items: center;
  width: calc(40 * var(--_u));
  height: calc(40 * var(--_u));
  border-radius: 50%;
  background: color-mix(in srgb, var(--_accent) 16%, var(--_surface));
  color: color-mix(in srgb, var(--_accent) 70%, var(--_ink));
  font-size: calc(14 * var(--_u));
  font-weight: 650;
}
.face img {
  position: absolute;
  inset: 0;
  width: 100%;
  height: 100%;
  border-radius: 50%;
  object-fit: cover;
}
.kind {
  position: absolute;
  inset-block-end: calc(-5 * var(--_u));
  inset-inline-end: calc(-6 * var(--_u));
  display: grid;
  place-items: center;
  width: calc(18 * var(--_u));
  height: calc(18 * var(--_u));
  border-radius: 50%;
  background: var(--_surface);
  color: var(--_soft);
  box-shadow: 0 0 0 1px var(--_line);
}
.kind .icon {
  width: calc(12 * var(--_u));
  height: calc(12 * var(--_u));
  stroke-width: 2;
}
.dot {
  position: absolute;
  inset-block-start: calc(19 * var(--_u));
  inset-inline-end: calc(18 * var(--_u));
  width: calc(9 * var(--_u));
  height: calc(9 * var(--_u));
  border-radius: 50%;
  background: var(--_accent);
  opacity: 0;
}
.is-unread .dot {
  opacity: 1;
}
.actions {
  position: absolute;
  inset-block-end: calc(4 * var(--_u));
  inset-inline-end: calc(14 * var(--_u));
  display: flex;
  opacity: 0;
}
.actions .icon-button {
  width: calc(32 * var(--_u));
  height: calc(32 * var(--_u));
}
.actions .icon {
  width: calc(18 * var(--_u));
  height: calc(18 * var(--_u));
}
.row:hover .actions,
.actions:focus-within {
  opacity: 1;
}

.end {
  padding: calc(16 * var(--_u)) calc(20 * var(--_u));
  color: var(--_soft);
  font-size: calc(12.5 * var(--_u));
  text-align: center;
}
.notice {
  display: flex;
  flex-direction: column;
  align-items: center;
  gap: calc(6 * var(--_u));
  padding: calc(72 * var(--_u)) calc(40 * var(--_u)) calc(40 * var(--_u));
  color: var(--_soft);
  text-align: center;
}
.notice .icon {
  box-sizing: content-box;
  width: calc(28 * var(--_u));
  height: calc(28 * var(--_u));
  padding: calc(16 * var(--_u));
  margin-block-end: calc(8 * var(--_u));
  border-radius: 50%;
  background: var(--_raised);
  stroke-width: 1.5;
}
.notice .headline {
  color: var(--_ink);
  font-size: calc(15 * var(--_u));
  font-weight: 600;
}
.list section ~ .foot .notice {
  padding-block: calc(20 * var(--_u));
}
.plain {
  padding: calc(7 * var(--_u)) calc(14 * var(--_u));
  border: 1px solid var(--_edge);
  border-radius: calc(9 * var(--_u));
  background: none;
  font-weight: 600;
}
.plain:hover {
  background: var(--_raised);
}
.bone {
  height: max(44px, calc(44 * var(--_u)));
  margin: calc(20 * var(--_u));
  border-radius: calc(10 * var(--_u));
  background: linear-gradient(
    90deg,
    var(--_raised) 0 calc(44 * var(--_u)),
    transparent calc(44 * var(--_u)) calc(56 * var(--_u)),
    var(--_raised) calc(56 * var(--_u))
  );
  animation: breathe 1.4s ease-in-out infinite alternate;
}
@keyframes breathe {
  to {
    opacity: 0.45;
  }
}

.toast {
  display: flex;
  flex: none;
  align-items: center;
  gap: calc(12 * var(--_u));
  margin: calc(10 * var(--_u)) calc(14 * var(--_u));
  min-height: calc(48 * var(--_u));
  padding-block: calc(6 * var(--_u));
  padding-inline: calc(16 * var(--_u));
  border-radius: calc(12 * var(--_u));
  background: var(--_ink);
  color: var(--_surface);
}
.toast:has(.plain) {
  padding-inline-end: calc(8 * var(--_u));
}
.toast .plain {
  margin-inline-start: auto;
  border-color: transparent;
  color: inherit;
  text-decoration: underline;
  text-underline-offset: calc(3 * var(--_u));
}
.toast .plain:hover {
  background: color-mix(in srgb, var(--_surface) 18%, transparent);
}
.toast :focus-visible {
  outline-color: currentColor;
}

.preferences {
  padding: calc(4 * var(--_u)) calc(20 * var(--_u)) calc(24 * var(--_u));
  border-block-start: 1px solid var(--_line);
}
.group {
  padding-block: calc(16 * var(--_u));
}
.group + .group {
  border-block-start: 1px solid var(--_line);
}
.group h3 {
  margin-block-end: calc(8 * var(--_u));
  color: var(--_soft);
  font-size: calc(12 * var(--_u));
  font-weight: 600;
}
.setting {
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: calc(16 * var(--_u));
  min-height: max(44px, calc(44 * var(--_u)));
  padding-block: calc(4 * var(--_u));
}
.stacked {
  flex-wrap: wrap;
}
.stacked .words {
  flex: 1 1 calc(180 * var(--_u));
}
.name {
  display: block;
  font-weight: 550;
}
.hint {
  display: block;
  color: var(--_soft);
  font-size: calc(12.5 * var(--_u));
}
select,
input[type="time"] {
  min-height: calc(38 * var(--_u));
  max-width: 100%;
  padding: calc(6 * var(--_u)) calc(10 * var(--_u));
  border: 1px solid var(--_edge);
  border-radius: calc(9 * var(--_u));
  background: var(--_surface);
}
.fields {
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: calc(10 * var(--_u)) calc(12 * var(--_u));
  margin-block-start: calc(8 * var(--_u));
}
.field {
  display: grid;
  gap: calc(4 * var(--_u));
  color: var(--_soft);
  font-size: calc(12.5 * var(--_u));
}
.field > * {
  width: 100%;
  color: var(--_ink);
  font-size: calc(14 * var(--_u));
}
.wide {
  grid-column: 1 / -1;
}
.switch {
  appearance: none;
  position: relative;
  flex: none;
  width: calc(40 * var(--_u));
  height: calc(24 * var(--_u));
  margin: 0;
  border-radius: calc(12 * var(--_u));
  background: var(--_edge);
  cursor: pointer;
  transition: background 120ms;
}
.switch::after {
  content: "";
  position: absolute;
  inset-block-start: calc(3 * var(--_u));
  inset-inline-start: calc(3 * var(--_u));
  width: calc(18 * var(--_u));
  height: calc(18 * var(--_u));
  border-radius: 50%;
  background: #fff;
  transition: inset-inline-start 120ms;
}
.switch:checked {
  background: var(--_accent);
}
.switch:checked::after {
  inset-inline-start: calc(19 * var(--_u));
  background: var(--_accent-ink);
}
table {
  width: 100%;
  border-collapse: collapse;
}
th {
  padding: 0;
  font-weight: 400;
  text-align: start;
}
thead th {
  position: sticky;
  inset-block-start: calc(-4 * var(--_u));
  z-index: 1;
  padding-block: calc(6 * var(--_u));
  background: var(--_surface);
  color: var(--_soft);
  font-size: calc(12 * var(--_u));
  text-align: center;
  white-space: nowrap;
}
.group th[colspan] {
  padding-block: calc(12 * var(--_u)) 2px;
  font-weight: 600;
}
td {
  width: calc(52 * var(--_u));
  padding: 0;
  text-align: center;
}
td label {
  display: grid;
  place-items: center;
  min-height: calc(40 * var(--_u));
  cursor: pointer;
}
th label {
  display: flex;
  align-items: center;
  gap: calc(10 * var(--_u));
  min-height: calc(40 * var(--_u));
  cursor: pointer;
}
.every tr {
  background: var(--_raised);
}
.every th {
  font-weight: 600;
}
table input {
  flex: none;
  width: calc(18 * var(--_u));
  height: calc(18 * var(--_u));
  margin: 0;
  accent-color: var(--_accent);
  cursor: inherit;
}

@media (max-width: 32.5rem) {
  .panel[popover] {
    inset: 0 !important;
    width: 100vw;
    max-width: none;
    height: 100dvh;
    border: 0;
    border-radius: 0;
  }
}
@media (hover: none) {
  /* After a tap the pointer stays in place, so what lies below it is not hovered. */
  .icon-button:hover:not(:disabled) {
    background: none;
  }
  .facts {
    min-height: max(44px, calc(44 * var(--_u)));
    padding-inline-end: max(70px, calc(70 * var(--_u)));
  }
  .actions {
    inset-block-end: 2px;
    opacity: 1;
  }
}
@media (pointer: coarse) {
  .icon-button,
  .actions .icon-button {
    width: max(44px, calc(44 * var(--_u)));
    height: max(44px, calc(44 * var(--_u)));
  }
  .tabs button {
    min-width: max(44px, calc(44 * var(--_u)));
    min-height: max(44px, calc(44 * var(--_u)));
  }
  .plain,
  select,
  input[type="time"],
  table label {
    min-height: max(44px, calc(44 * var(--_u)));
  }
  table input {
    width: calc(22 * var(--_u));
    height: calc(22 * var(--_u));
  }
}
@media (prefers-reduced-motion: reduce) {
  * {
    animation: none !important;
    transition: none !important;
  }
}
@media (forced-colors: active) {
  .dot,
  .badge,
  .switch {
    forced-color-adjust: none;
  }
  .tabs [aria-selected="true"]::after {
    forced-color-adjust: none;
    background: Highlight;
  }
  .panel,
  .face,
  .toast {
    border: 1px solid;
  }
}
`;var qe=[["day",86400],["hour",3600],["minute",60]],K=e=>new Date(e.getFullYear(),e.getMonth(),e.getDate()).getTime(),de=e=>e.charAt(0).toLocaleUpperCase()+e.slice(1);function ue(e,t,a=Date.now()){let n=new Intl.RelativeTimeFormat(t,{numeric:"auto",style:"short"}),r=Math.max(0,(a-e.getTime())/1e3),[l,i]=qe.find(([,u])=>r>=u)??["second",0];return n.format(i?-Math.floor(r/i):0,l)}function he(e,t,a=new Date){let n=Math.round((K(e)-K(a))/864e5);if(n>=-1)return de(new Intl.RelativeTimeFormat(t,{numeric:"auto"}).format(Math.min(0,n),"day"));let l={weekday:"long",day:"numeric",month:"long",...e.getFullYear()===a.getFullYear()?{}:{year:"numeric"}};return de(e.toLocaleDateString(t,l))}var pe=(e,t)=>e.toLocaleString(t,{dateStyle:"full",timeStyle:"short"}),fe=(e,t)=>{let a=K(e)===K(new Date);return e.toLocaleString(t,a?{timeStyle:"short"}:{dateStyle:"medium",timeStyle:"short"})};function ge(e=new Date){let t=new Date(e.getFullYear(),e.getMonth(),e.getDate()+1,8);return Math.round((t.getTime()-e.getTime())/1e3)}var Ie=({firstName:e,lastName:t})=>[e,t].filter(Boolean).join(" "),me=({firstName:e,lastName:t})=>`${e?.[0]??""}${t?.[0]??""}`.toLocaleUpperCase();function Fe({actor:e,type:t}){if(!e||!me(e))return s("span",{class:"face",part:"face"},j(t));let a=Q(e.photo_url),n=a&&s("img",{src:a,alt:"",loading:"lazy",referrerpolicy:"no-referrer",onerror:()=>n.remove()});return s("span",{class:"face",part:"face"},me(e),n,s("span",{class:"kind"},j(t)))}function Ue(e,t){let a=Q(e.data?.url),n=s("span",{class:"dot",part:"dot"}),r=s("span",{class:"hidden"}),l=s("time",{datetime:e.createdAt}),i=N("",{class:"who"}),u=s("span",{class:"picture","aria-hidden":"true"}),m=N(""),k=N(""),_=s("span",{class:"text"},k),g=s(a?"a":"button",{class:"main",part:"item",tabindex:-1,...a?{href:a,rel:"noopener"}:{type:"button"}},u,s("span",{class:"words"},r,s("span",{class:"headline"},m),e.body?_:null,s("span",{class:"facts"},i,l)),n),d=q("read","",()=>t.toggle(P.item),{tabindex:-1,"data-act":"toggle"}),b=q("archive","",()=>t.move(P.item),{tabindex:-1,"data-act":"move"});g.addEventListener("click",y=>t.click(P.item,y,a));let C=s("li",{class:"row","data-id":e.id},g,s("span",{class:"actions"},d,b)),z=(y,c,v)=>{let x=`${v}: ${P.item.title}`;y.getAttribute("aria-label")!==x&&(y.title=v,y.setAttribute("aria-label",x),y.replaceChildren(j(c)))},D,P={item:e,element:C,main:g,stops:[g,d,b],show(y,{t:c,language:v,tab:x}){P.item=y,C.classList.toggle("is-unread",!y.isRead),C.part=y.isRead?"row":"row row-unread",m.textContent!==y.title&&(m.textContent=y.title),k.textContent!==y.body&&(k.textContent=y.body),r.textContent=y.isRead?"":`${c.isUnread}: `;let A=new Date(y.createdAt),L=y.actor?Ie(y.actor):"";i.textContent=L&&!y.title.includes(L)?L:"",l.textContent=ue(A,v),l.title=pe(A,v);let T=JSON.stringify(y.actor);T!==D&&u.replaceChildren(Fe(y)),D=T,z(d,y.isRead?"unreadAgain":"read",y.isRead?c.unreadAgain:c.read),d.hidden=x==="archived",z(b,x==="archived"?"restore":"archive",x==="archived"?c.restore:c.archive)}};return P}var ve={ArrowDown:1,ArrowUp:-1};function be(e){let t=new Map,a=new Map,n=s("div",{class:"foot",role:"presentation"}),r=s("div",{class:"list",part:"list"},n),l=[],i,u=new IntersectionObserver(g=>g.some(d=>d.isIntersecting)&&e.more(),{root:r,rootMargin:"300px"});u.observe(n);let m=g=>{i=g;for(let[d,{stops:b}]of t)for(let C of b)C.tabIndex=d===g?0:-1},k=(g,d=0)=>{let b=t.get(l[Math.max(0,Math.min(l.length-1,g))]);return b?(m(b.item.id),b.stops[d].focus(),b.element.scrollIntoView({block:"nearest"}),!0):!1};r.addEventListener("focusin",({target:g})=>{let d=g.closest(".row")?.dataset.id;d&&d!==i&&m(d)}),r.addEventListener("keydown",g=>{let{key:d,target:b,altKey:C,ctrlKey:z,metaKey:D}=g,P=b.closest(".row")?.dataset.id,y=t.get(P);if(!y||C||z||D)return;let c=l.indexOf(P);if(d in ve)k(c+ve[d]);else if(d==="Home")k(0);else if(d==="End")k(l.length-1);else if(d==="Delete")e.move(y.item);else if(d==="ArrowRight"||d==="ArrowLeft"){let v=d==="ArrowRight"==(getComputedStyle(r).direction==="ltr"),x=y.stops.filter(A=>!A.hidden);x[Math.max(0,Math.min(x.length-1,x.indexOf(b)+(v?1:-1)))].focus()}else return;g.preventDefault()});let _=g=>{if(!a.has(g)){let d=s("h3",{id:`day-${crypto.randomUUID()}`},g),b=s("ul",{role:"list","aria-labelledby":d.id});a.set(g,{section:s("section",{part:"day"},d,b),list:b})}return a.get(g)};return{element:r,focus:()=>k(Math.max(0,l.indexOf(i))),leave(g){let d=l.indexOf(g),b=t.get(g)?.element.contains(r.getRootNode().activeElement);return()=>b&&(k(d)||r.dispatchEvent(new Event("emptied")))},show({items:g,tab:d,...b},{t:C,language:z}){let D=new Map,P=new Set(t.keys());for(let c of g){P.delete(c.id);let v=t.get(c.id)??Ue(c,e);t.set(c.id,v),v.show(c,{t:C,language:z,tab:d});let x=he(new Date(c.createdAt),z);D.set(x,[...D.get(x)??[],v.element])}for(let c of P)t.delete(c);for(let c of a.keys())D.has(c)||a.delete(c);l=g.map(c=>c.id);let y=[...D].map(([c,v])=>{let{section:x,list:A}=_(c);return U(A,v),x});U(n,Be(b,g,d,C,e)),U(r,[...y,n]),!t.has(i)&&l.length>0?m(l[0]):m(i),u.unobserve(n),b.isEnd||u.observe(n)}}}function Be({isLoading:e,isEnd:t,problem:a},n,r,l,i){if(a){let u=a.seconds?` ${l.againIn(a.seconds)}`:"",m=s("button",{type:"button",class:"plain",onclick:i.again},l.again);return[s("div",{class:"notice",role:"alert",part:"error"},j("alert"),s("p",{},N(l.problems[a.kind]+u)),m)]}if(e&&n.length===0)return[s("p",{class:"hidden",role:"status"},l.loading),...Array.from({length:5},()=>s("div",{class:"bone"}))];if(e)return[s("p",{class:"end"},l.more)];if(n.length===0){let[u,m]=l.empty[r];return[s("div",{class:"notice",part:"empty"},j(r==="archived"?"archive":"bell"),s("p",{class:"headline"},u),s("p",{},N(m)))]}return t?[s("p",{class:"end"},l.end)]:[]}var we=e=>typeof e=="object"&&e!==null,_e=(e,t)=>{let a={...e,...t};for(let n of Object.keys(t??{}))we(e?.[n])&&we(t[n])&&(a[n]=_e(e[n],t[n]));return a};function ke(e){let t=Promise.resolve(),a=new Set,n=r=>{let l=t.then(r);return t=l.catch(()=>{}),l};return{inTurn:n,send(r,l,i){let u={method:r,to:l,body:i,sent:void 0};return a.add(u),n(()=>(a.delete(u),u.sent??e(r,l,i())))},hurry(){let r=new Map;for(let{method:i,to:u,body:m}of a){let k=r.get(u),_=i==="PATCH"&&k?.method===i;r.set(u,{method:i,body:_?_e(k.body,m()):m()})}let l=new Map([...r].map(([i,{method:u,body:m}])=>[i,e(u,i,m)]));for(let i of a)i.sent=l.get(i.to),i.sent.catch(()=>{});a.clear()}}}function ye(e,t){let a=new Map,n=[],r=(i,u)=>a.get(`${i} ${u}`)??e[i]?.[u]??!0,l=()=>{for(let{element:i,pairs:u}of n){let m=u.filter(([k,_])=>r(k,_)).length;i.checked=m===u.length,i.indeterminate=m>0&&m<u.length}};return{box(i,u,m){let k=i.flatMap(d=>u.map(b=>[d,b])),g=s("input",{type:"checkbox","aria-label":m,onchange:()=>{let d=!k.every(([b,C])=>r(b,C));for(let[b,C]of k)a.set(`${b} ${C}`,d);l(),t(Object.fromEntries(i.map(b=>[b,Object.fromEntries(u.map(C=>[C,d]))])))}});return n.push({element:g,pairs:k}),l(),g}}}var V="/api/v1/preferences",X=["app","socket","push","email"],xe={news:["page.created","page.updated","page.deleted","page.reminded","comment.created","comment.deleted","like.created"],team:["message.direct","member.registered","member.updated","member.deleted","member.onboarding","workspace.created","workspace.member_joined","workspace.member_left"],hotel:["hotel.created","hotel.updated","hotel.deleted"]},Je=()=>Intl.supportedValuesOf?Intl.supportedValuesOf("timeZone"):[],Me=()=>new Intl.DateTimeFormat().resolvedOptions().timeZone,B=(e,t,a)=>s("option",{value:e,selected:a},t);function Ae(e,t,a,n){let r=s("input",{type:"checkbox",role:"switch",class:"switch",part:"switch",onchange:()=>n(r.checked)});return r.checked=a,s("label",{class:"setting"},s("span",{class:"words"},s("span",{class:"name"},e),t&&s("span",{class:"hint"},N(t))),r)}function Se(e,t){let a=s("div",{class:"preferences",part:"preferences"}),n,r,l=0,i,{inTurn:u,send:m,hurry:k}=ke(e),_=async()=>{n=await e("GET",V)},g=async(c,v,x=()=>{})=>{l++;try{n=await m(c,v,x)}catch(A){i=A.kind??"failed"}--l>0||(i&&await u(_).catch(()=>{}),!(l>0)&&(t(i??"saved"),i=void 0,y()))},d=c=>g("PATCH",V,c),b=c=>{if(c==="0")return g("DELETE",`${V}/do-not-disturb`);let v=c==="morning"?ge():Number(c);return g("POST",`${V}/do-not-disturb`,()=>({duration:v}))},C=({t:c,language:v})=>{let x=n.doNotDisturb&&new Date(n.dndUntil)>new Date,A=s("select",{onchange:()=>b(A.value),"data-key":"dnd"},B("0",c.off,!x));x&&A.append(B("on",c.disturbUntil(fe(new Date(n.dndUntil),v)),!0)),A.append(...Object.entries(c.durations).map(([T,o])=>B(T,o)),B("morning",c.morning));let L=Ae(c.silence,c.silenceHint,n.isGlobalSilent,T=>g(T?"POST":"DELETE",`${V}/global-silence`,()=>T?{enabled:!0}:void 0));return ee(c.pause,L,s("label",{class:"setting"},s("span",{class:"name"},c.disturb),A))},z=({t:c})=>{let{enabled:v=!1,start:x="22:00",end:A="07:00",timezone:L=Me()}=n.quietHours??{},T={enabled:v,start:x,end:A,timezone:L},o=M=>d(()=>({quietHours:n.quietHours?M:{...T,...M}})),p=(M,O)=>{let $=s("input",{type:"time",value:T[M],onchange:()=>$.value&&o({[M]:$.value})});return s("label",{class:"field"},O,$)},E=[...new Set([L,Me(),...Je()])],h=s("select",{onchange:()=>o({timezone:h.value})},E.map(M=>B(M,M.replaceAll("_"," "),M===L))),w=s("div",{class:"fields"},p("start",c.from),p("end",c.to),s("label",{class:"field wide"},c.zone,h)),S=n.emailDigest==="off"?c.quietHint:c.quietDigestHint,f=Ae(c.quiet,S,v,M=>o({enabled:M}));return s("section",{class:"group","aria-label":c.quiet},f,v&&w)},D=({t:c})=>{let v=s("select",{"data-key":"digest",onchange:()=>d(()=>({emailDigest:v.value}))},Object.entries(c.digests).map(([A,L])=>B(A,L,A===n.emailDigest))),x=s("span",{class:"words"},s("span",{class:"name"},c.digest),s("span",{class:"hint"},N(c.digestHint)));return ee(c.mails,s("label",{class:"setting stacked"},x,v))},P=({t:c})=>{let v=Object.values(xe).flat(),x=Object.keys(n.categoryPrefs).filter(w=>!v.includes(w)),A=Object.entries({...xe,other:x}).filter(([,w])=>w.length>0),L=A.flatMap(([,w])=>w),{box:T}=ye(n.categoryPrefs,w=>d(()=>({categoryPrefs:w}))),o=w=>c.kinds[w]??w,p=(w,S,f=S)=>s("tr",{},s("th",{scope:"row"},s("label",{},T(w,X,`${f}: ${c.everyChannel}`),N(S))),X.map(M=>s("td",{},s("label",{},T(w,[M],`${f}: ${c.channels[M]}`))))),E=s("tr",{},s("th",{scope:"col"},s("span",{class:"hidden"},c.what)),X.map(w=>s("th",{scope:"col"},c.channels[w]))),h=A.map(([w,S])=>s("tbody",{},s("tr",{class:"group"},s("th",{colspan:5,scope:"colgroup"},c.groups[w])),S.map(f=>p([f],o(f)))));return ee(c.channelsTitle,s("table",{},s("thead",{},E),s("tbody",{class:"every"},p(L,c.everyKind)),h))},y=()=>{if(!n)return;let c=a.getRootNode().activeElement,v=[...a.children],x=v.findIndex(o=>o.contains(c)),A=x<0?-1:te(v[x]).indexOf(c),{scrollTop:L}=a,T=[C(r),z(r),D(r),P(r)];U(a,T.map((o,p)=>v[p]&&Te(v[p])===Te(o)?v[p]:o)),a.scrollTop=L,A>=0&&!c.isConnected&&te(a.children[x])[A]?.focus({preventScroll:!0})};return{element:a,hurry:k,async open(c){r=c,a.replaceChildren(s("p",{class:"end",role:"status"},r.t.loading));try{await u(_),y()}catch(v){let x=s("button",{type:"button",class:"plain",onclick:()=>this.open(r)},r.t.again);a.replaceChildren(s("div",{class:"notice",role:"alert"},s("p",{},N(r.t.problems[v.kind??"failed"])),x))}}}}var ee=(e,...t)=>s("section",{class:"group","aria-label":e},s("h3",{},e),t),te=e=>[...e.querySelectorAll("input, select, button")],Te=e=>[e.textContent,...te(e).map(t=>t.type==="checkbox"?[t.checked,t.indeterminate]:t.value)].join(`
`);var W=["all","unread","archived"],Ye=8;function Ee({store:e,call:t,view:a,clicked:n,close:r,announce:l}){let{t:i}=a,u,m=s("div",{class:"toast",part:"toast",hidden:!0}),k=()=>{d.focus()||D().focus()},_=()=>{clearTimeout(u);let h=m.contains(m.getRootNode().activeElement);m.hidden=!0,h&&k()},g=(h,w)=>{let S=()=>{_(),w()};m.replaceChildren(N(h),...w?[s("button",{type:"button",class:"plain",onclick:S},i.undo)]:[]),m.hidden=!1,l(h),clearTimeout(u);let f=()=>m.matches(":hover, :focus-within")?u=setTimeout(f,1e3):_();u=setTimeout(f,(w?Ye:3)*1e3)},d=be({click:n,toggle:h=>e.read(h,!h.isRead),async move(h){let w=e.state.tab,S=d.leave(h.id),f=e.move(h);S(),g(w==="archived"?i.restoredNow:i.archivedNow,async()=>{await f,await e.moveBack(h,w)}),await f},more:e.more,again:()=>e.refresh()});d.element.addEventListener("emptied",()=>D().focus());let b=Se(t,h=>g(h==="saved"?i.saved:i.problems[h])),C=s("h2",{id:"title"}),z=W.map(h=>{let w={all:i.all,unread:i.unreadTab,archived:i.archived}[h];return s("button",{type:"button",role:"tab",id:`tab-${h}`,part:"tab","aria-controls":"content",onclick:()=>P(h)},w)}),D=()=>z[W.indexOf(e.state.tab)],P=h=>(d.element.scrollTop=0,e.open(h)),y=s("div",{class:"tabs",role:"tablist","aria-labelledby":"title"},z);y.addEventListener("keydown",h=>{let w=W.indexOf(e.state.tab),S=getComputedStyle(y).direction==="rtl"?"ArrowLeft":"ArrowRight",f={Home:0,End:2}[h.key]??(/^Arrow(Left|Right)$/.test(h.key)?(w+(h.key===S?1:2))%3:void 0);if(h.key==="ArrowDown")d.focus();else{if(f===void 0)return;P(W[f]),z[f].focus()}h.preventDefault()});let c=q("readAll",i.readAll,async()=>{await e.readAll()&&g(i.allRead)}),v=q("settings",i.settings,()=>E(!0)),x=q("back",i.back,()=>E(!1)),A=q("close",i.close,r,{class:"icon-button close"}),L=s("p",{class:"paused",role:"status",part:"paused",hidden:!0},i.paused),T=s("div",{id:"content",class:"content",role:"tabpanel"},d.element),o=s("div",{id:"panel",class:"panel",part:"panel",role:"dialog","aria-labelledby":"title",tabindex:-1},s("div",{class:"header",part:"header"},x,C,s("span",{class:"tools"},c,v,A)),y,L,T,b.element,m),p=!1,E=h=>{p=h;for(let w of[c,v,y,T])w.hidden=h;for(let w of[x,b.element])w.hidden=!h;C.textContent=h?i.settings:i.title,h&&b.open(a),(h?x:v).focus()};return E(!1),{element:o,show(h){d.show(h,a);for(let[w,S]of z.entries()){let f=W[w]===h.tab;S.setAttribute("aria-selected",f),S.tabIndex=f?0:-1,f&&T.setAttribute("aria-labelledby",S.id)}c.disabled=h.unread===0},showPaused:h=>{L.hidden=!h},showMessage:g,isSettings:()=>p,hurry:b.hurry,turn:E,focus:k}}var ne="/api/v1/notifications",Ve={all:"",unread:"&isRead=false",archived:"&isArchived=true"};function Ce(e,t,a){let n={tab:"all",items:[],unread:0,isLoading:!1,isEnd:!1,problem:void 0,language:""},r=0,l=0,i=new Set,u=Promise.resolve(),m=!1,k=new Map,_,g,d=o=>{Object.assign(n,o),t(n)},b=o=>{l++,d({unread:Math.max(0,o)})},C=o=>n.tab!=="unread"||!o.isRead,z=o=>n.items.find(p=>p.id===o),D=async(o,p=3)=>{let E=r;await Promise.allSettled(i);let h=l,w=n.language&&`&language=${n.language}`,S=await e("GET",`${ne}?page=${o}&limit=20${Ve[n.tab]}${w}`);if(E===r)return h!==l?p>1?D(o,p-1):S:(n.unread=S.meta.unread,S)},P=async o=>{clearTimeout(g);let p=_=r,E;try{await o()}catch(h){E={kind:h.kind??"failed",seconds:h.seconds??0}}p===r&&(_=void 0,E?.seconds&&(g=setTimeout(()=>T.refresh(),E.seconds*1e3)),d({isLoading:!1,problem:E}))},y=({data:o,meta:p})=>o.length===0||p.page>=p.totalPages,c=(o=n.tab)=>(r++,d({tab:o,items:[],isEnd:!1,isLoading:!0,problem:void 0}),P(async()=>{let p=await D(1);p&&Object.assign(n,{items:p.data,isEnd:y(p)})})),v=()=>{if(!(_===r||n.isEnd||n.problem))return d({isLoading:!0}),P(async()=>{let o=await D(Math.floor(n.items.filter(C).length/20)+1);if(!o)return;let p=new Set(n.items.map(E=>E.id));n.items=[...n.items,...o.data.filter(E=>!p.has(E.id))],n.isEnd=y(o)})},x=()=>n.items.length===0?c():(r++,P(async()=>{let o=await D(1);if(!o)return;let p=new Set(o.data.map(S=>S.id)),E=o.data.at(-1)?.createdAt??"",h=n.items.filter(S=>!p.has(S.id)&&(S.createdAt<E||!C(S))),w=[...o.data,...y(o)?h.filter(S=>!C(S)):h];n.items=w.toSorted((S,f)=>S.createdAt<f.createdAt?1:S.createdAt>f.createdAt?-1:0),y(o)&&(n.isEnd=!0)})),A=async(o,p,E,h)=>{E();let w=u.then(()=>e(o,`${ne}/${p}`));u=w.catch(()=>{}),i.add(w);try{return await w}catch(S){h(),a({problem:S.kind??"failed"});return}finally{i.delete(w),i.size===0&&m&&(m=!1,T.poll())}},L=(o,p)=>{o.isRead!==p&&(o.isRead=p,k.set(o.id,Date.now()),n.tab!=="archived"?b(n.unread+(p?-1:1)):d({}))},T={state:n,open:c,more:v,refresh:x,read(o,p){let E=o.isRead,h=()=>L(o,p);return A("PATCH",`${o.id}/${p?"read":"unread"}`,h,()=>L(o,E))},click:o=>A("PATCH",`${o.id}/click`,()=>L(o,!0),()=>{}),readAll(){let[o,p]=[n.items.filter(h=>!h.isRead),n.unread],E=h=>o.forEach(w=>Object.assign(w,{isRead:h}));return A("POST","read-all",()=>(E(!0),b(0)),()=>(E(!1),b(p)))},move(o){let p=n.tab==="archived",E=n.items.indexOf(o),h=o.isRead?0:p?1:-1,w=M=>{let O=n.items.filter($=>$.id!==o.id);n.items=M>0?O:O.toSpliced(E,0,o),b(n.unread+M*h)},[S,f]=p?["PATCH",`${o.id}/unarchive`]:["DELETE",o.id];return A(S,f,()=>w(1),()=>w(-1))},async moveBack(o,p){let[E,h]=p==="archived"?["DELETE",o.id]:["PATCH",`${o.id}/unarchive`];await A(E,h,()=>{},()=>{}),await x()},arrived(o){z(o.id)||(l++,n.tab!=="archived"&&d({items:[{...o,actor:null,isRead:!1},...n.items]}))},counted(o){i.size>0?m=!0:b(o)},readElsewhere({id:o,unread:p}){if(o===null&&p>0)return x();let E=o===null?void 0:z(o);if(E&&!E.isRead&&Date.now()-(k.get(o)??0)<5e3)return x();i.size>0&&(m=!0);for(let h of n.items)(o===null||h.id===o)&&(h.isRead=!0);i.size>0?d({}):b(p)},async poll(){let o=l,p=await e("GET",`${ne}/unread-count`).catch(()=>{});return p&&o===l&&d({unread:p.count}),p!==void 0},end(){r++,clearTimeout(g)}};return T}var We={title:"Notifications",unread:e=>e===0?"no unread":`${e} unread`,all:"All",unreadTab:"Unread",archived:"Archived",readAll:"Mark all as read",settings:"Preferences",back:"Back to notifications",close:"Close",read:"Mark as read",unreadAgain:"Mark as unread",archive:"Archive",restore:"Move to inbox",archivedNow:"Archived",restoredNow:"Moved to inbox",allRead:"All marked as read",undo:"Undo",isUnread:"unread",arrived:e=>`New notification: ${e}`,loading:"Loading",more:"Loading more",end:"No more notifications",empty:{all:["No notifications yet","Activity in your workspaces appears here."],unread:["You\u2019re all caught up","No unread notifications."],archived:["Nothing archived","Archived notifications are kept here."]},problems:{offline:"No connection to the platform.",token:"Your session has expired.",limited:"Too many requests.",failed:"Something went wrong."},again:"Try again",againIn:e=>`Retrying in ${e} s.`,paused:"Live updates are paused",saved:"Saved",pause:"Pause",silence:"Mute everything",silenceHint:"No notifications on any channel, from any workspace.",disturb:"Do not disturb",disturbUntil:e=>`Until ${e}`,off:"Off",durations:{1800:"For 30 minutes",3600:"For 1 hour",14400:"For 4 hours",28800:"For 8 hours"},morning:"Until tomorrow, 8:00",quiet:"Quiet hours",quietHint:"Push notifications and e-mails are discarded between these times, every day.",quietDigestHint:"Every day between these times, push notifications are discarded and the digest waits.",mails:"E-mails",digest:"Frequency",digestHint:"Urgent messages and reminders to read are sent at once.",digests:{off:"One e-mail per notification",daily:"Daily digest, at 8:00",weekly:"Weekly digest, on Monday at 8:00"},everyKind:"Everything",everyChannel:"all channels",from:"From",to:"To",zone:"Time zone",channelsTitle:"Channels",channels:{app:"In app",socket:"Live",push:"Push",email:"E-mail"},what:"Topics",groups:{news:"News",team:"Team",hotel:"Hotel",other:"Other"},kinds:{"page.created":"Pages published","page.updated":"Pages changed","page.deleted":"Pages deleted","page.reminded":"Reminders to read","comment.created":"Comments","comment.deleted":"Comments deleted","like.created":"Reactions","message.direct":"Direct messages","member.registered":"New colleagues","member.updated":"Profiles changed","member.deleted":"Colleagues removed","member.onboarding":"Onboarding","workspace.created":"New workspaces","workspace.member_joined":"Joined a workspace","workspace.member_left":"Left a workspace","hotel.created":"New hotels","hotel.updated":"Hotels changed","hotel.deleted":"Hotels deleted"}},Ge={title:"Notifications",unread:e=>e===0?"aucune non lue":e===1?"1 non lue":`${e} non lues`,all:"Toutes",unreadTab:"Non lues",archived:"Archiv\xE9es",readAll:"Tout marquer comme lu",settings:"Pr\xE9f\xE9rences",back:"Retour aux notifications",close:"Fermer",read:"Marquer comme lue",unreadAgain:"Marquer comme non lue",archive:"Archiver",restore:"D\xE9sarchiver",archivedNow:"Archiv\xE9e",restoredNow:"D\xE9sarchiv\xE9e",allRead:"Tout est marqu\xE9 comme lu",undo:"Annuler",isUnread:"non lue",arrived:e=>`Nouvelle notification : ${e}`,loading:"Chargement",more:"Chargement de la suite",end:"Fin de la liste",empty:{all:["Aucune notification pour l\u2019instant","L\u2019activit\xE9 de vos espaces appara\xEEtra ici."],unread:["Vous \xEAtes \xE0 jour","Aucune notification non lue."],archived:["Aucune archive","Les notifications archiv\xE9es sont conserv\xE9es ici."]},problems:{offline:"Pas de connexion \xE0 la plateforme.",token:"Votre session a expir\xE9.",limited:"Trop de requ\xEAtes.",failed:"Une erreur est survenue."},again:"R\xE9essayer",againIn:e=>`Nouvelle tentative dans ${e} s.`,paused:"Mises \xE0 jour en direct interrompues",saved:"Enregistr\xE9",pause:"Pause",silence:"Tout d\xE9sactiver",silenceHint:"Aucune notification, quels que soient le canal et l\u2019espace.",disturb:"Ne pas d\xE9ranger",disturbUntil:e=>`Jusqu\u2019\xE0 ${e}`,off:"D\xE9sactiv\xE9",durations:{1800:"Pendant 30 minutes",3600:"Pendant 1 heure",14400:"Pendant 4 heures",28800:"Pendant 8 heures"},morning:"Jusqu\u2019\xE0 demain, 8 h",quiet:"Plage de silence",quietHint:"Chaque jour, entre ces heures, les push et les e-mails ne sont pas envoy\xE9s, m\xEAme plus tard.",quietDigestHint:"Chaque jour, entre ces heures, les push ne sont pas envoy\xE9s et le r\xE9capitulatif attend.",mails:"E-mails",digest:"Fr\xE9quence",digestHint:"Les messages urgents et les rappels de lecture sont envoy\xE9s tout de suite.",digests:{off:"Un e-mail par notification",daily:"R\xE9capitulatif quotidien, \xE0 8 h",weekly:"R\xE9capitulatif hebdomadaire, le lundi \xE0 8 h"},everyKind:"Tout",everyChannel:"tous les canaux",from:"De",to:"\xC0",zone:"Fuseau horaire",channelsTitle:"Canaux",channels:{app:"Appli",socket:"Direct",push:"Push",email:"E-mail"},what:"Sujets",groups:{news:"Actualit\xE9s",team:"\xC9quipe",hotel:"H\xF4tel",other:"Autres"},kinds:{"page.created":"Pages publi\xE9es","page.updated":"Pages modifi\xE9es","page.deleted":"Pages supprim\xE9es","page.reminded":"Rappels de lecture","comment.created":"Commentaires","comment.deleted":"Commentaires supprim\xE9s","like.created":"R\xE9actions","message.direct":"Messages directs","member.registered":"Nouveaux coll\xE8gues","member.updated":"Profils modifi\xE9s","member.deleted":"Coll\xE8gues retir\xE9s","member.onboarding":"Int\xE9gration","workspace.created":"Nouveaux espaces","workspace.member_joined":"Arriv\xE9es dans un espace","workspace.member_left":"D\xE9parts d\u2019un espace","hotel.created":"Nouveaux h\xF4tels","hotel.updated":"H\xF4tels modifi\xE9s","hotel.deleted":"H\xF4tels supprim\xE9s"}},Oe=e=>/^fr\b/i.test(e)?Ge:We;var G=8,Pe=new CSSStyleSheet;Pe.replaceSync(le);var ae=class extends HTMLElement{static observedAttributes=["src","lang","token","inline"];#a=this.attachShadow({mode:"open"});#n;#o=[];#e;#c;#t=!1;constructor(){super(),this.#a.adoptedStyleSheets=[Pe]}get token(){return this.#n}set token(t){let a=this.#o.length>0;this.#n=t;for(let n of this.#o.splice(0))n(typeof t=="function"?t(!0):t);a||this.#s()}get unread(){return this.#e?.store.state.unread??0}get open(){return this.#t}connectedCallback(){if(Object.hasOwn(this,"token")&&(this.#n=this.token,delete this.token),document.readyState==="complete")return this.#s();let t=()=>this.#e||this.#s();document.addEventListener("DOMContentLoaded",t,{once:!0}),addEventListener("load",t,{once:!0})}disconnectedCallback(){this.#h()}attributeChangedCallback(t,a,n){a!==n&&this.#e&&this.#s()}show(){!this.#e||this.#t||(this.#u(),this.#e.panel.element.focus({preventScroll:!0}))}hide(){if(!this.#t||this.hasAttribute("inline"))return;let{panel:t,bell:a}=this.#e,n=t.element.contains(this.#a.activeElement);this.#t=!1,t.element.hidePopover?.(),this.#r(),n&&a.focus(),t.isSettings()&&t.turn(!1)}#u(){this.#t=!0;let t=this.#e;this.hasAttribute("inline")||t.panel.element.showPopover?.(),this.#d(),this.#r();let a=()=>this.#t&&this.#a.activeElement===t.panel.element;t.store.open().then(()=>a()&&t.panel.focus())}#f=t=>{if(typeof this.#n=="function")return this.#n(t);let a=this.#n??this.getAttribute("token");return a&&!t?a:new Promise(n=>{this.#o.push(n);let r=l=>{typeof l=="string"&&(this.#n=l),this.#o=this.#o.filter(i=>i!==n),n(l)};this.#i("token-needed",{fresh:t,provide:r})})};#i(t,a){return this.dispatchEvent(new CustomEvent(t,{detail:a,bubbles:!0,composed:!0,cancelable:!0}))}#h(){this.#c?.(),this.#c=void 0,this.#e=void 0,this.#t=!1,this.#o=[],this.#a.replaceChildren()}#s(){if(this.#h(),!this.isConnected)return;let t=new URL(this.getAttribute("src")||"/",import.meta.url).href.replace(/\/$/,""),a=oe(this.#f),n=ie(t,a),r=s("span",{class:"badge",part:"badge",hidden:!0,"aria-hidden":"true"}),l=s("button",{type:"button",class:"bell",part:"bell","aria-haspopup":"dialog","aria-controls":"panel",onclick:()=>this.#t?this.hide():this.show()},j("bell"),r),i=s("p",{class:"hidden","aria-live":"polite",role:"status"}),u=Ce(n,_=>this.#l(_),({problem:_})=>k.panel.showMessage(k.t.problems[_])),k={store:u,call:n,bell:l,badge:r,voice:i,announce:_=>{i.textContent=_},shown:void 0,isPaused:!1};this.#e=k,this.#p(),this.#c=ce({inbox:this,base:t,tokens:a,parts:k,emit:this.#i.bind(this)},_=>{_==="place"?this.#d():this.#l(u.state)}),this.#l(u.state),this.hasAttribute("inline")?this.#u():u.poll(),this.lang||this.#g(k)}async#g(t){let a=await t.call("GET","/api/v1/preferences").catch(()=>{});this.#e===t&&(t.spoken=a?.language,this.#p())}#m({spoken:t}){let a=this.closest("[lang]")?.lang||navigator.language,n=this.lang||(t&&!a.startsWith(t)?t:a);return/^(fr|en)\b/i.test(n)?n:"en"}#p(){let t=this.#e,{store:a,call:n,bell:r,voice:l,announce:i}=t,u=this.#m(t);if(t.language===u)return;a.state.language=this.lang?u.slice(0,2).toLowerCase():"";let m=Oe(u),_=Ee({store:a,call:n,view:{t:m,language:u},clicked:(d,b,C)=>{let{id:z,type:D,category:P,title:y,body:c,data:v,actor:x,createdAt:A}=d;a.click(d);let L=this.#i("notification-click",{id:z,type:D,category:P,title:y,body:c,data:v,actor:x,createdAt:A});C&&!L&&b.preventDefault(),this.hide()},close:()=>this.hide(),announce:i});_.element.lang=u,r.lang=u,l.lang=u,this.hasAttribute("inline")?_.element.role="region":_.element.popover="manual";let g=t.panel?.element.contains(this.#a.activeElement);this.#a.replaceChildren(r,_.element,l),Object.assign(t,{panel:_,t:m,language:u}),_.showPaused(t.isPaused),this.#r(),this.#t&&(this.hasAttribute("inline")||_.element.showPopover?.(),this.#d(),_.show(a.state),g&&_.element.focus({preventScroll:!0}))}#l(t){let a=this.#e;if(!a||(this.#t&&a.panel.show(t),a.shown===t.unread))return;let n=a.shown===void 0;a.shown=t.unread,a.badge.textContent=t.unread>99?"99+":t.unread,a.badge.hidden=t.unread===0,this.#r(),n||this.#i("unread-change",{unread:t.unread})}#r(){let{bell:t,t:a,store:n}=this.#e;t.setAttribute("aria-label",`${a.title}, ${a.unread(n.state.unread)}`),t.setAttribute("aria-expanded",this.#t),this.toggleAttribute("open",this.#t)}#d(){if(!this.#t||this.hasAttribute("inline"))return;let{bell:t,panel:a}=this.#e,{style:n,offsetWidth:r}=a.element,{left:l,right:i,top:u,bottom:m}=t.getBoundingClientRect(),k=u>innerHeight-m&&innerHeight-m<400,_=l+i>innerWidth?i-r:l;n.left=`${Math.max(G,Math.min(innerWidth-r-G,_))}px`,n.top=k?"auto":`${m+G}px`,n.bottom=k?`${innerHeight-u+G}px`:"auto",n.setProperty("--_room",`${(k?u:innerHeight-m)-2*G}px`)}};customElements.get("platform-inbox")||customElements.define("platform-inbox",ae);
