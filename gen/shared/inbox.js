var U=(e,t=0)=>Object.assign(new Error(e),{kind:e,seconds:t});function ie(e){let t,a;return(n,r)=>t&&(!n||r!==void 0&&r!==t)?Promise.resolve(t):(a??=new Promise(i=>i(e(n))).then(i=>{if(!i)throw U("token");return t=i,i}).finally(()=>{a=void 0}),a)}var $e=e=>new Promise(t=>setTimeout(t,e*1e3));function se(e,t){let a=async(l,i,u,g,_)=>{let b={authorization:`Bearer ${g}`,...u?{"content-type":"application/json"}:{}},f={method:l,headers:b,credentials:"omit",cache:"no-store",keepalive:l!=="GET"},d=await fetch(e+i,{...f,...u?{body:JSON.stringify(u)}:{}}).catch(()=>{throw U("offline")});if(d.ok)return d.json();if(d.status===401&&_===0)return a(l,i,u,await r(g),1);if(d.status===401)throw U("token");let v=Number(d.headers.get("retry-after"))||0;if(d.status!==429&&d.status!==503)throw U("failed");if(v>3||_>1)throw U("limited",v||5);return await $e(v+Math.random()),a(l,i,u,g,_+1)},n=l=>{throw l.kind?l:U("token")},r=l=>t(!0,l).catch(n);return async(l,i,u)=>a(l,i,u,await t(!1).catch(n),0)}var ze="http://www.w3.org/2000/svg";function s(e,t={},...a){let n=e==="svg"||e==="path"?document.createElementNS(ze,e):document.createElement(e);for(let[r,l]of Object.entries(t))l===!1||l===null||l===void 0||(r.startsWith("on")?n.addEventListener(r.slice(2),l):n.setAttribute(r,l===!0?"":String(l)));return n.append(...a.flat().filter(r=>r!=null&&r!==!1)),n}var j=(e,t={})=>s("bdi",t,e);function B(e,t){let a=new Set(t);for(let n of[...e.childNodes])a.has(n)||n.remove();for(let[n,r]of t.entries())e.childNodes[n]!==r&&e.insertBefore(r,e.childNodes[n]??null)}function X(e){if(typeof e!="string"||e==="")return;let t=/^[^:/?#\s]*\.[^:/?#.\s]+([/?#]|$)/.test(e)?`https://${e}`:e;try{let a=new URL(t,document.baseURI);return/^https?:$/.test(a.protocol)?a.href:void 0}catch{return}}var re={bell:"M6 9a6 6 0 0 1 12 0c0 6 2.500 7 2.500 7h-17S6 15 6 9M10 19.500a2.200 2.200 0 0 0 4 0",page:"M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",comment:"M4 5h16v11H11l-5 4v-4H4z",like:"M12 20s-7.500-4.600-7.500-10A4.200 4.200 0 0 1 12 7.300 4.200 4.200 0 0 1 19.500 10c0 5.400-7.500 10-7.500 10z",message:"M3.500 6h17v12h-17zM4 7l8 6 8-6",member:"M12 11.500a3.800 3.800 0 1 0 0-7.600 3.800 3.800 0 0 0 0 7.600M4.500 20.500c0-4 3.300-6 7.500-6s7.500 2 7.500 6",workspace:"M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",hotel:"M4 21V6l8-3v18M12 8l8 2v11M2 21h20M7.500 9h1M7.500 13h1M15.500 13h1",settings:"M4 7h9M17 7h3M4 17h3M11 17h9M15 9.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400M9 19.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400",readAll:"M2.500 12.500l4.500 4.500L16 8M11 16l1 1 9.500-9.500",close:"M6 6l12 12M18 6L6 18",back:"M15 5l-7 7 7 7",archive:"M3.500 4h17v4.500h-17zM5 8.500V20h14V8.500M10 12.500h4",restore:"M4 4v6h6M4.600 10a8 8 0 1 1-.3 5",read:"M5 12.500l4.500 4.500L19 7.500",unreadAgain:"M12 16.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9",alert:"M12 8v5M12 16.500v.01M12 3l9.500 17h-19z"},q=e=>s("svg",{class:`icon icon-${e}`,viewBox:"0 0 24 24","aria-hidden":"true"},s("path",{d:re[e]??re.bell})),I=(e,t,a,n={})=>s("button",{type:"button",class:"icon-button","aria-label":t,title:t,onclick:a,...n},q(e));var De=[1008,4403],He=[1013,4429];function ce({url:e,token:t,on:a,gap:n,state:r,invisible:l,pingMs:i=25*1e3,refreshMs:u=600*1e3}){let g=new Map,_=new Map,b=new Map,f=new Set,d,v=[],S,z=0,D=0,P=!1,k=!1,c,m=(y,...O)=>{try{y?.(...O)}catch(C){(globalThis.reportError??console.error)(C)}},x=(y,O)=>v.push(setInterval(()=>O(),y)),M=(y,O,C)=>new Promise((H,R)=>{if(d?.readyState!==1)return R(new Error("not connected"));let N=++D;b.set(N,{resolve:H,reject:R}),d.send(JSON.stringify({event:y,data:O,id:N,offset:C}))}),L=async y=>{let{event:O,data:C}=y,H=await M(O,C===void 0?await t(k):C,y.offset);return y.isIn=!0,y.isLate&&!H.recovered&&m(n,O,C),y.isLate=!1,H},A=({wants:y},O)=>{for(let{refused:C}of y)m(C,O)},o=(y,O=1e3)=>L(y).then(({refused:C})=>{C&&A(y,Object.assign(new Error("Rooms refused"),{statusCode:403,refused:C}))}).catch(C=>{if(!C.statusCode||(A(y,C),C.statusCode<500))return;y.isLate=!0;let H=()=>[..._.values()].includes(y)&&o(y,Math.min(3e4,2*O));v.push(setTimeout(H,O*(.5+Math.random()/2)))}),p=async()=>{try{await L(T),z=0,k=!1;let y=[..._.values()];await Promise.all(y.map(O=>o(O))),T.isIn&&m(r,"open")}catch{d?.readyState===1&&d.close()}},E=y=>{let O=JSON.parse(y),{event:C,data:H,id:R,offset:N,recovered:Y}=O;if(Y||(S=N||C==="ack"&&H.offset||S),N){if(f.has(N))return;f.add(N),f.size>2e3&&f.delete(f.values().next().value)}let V=b.get(R);if(b.delete(R),C==="ack")return V?.resolve(H);if(V)return V.reject(Object.assign(new Error(H.message),H));m(a,C,H,O);for(let Q of g.get(C)??[])m(Q,H,O)},h=()=>{if(P)return;m(r,"connecting");let y=d=new WebSocket(e+(l?"?presence=invisible":"")),O=Date.now();d.onopen=p,d.onmessage=({data:H})=>{O=Date.now(),E(H)};let C=({code:H,reason:R})=>{if(y!==d)return;d=void 0,v.forEach(clearInterval),v=[];for(let F of[T,..._.values()])F.isIn&&(F.offset=S),F.isIn=!1,F.isLate=!0;for(let{reject:F}of b.values())F(new Error("connection lost"));if(b.clear(),P||De.includes(H))return P=!0,m(r,"closed",H,R);k=H===4401;let N=Math.min(3e4,1e3*2**z++);m(r,"waiting",H,R);let Y=k&&z===1,V=Math.min(3e4,4*N)*(1+Math.random()),Q=He.includes(H)?V:N*(.5+Math.random()/2);c=setTimeout(h,Y?0:Q)};d.onclose=C,x(i,()=>{M("ping").catch(()=>{}),!(Date.now()-O<2*i)&&(y.close(),C({code:1006,reason:"silent"}))}),x(u,()=>$.refresh().catch(()=>{}))},w=()=>{d||(clearTimeout(c),h())},T={event:"auth"},$={on(y,O){let C=g.get(y)??new Set;return g.set(y,C.add(O)),()=>C.delete(O)},join(y,O,C){let H=JSON.stringify([y,O]),R=_.get(H)??{event:y,data:O,wants:new Set,isLate:z>0},N={refused:C};return R.wants.add(N),_.set(H,R),T.isIn&&!R.isIn&&o(R),()=>{if(!R.wants.delete(N)||R.wants.size||(_.delete(H),!T.isIn))return;let Y=y.replace(/^join/,"leave").replace(/^subscribeTo/,"unsubscribeFrom");M(Y,O).catch(()=>{})}},send:M,refresh:async()=>M("auth",await t(!0)),close(){P=!0,clearTimeout(c),globalThis.removeEventListener?.("online",w),d?d.close(1e3):m(r,"closed",1e3,"")}};return globalThis.addEventListener?.("online",w),h(),$}var Re=6e4,Ne=2e3,je=4403;function le({inbox:e,base:t,tokens:a,parts:n,emit:r},l){let{store:i,announce:u}=n,g=!1,_=new AbortController,b=(A,o,p)=>A.addEventListener(o,p,{signal:_.signal}),f=!1,d,v,S=new Set,z=(A,o)=>{let p=setTimeout(()=>S.delete(p)&&o(),A);S.add(p)},D=()=>{g||!e.open||(g=!0,z(500+Math.random()*1500,()=>{g=!1,e.open&&i.refresh()}))},P=()=>e.open?i.refresh():i.poll(),k=A=>{n.isPaused=A,n.panel.showPaused(A)},c,m=!1,x=A=>{m=!1,c=ce({url:`${t.replace(/^http/,"ws")}/ws`,token:async o=>v=await a(o,v),invisible:!0,gap:P,state:(o,p)=>{f=o==="open",m=p===je&&o==="closed",(o==="waiting"||o==="closed")&&(d??=setTimeout(k,Ne,!0)),f&&(clearTimeout(d),d=void 0,k(!1),A&&P())}}),c.on("notification:new",(o,{recovered:p})=>{i.arrived(o),D(),p||u(n.t.arrived(o.title)),r("notification-new",{...o,recovered:p===!0})}),c.on("notification:count",({unread:o})=>{o!==void 0&&(o!==i.state.unread&&D(),i.counted(o))}),c.on("notification:read",o=>i.readElsewhere(o))};x(!1),b(document,"pointerdown",A=>A.composedPath().includes(e)||e.hide()),b(window,"resize",()=>l("place")),b(document,"scroll",()=>l("place")),b(window,"online",P),b(window,"pagehide",()=>n.panel.hurry()),b(document,"visibilitychange",()=>document.visibilityState==="visible"&&!f&&P()),b(e.shadowRoot,"keydown",A=>{A.key!=="Escape"||A.defaultPrevented||(n.panel.isSettings()?n.panel.turn(!1):e.hide(),A.stopPropagation())});let M=async()=>{await i.poll()&&m&&!_.signal.aborted&&x(!0)},L=setInterval(()=>{!f&&document.visibilityState==="visible"&&M(),l("times")},Re);return()=>{_.abort(),c.close(),i.end(),clearInterval(L),clearTimeout(d),S.forEach(clearTimeout)}}var de=`:host {
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
`;var Ie=[["day",86400],["hour",3600],["minute",60]],Z=e=>new Date(e.getFullYear(),e.getMonth(),e.getDate()).getTime(),ue=e=>e.charAt(0).toLocaleUpperCase()+e.slice(1);function he(e,t,a=Date.now()){let n=new Intl.RelativeTimeFormat(t,{numeric:"auto",style:"short"}),r=Math.max(0,(a-e.getTime())/1e3),[l,i]=Ie.find(([,u])=>r>=u)??["second",0];return n.format(i?-Math.floor(r/i):0,l)}function pe(e,t,a=new Date){let n=Math.round((Z(e)-Z(a))/864e5);if(n>=-1)return ue(new Intl.RelativeTimeFormat(t,{numeric:"auto"}).format(Math.min(0,n),"day"));let l={weekday:"long",day:"numeric",month:"long",...e.getFullYear()===a.getFullYear()?{}:{year:"numeric"}};return ue(e.toLocaleDateString(t,l))}var fe=(e,t)=>e.toLocaleString(t,{dateStyle:"full",timeStyle:"short"}),ge=(e,t)=>{let a=Z(e)===Z(new Date);return e.toLocaleString(t,a?{timeStyle:"short"}:{dateStyle:"medium",timeStyle:"short"})};function me(e=new Date){let t=new Date(e.getFullYear(),e.getMonth(),e.getDate()+1,8);return Math.round((t.getTime()-e.getTime())/1e3)}var Fe=({firstName:e,lastName:t})=>[e,t].filter(Boolean).join(" "),ve=({firstName:e,lastName:t})=>`${e?.[0]??""}${t?.[0]??""}`.toLocaleUpperCase();function Ue({actor:e,type:t}){if(!e||!ve(e))return s("span",{class:"face",part:"face"},q(t));let a=X(e.photo_url),n=a&&s("img",{src:a,alt:"",loading:"lazy",referrerpolicy:"no-referrer",onerror:()=>n.remove()});return s("span",{class:"face",part:"face"},ve(e),n,s("span",{class:"kind"},q(t)))}function Be(e,t){let a=X(e.data?.url),n=s("span",{class:"dot",part:"dot"}),r=s("span",{class:"hidden"}),l=s("time",{datetime:e.createdAt}),i=j("",{class:"who"}),u=s("span",{class:"picture","aria-hidden":"true"}),g=j(""),_=j(""),b=s("span",{class:"text"},_),f=s(a?"a":"button",{class:"main",part:"item",tabindex:-1,...a?{href:a,rel:"noopener"}:{type:"button"}},u,s("span",{class:"words"},r,s("span",{class:"headline"},g),e.body?b:null,s("span",{class:"facts"},i,l)),n),d=I("read","",()=>t.toggle(P.item),{tabindex:-1,"data-act":"toggle"}),v=I("archive","",()=>t.move(P.item),{tabindex:-1,"data-act":"move"});f.addEventListener("click",k=>t.click(P.item,k,a));let S=s("li",{class:"row","data-id":e.id},f,s("span",{class:"actions"},d,v)),z=(k,c,m)=>{let x=`${m}: ${P.item.title}`;k.getAttribute("aria-label")!==x&&(k.title=m,k.setAttribute("aria-label",x),k.replaceChildren(q(c)))},D,P={item:e,element:S,main:f,stops:[f,d,v],show(k,{t:c,language:m,tab:x}){P.item=k,S.classList.toggle("is-unread",!k.isRead),S.part=k.isRead?"row":"row row-unread",g.textContent!==k.title&&(g.textContent=k.title),_.textContent!==k.body&&(_.textContent=k.body),r.textContent=k.isRead?"":`${c.isUnread}: `;let M=new Date(k.createdAt),L=k.actor?Fe(k.actor):"";i.textContent=L&&!k.title.includes(L)?L:"",l.textContent=he(M,m),l.title=fe(M,m);let A=JSON.stringify(k.actor);A!==D&&u.replaceChildren(Ue(k)),D=A,z(d,k.isRead?"unreadAgain":"read",k.isRead?c.unreadAgain:c.read),d.hidden=x==="archived",z(v,x==="archived"?"restore":"archive",x==="archived"?c.restore:c.archive)}};return P}var be={ArrowDown:1,ArrowUp:-1};function we(e){let t=new Map,a=new Map,n=s("div",{class:"foot",role:"presentation"}),r=s("div",{class:"list",part:"list"},n),l=[],i,u=new IntersectionObserver(f=>f.some(d=>d.isIntersecting)&&e.more(),{root:r,rootMargin:"300px"});u.observe(n);let g=f=>{i=f;for(let[d,{stops:v}]of t)for(let S of v)S.tabIndex=d===f?0:-1},_=(f,d=0)=>{let v=t.get(l[Math.max(0,Math.min(l.length-1,f))]);return v?(g(v.item.id),v.stops[d].focus(),v.element.scrollIntoView({block:"nearest"}),!0):!1};r.addEventListener("focusin",({target:f})=>{let d=f.closest(".row")?.dataset.id;d&&d!==i&&g(d)}),r.addEventListener("keydown",f=>{let{key:d,target:v,altKey:S,ctrlKey:z,metaKey:D}=f,P=v.closest(".row")?.dataset.id,k=t.get(P);if(!k||S||z||D)return;let c=l.indexOf(P);if(d in be)_(c+be[d]);else if(d==="Home")_(0);else if(d==="End")_(l.length-1);else if(d==="Delete")e.move(k.item);else if(d==="ArrowRight"||d==="ArrowLeft"){let m=d==="ArrowRight"==(getComputedStyle(r).direction==="ltr"),x=k.stops.filter(M=>!M.hidden);x[Math.max(0,Math.min(x.length-1,x.indexOf(v)+(m?1:-1)))].focus()}else return;f.preventDefault()});let b=f=>{if(!a.has(f)){let d=s("h3",{id:`day-${crypto.randomUUID()}`},f),v=s("ul",{role:"list","aria-labelledby":d.id});a.set(f,{section:s("section",{part:"day"},d,v),list:v})}return a.get(f)};return{element:r,focus:()=>_(Math.max(0,l.indexOf(i))),leave(f){let d=l.indexOf(f),v=t.get(f)?.element.contains(r.getRootNode().activeElement);return()=>v&&(_(d)||r.dispatchEvent(new Event("emptied")))},show({items:f,tab:d,...v},{t:S,language:z}){let D=new Map,P=new Set(t.keys());for(let c of f){P.delete(c.id);let m=t.get(c.id)??Be(c,e);t.set(c.id,m),m.show(c,{t:S,language:z,tab:d});let x=pe(new Date(c.createdAt),z);D.set(x,[...D.get(x)??[],m.element])}for(let c of P)t.delete(c);for(let c of a.keys())D.has(c)||a.delete(c);l=f.map(c=>c.id);let k=[...D].map(([c,m])=>{let{section:x,list:M}=b(c);return B(M,m),x});B(n,Je(v,f,d,S,e)),B(r,[...k,n]),!t.has(i)&&l.length>0?g(l[0]):g(i),u.unobserve(n),v.isEnd||u.observe(n)}}}function Je({isLoading:e,isEnd:t,problem:a},n,r,l,i){if(a){let u=a.seconds?` ${l.againIn(a.seconds)}`:"",g=s("button",{type:"button",class:"plain",onclick:i.again},l.again);return[s("div",{class:"notice",role:"alert",part:"error"},q("alert"),s("p",{},j(l.problems[a.kind]+u)),g)]}if(e&&n.length===0)return[s("p",{class:"hidden",role:"status"},l.loading),...Array.from({length:5},()=>s("div",{class:"bone"}))];if(e)return[s("p",{class:"end"},l.more)];if(n.length===0){let[u,g]=l.empty[r];return[s("div",{class:"notice",part:"empty"},q(r==="archived"?"archive":"bell"),s("p",{class:"headline"},u),s("p",{},j(g)))]}return t?[s("p",{class:"end"},l.end)]:[]}var _e=e=>typeof e=="object"&&e!==null,ke=(e,t)=>{let a={...e,...t};for(let n of Object.keys(t??{}))_e(e?.[n])&&_e(t[n])&&(a[n]=ke(e[n],t[n]));return a};function ye(e){let t=Promise.resolve(),a=new Set,n=r=>{let l=t.then(r);return t=l.catch(()=>{}),l};return{inTurn:n,send(r,l,i){let u={method:r,to:l,body:i,sent:void 0};return a.add(u),n(()=>(a.delete(u),u.sent??e(r,l,i())))},hurry(){let r=new Map;for(let{method:i,to:u,body:g}of a){let _=r.get(u),b=i==="PATCH"&&_?.method===i;r.set(u,{method:i,body:b?ke(_.body,g()):g()})}let l=new Map([...r].map(([i,{method:u,body:g}])=>[i,e(u,i,g)]));for(let i of a)i.sent=l.get(i.to),i.sent.catch(()=>{});a.clear()}}}function xe(e,t){let a=new Map,n=[],r=(i,u)=>a.get(`${i} ${u}`)??e[i]?.[u]??!0,l=()=>{for(let{element:i,pairs:u}of n){let g=u.filter(([_,b])=>r(_,b)).length;i.checked=g===u.length,i.indeterminate=g>0&&g<u.length}};return{box(i,u,g){let _=i.flatMap(d=>u.map(v=>[d,v])),f=s("input",{type:"checkbox","aria-label":g,onchange:()=>{let d=!_.every(([v,S])=>r(v,S));for(let[v,S]of _)a.set(`${v} ${S}`,d);l(),t(Object.fromEntries(i.map(v=>[v,Object.fromEntries(u.map(S=>[S,d]))])))}});return n.push({element:f,pairs:_}),l(),f}}}var W="/api/v1/preferences",ee=["app","socket","push","email"],Me={news:["page.created","page.updated","page.deleted","page.reminded","comment.created","comment.deleted","like.created"],team:["message.direct","member.registered","member.updated","member.deleted","member.onboarding","workspace.created","workspace.member_joined","workspace.member_left"],hotel:["hotel.created","hotel.updated","hotel.deleted"]},Ye=()=>Intl.supportedValuesOf?Intl.supportedValuesOf("timeZone"):[],Ae=()=>new Intl.DateTimeFormat().resolvedOptions().timeZone,J=(e,t,a)=>s("option",{value:e,selected:a},t);function Te(e,t,a,n){let r=s("input",{type:"checkbox",role:"switch",class:"switch",part:"switch",onchange:()=>n(r.checked)});return r.checked=a,s("label",{class:"setting"},s("span",{class:"words"},s("span",{class:"name"},e),t&&s("span",{class:"hint"},j(t))),r)}function Se(e,t){let a=s("div",{class:"preferences",part:"preferences"}),n,r,l=0,i,{inTurn:u,send:g,hurry:_}=ye(e),b=async()=>{n=await e("GET",W)},f=async(c,m,x=()=>{})=>{l++;try{n=await g(c,m,x)}catch(M){i=M.kind??"failed"}--l>0||(i&&await u(b).catch(()=>{}),!(l>0)&&(t(i??"saved"),i=void 0,k()))},d=c=>f("PATCH",W,c),v=c=>{if(c==="0")return f("DELETE",`${W}/do-not-disturb`);let m=c==="morning"?me():Number(c);return f("POST",`${W}/do-not-disturb`,()=>({duration:m}))},S=({t:c,language:m})=>{let x=n.doNotDisturb&&new Date(n.dndUntil)>new Date,M=s("select",{onchange:()=>v(M.value),"data-key":"dnd"},J("0",c.off,!x));x&&M.append(J("on",c.disturbUntil(ge(new Date(n.dndUntil),m)),!0)),M.append(...Object.entries(c.durations).map(([A,o])=>J(A,o)),J("morning",c.morning));let L=Te(c.silence,c.silenceHint,n.isGlobalSilent,A=>f(A?"POST":"DELETE",`${W}/global-silence`,()=>A?{enabled:!0}:void 0));return te(c.pause,L,s("label",{class:"setting"},s("span",{class:"name"},c.disturb),M))},z=({t:c})=>{let{enabled:m=!1,start:x="22:00",end:M="07:00",timezone:L=Ae()}=n.quietHours??{},A={enabled:m,start:x,end:M,timezone:L},o=y=>d(()=>({quietHours:n.quietHours?y:{...A,...y}})),p=(y,O)=>{let C=s("input",{type:"time",value:A[y],onchange:()=>C.value&&o({[y]:C.value})});return s("label",{class:"field"},O,C)},E=[...new Set([L,Ae(),...Ye()])],h=s("select",{onchange:()=>o({timezone:h.value})},E.map(y=>J(y,y.replaceAll("_"," "),y===L))),w=s("div",{class:"fields"},p("start",c.from),p("end",c.to),s("label",{class:"field wide"},c.zone,h)),T=n.emailDigest==="off"?c.quietHint:c.quietDigestHint,$=Te(c.quiet,T,m,y=>o({enabled:y}));return s("section",{class:"group","aria-label":c.quiet},$,m&&w)},D=({t:c})=>{let m=s("select",{"data-key":"digest",onchange:()=>d(()=>({emailDigest:m.value}))},Object.entries(c.digests).map(([M,L])=>J(M,L,M===n.emailDigest))),x=s("span",{class:"words"},s("span",{class:"name"},c.digest),s("span",{class:"hint"},j(c.digestHint)));return te(c.mails,s("label",{class:"setting stacked"},x,m))},P=({t:c})=>{let m=Object.values(Me).flat(),x=Object.keys(n.categoryPrefs).filter(w=>!m.includes(w)),M=Object.entries({...Me,other:x}).filter(([,w])=>w.length>0),L=M.flatMap(([,w])=>w),{box:A}=xe(n.categoryPrefs,w=>d(()=>({categoryPrefs:w}))),o=w=>c.kinds[w]??w,p=(w,T,$=T)=>s("tr",{},s("th",{scope:"row"},s("label",{},A(w,ee,`${$}: ${c.everyChannel}`),j(T))),ee.map(y=>s("td",{},s("label",{},A(w,[y],`${$}: ${c.channels[y]}`))))),E=s("tr",{},s("th",{scope:"col"},s("span",{class:"hidden"},c.what)),ee.map(w=>s("th",{scope:"col"},c.channels[w]))),h=M.map(([w,T])=>s("tbody",{},s("tr",{class:"group"},s("th",{colspan:5,scope:"colgroup"},c.groups[w])),T.map($=>p([$],o($)))));return te(c.channelsTitle,s("table",{},s("thead",{},E),s("tbody",{class:"every"},p(L,c.everyKind)),h))},k=()=>{if(!n)return;let c=a.getRootNode().activeElement,m=[...a.children],x=m.findIndex(o=>o.contains(c)),M=x<0?-1:ne(m[x]).indexOf(c),{scrollTop:L}=a,A=[S(r),z(r),D(r),P(r)];B(a,A.map((o,p)=>m[p]&&Ee(m[p])===Ee(o)?m[p]:o)),a.scrollTop=L,M>=0&&!c.isConnected&&ne(a.children[x])[M]?.focus({preventScroll:!0})};return{element:a,hurry:_,async open(c){r=c,a.replaceChildren(s("p",{class:"end",role:"status"},r.t.loading));try{await u(b),k()}catch(m){let x=s("button",{type:"button",class:"plain",onclick:()=>this.open(r)},r.t.again);a.replaceChildren(s("div",{class:"notice",role:"alert"},s("p",{},j(r.t.problems[m.kind??"failed"])),x))}}}}var te=(e,...t)=>s("section",{class:"group","aria-label":e},s("h3",{},e),t),ne=e=>[...e.querySelectorAll("input, select, button")],Ee=e=>[e.textContent,...ne(e).map(t=>t.type==="checkbox"?[t.checked,t.indeterminate]:t.value)].join(`
`);var G=["all","unread","archived"],Ve=8;function Ce({store:e,call:t,view:a,clicked:n,close:r,announce:l}){let{t:i}=a,u,g=s("div",{class:"toast",part:"toast",hidden:!0}),_=()=>{d.focus()||D().focus()},b=()=>{clearTimeout(u);let h=g.contains(g.getRootNode().activeElement);g.hidden=!0,h&&_()},f=(h,w)=>{let T=()=>{b(),w()};g.replaceChildren(j(h),...w?[s("button",{type:"button",class:"plain",onclick:T},i.undo)]:[]),g.hidden=!1,l(h),clearTimeout(u);let $=()=>g.matches(":hover, :focus-within")?u=setTimeout($,1e3):b();u=setTimeout($,(w?Ve:3)*1e3)},d=we({click:n,toggle:h=>e.read(h,!h.isRead),async move(h){let w=e.state.tab,T=d.leave(h.id),$=e.move(h);T(),f(w==="archived"?i.restoredNow:i.archivedNow,async()=>{await $,await e.moveBack(h,w)}),await $},more:e.more,again:()=>e.refresh()});d.element.addEventListener("emptied",()=>D().focus());let v=Se(t,h=>f(h==="saved"?i.saved:i.problems[h])),S=s("h2",{id:"title"}),z=G.map(h=>{let w={all:i.all,unread:i.unreadTab,archived:i.archived}[h];return s("button",{type:"button",role:"tab",id:`tab-${h}`,part:"tab","aria-controls":"content",onclick:()=>P(h)},w)}),D=()=>z[G.indexOf(e.state.tab)],P=h=>(d.element.scrollTop=0,e.open(h)),k=s("div",{class:"tabs",role:"tablist","aria-labelledby":"title"},z);k.addEventListener("keydown",h=>{let w=G.indexOf(e.state.tab),T=getComputedStyle(k).direction==="rtl"?"ArrowLeft":"ArrowRight",$={Home:0,End:2}[h.key]??(/^Arrow(Left|Right)$/.test(h.key)?(w+(h.key===T?1:2))%3:void 0);if(h.key==="ArrowDown")d.focus();else{if($===void 0)return;P(G[$]),z[$].focus()}h.preventDefault()});let c=I("readAll",i.readAll,async()=>{await e.readAll()&&f(i.allRead)}),m=I("settings",i.settings,()=>E(!0)),x=I("back",i.back,()=>E(!1)),M=I("close",i.close,r,{class:"icon-button close"}),L=s("p",{class:"paused",role:"status",part:"paused",hidden:!0},i.paused),A=s("div",{id:"content",class:"content",role:"tabpanel"},d.element),o=s("div",{id:"panel",class:"panel",part:"panel",role:"dialog","aria-labelledby":"title",tabindex:-1},s("div",{class:"header",part:"header"},x,S,s("span",{class:"tools"},c,m,M)),k,L,A,v.element,g),p=!1,E=h=>{p=h;for(let w of[c,m,k,A])w.hidden=h;for(let w of[x,v.element])w.hidden=!h;S.textContent=h?i.settings:i.title,h&&v.open(a),(h?x:m).focus()};return E(!1),{element:o,show(h){d.show(h,a);for(let[w,T]of z.entries()){let $=G[w]===h.tab;T.setAttribute("aria-selected",$),T.tabIndex=$?0:-1,$&&A.setAttribute("aria-labelledby",T.id)}c.disabled=h.unread===0},showPaused:h=>{L.hidden=!h},showMessage:f,isSettings:()=>p,hurry:v.hurry,turn:E,focus:_}}var ae="/api/v1/notifications",We={all:"",unread:"&isRead=false",archived:"&isArchived=true"};function Oe(e,t,a){let n={tab:"all",items:[],unread:0,isLoading:!1,isEnd:!1,problem:void 0,language:""},r=0,l=0,i=new Set,u=Promise.resolve(),g=!1,_=new Map,b,f,d=o=>{Object.assign(n,o),t(n)},v=o=>{l++,d({unread:Math.max(0,o)})},S=o=>n.tab!=="unread"||!o.isRead,z=o=>n.items.find(p=>p.id===o),D=async(o,p=3)=>{let E=r;await Promise.allSettled(i);let h=l,w=n.language&&`&language=${n.language}`,T=await e("GET",`${ae}?page=${o}&limit=20${We[n.tab]}${w}`);if(E===r)return h!==l?p>1?D(o,p-1):T:(n.unread=T.meta.unread,T)},P=async o=>{clearTimeout(f);let p=b=r,E;try{await o()}catch(h){E={kind:h.kind??"failed",seconds:h.seconds??0}}p===r&&(b=void 0,E?.seconds&&(f=setTimeout(()=>A.refresh(),E.seconds*1e3)),d({isLoading:!1,problem:E}))},k=({data:o,meta:p})=>o.length===0||p.page>=p.totalPages,c=(o=n.tab)=>(r++,d({tab:o,items:[],isEnd:!1,isLoading:!0,problem:void 0}),P(async()=>{let p=await D(1);p&&Object.assign(n,{items:p.data,isEnd:k(p)})})),m=()=>{if(!(b===r||n.isEnd||n.problem))return d({isLoading:!0}),P(async()=>{let o=await D(Math.floor(n.items.filter(S).length/20)+1);if(!o)return;let p=new Set(n.items.map(E=>E.id));n.items=[...n.items,...o.data.filter(E=>!p.has(E.id))],n.isEnd=k(o)})},x=()=>n.items.length===0?c():(r++,P(async()=>{let o=await D(1);if(!o)return;let p=new Set(o.data.map(T=>T.id)),E=o.data.at(-1)?.createdAt??"",h=n.items.filter(T=>!p.has(T.id)&&(T.createdAt<E||!S(T))),w=[...o.data,...k(o)?h.filter(T=>!S(T)):h];n.items=w.toSorted((T,$)=>T.createdAt<$.createdAt?1:T.createdAt>$.createdAt?-1:0),k(o)&&(n.isEnd=!0)})),M=async(o,p,E,h)=>{E();let w=u.then(()=>e(o,`${ae}/${p}`));u=w.catch(()=>{}),i.add(w);try{return await w}catch(T){h(),a({problem:T.kind??"failed"});return}finally{i.delete(w),i.size===0&&g&&(g=!1,A.poll())}},L=(o,p)=>{o.isRead!==p&&(o.isRead=p,_.set(o.id,Date.now()),n.tab!=="archived"?v(n.unread+(p?-1:1)):d({}))},A={state:n,open:c,more:m,refresh:x,read(o,p){let E=o.isRead,h=()=>L(o,p);return M("PATCH",`${o.id}/${p?"read":"unread"}`,h,()=>L(o,E))},click:o=>M("PATCH",`${o.id}/click`,()=>L(o,!0),()=>{}),readAll(){let[o,p]=[n.items.filter(h=>!h.isRead),n.unread],E=h=>o.forEach(w=>Object.assign(w,{isRead:h}));return M("POST","read-all",()=>(E(!0),v(0)),()=>(E(!1),v(p)))},move(o){let p=n.tab==="archived",E=n.items.indexOf(o),h=o.isRead?0:p?1:-1,w=y=>{let O=n.items.filter(C=>C.id!==o.id);n.items=y>0?O:O.toSpliced(E,0,o),v(n.unread+y*h)},[T,$]=p?["PATCH",`${o.id}/unarchive`]:["DELETE",o.id];return M(T,$,()=>w(1),()=>w(-1))},async moveBack(o,p){let[E,h]=p==="archived"?["DELETE",o.id]:["PATCH",`${o.id}/unarchive`];await M(E,h,()=>{},()=>{}),await x()},arrived(o){z(o.id)||(l++,n.tab!=="archived"&&d({items:[{...o,actor:null,isRead:!1},...n.items]}))},counted(o){i.size>0?g=!0:v(o)},readElsewhere({id:o,unread:p}){if(o===null&&p>0)return x();let E=o===null?void 0:z(o);if(E&&!E.isRead&&Date.now()-(_.get(o)??0)<5e3)return x();i.size>0&&(g=!0);for(let h of n.items)(o===null||h.id===o)&&(h.isRead=!0);i.size>0?d({}):v(p)},async poll(){let o=l,p=await e("GET",`${ae}/unread-count`).catch(()=>{});return p&&o===l&&d({unread:p.count}),p!==void 0},end(){r++,clearTimeout(f)}};return A}var Ge={title:"Notifications",unread:e=>e===0?"no unread":`${e} unread`,all:"All",unreadTab:"Unread",archived:"Archived",readAll:"Mark all as read",settings:"Preferences",back:"Back to notifications",close:"Close",read:"Mark as read",unreadAgain:"Mark as unread",archive:"Archive",restore:"Move to inbox",archivedNow:"Archived",restoredNow:"Moved to inbox",allRead:"All marked as read",undo:"Undo",isUnread:"unread",arrived:e=>`New notification: ${e}`,loading:"Loading",more:"Loading more",end:"No more notifications",empty:{all:["No notifications yet","Activity in your workspaces appears here."],unread:["You\u2019re all caught up","No unread notifications."],archived:["Nothing archived","Archived notifications are kept here."]},problems:{offline:"No connection to the platform.",token:"Your session has expired.",limited:"Too many requests.",failed:"Something went wrong."},again:"Try again",againIn:e=>`Retrying in ${e} s.`,paused:"Live updates are paused",saved:"Saved",pause:"Pause",silence:"Mute everything",silenceHint:"No notifications on any channel, from any workspace.",disturb:"Do not disturb",disturbUntil:e=>`Until ${e}`,off:"Off",durations:{1800:"For 30 minutes",3600:"For 1 hour",14400:"For 4 hours",28800:"For 8 hours"},morning:"Until tomorrow, 8:00",quiet:"Quiet hours",quietHint:"Every day between these times, push notifications and e-mails are discarded; those of reminders and messages wait.",quietDigestHint:"Every day between these times, push notifications are discarded; the digest, reminders and messages wait.",mails:"E-mails",digest:"Frequency",digestHint:"Urgent messages and reminders to read are sent at once.",digests:{off:"One e-mail per notification",daily:"Daily digest, at 8:00",weekly:"Weekly digest, on Monday at 8:00"},everyKind:"Everything",everyChannel:"all channels",from:"From",to:"To",zone:"Time zone",channelsTitle:"Channels",channels:{app:"In app",socket:"Live",push:"Push",email:"E-mail"},what:"Topics",groups:{news:"News",team:"Team",hotel:"Hotel",other:"Other"},kinds:{"page.created":"Pages published","page.updated":"Pages changed","page.deleted":"Pages deleted","page.reminded":"Reminders to read","comment.created":"Comments","comment.deleted":"Comments deleted","like.created":"Reactions","message.direct":"Direct messages","member.registered":"New colleagues","member.updated":"Profiles changed","member.deleted":"Colleagues removed","member.onboarding":"Onboarding","workspace.created":"New workspaces","workspace.member_joined":"Joined a workspace","workspace.member_left":"Left a workspace","hotel.created":"New hotels","hotel.updated":"Hotels changed","hotel.deleted":"Hotels deleted"}},Ke={title:"Notifications",unread:e=>e===0?"aucune non lue":e===1?"1 non lue":`${e} non lues`,all:"Toutes",unreadTab:"Non lues",archived:"Archiv\xE9es",readAll:"Tout marquer comme lu",settings:"Pr\xE9f\xE9rences",back:"Retour aux notifications",close:"Fermer",read:"Marquer comme lue",unreadAgain:"Marquer comme non lue",archive:"Archiver",restore:"D\xE9sarchiver",archivedNow:"Archiv\xE9e",restoredNow:"D\xE9sarchiv\xE9e",allRead:"Tout est marqu\xE9 comme lu",undo:"Annuler",isUnread:"non lue",arrived:e=>`Nouvelle notification : ${e}`,loading:"Chargement",more:"Chargement de la suite",end:"Fin de la liste",empty:{all:["Aucune notification pour l\u2019instant","L\u2019activit\xE9 de vos espaces appara\xEEtra ici."],unread:["Vous \xEAtes \xE0 jour","Aucune notification non lue."],archived:["Aucune archive","Les notifications archiv\xE9es sont conserv\xE9es ici."]},problems:{offline:"Pas de connexion \xE0 la plateforme.",token:"Votre session a expir\xE9.",limited:"Trop de requ\xEAtes.",failed:"Une erreur est survenue."},again:"R\xE9essayer",againIn:e=>`Nouvelle tentative dans ${e} s.`,paused:"Mises \xE0 jour en direct interrompues",saved:"Enregistr\xE9",pause:"Pause",silence:"Tout d\xE9sactiver",silenceHint:"Aucune notification, quels que soient le canal et l\u2019espace.",disturb:"Ne pas d\xE9ranger",disturbUntil:e=>`Jusqu\u2019\xE0 ${e}`,off:"D\xE9sactiv\xE9",durations:{1800:"Pendant 30 minutes",3600:"Pendant 1 heure",14400:"Pendant 4 heures",28800:"Pendant 8 heures"},morning:"Jusqu\u2019\xE0 demain, 8 h",quiet:"Plage de silence",quietHint:"Chaque jour, entre ces heures, les push et les e-mails ne sont pas envoy\xE9s ; ceux des rappels et des messages attendent.",quietDigestHint:"Chaque jour, entre ces heures, les push ne sont pas envoy\xE9s ; le r\xE9capitulatif, les rappels et les messages attendent.",mails:"E-mails",digest:"Fr\xE9quence",digestHint:"Les messages urgents et les rappels de lecture sont envoy\xE9s tout de suite.",digests:{off:"Un e-mail par notification",daily:"R\xE9capitulatif quotidien, \xE0 8 h",weekly:"R\xE9capitulatif hebdomadaire, le lundi \xE0 8 h"},everyKind:"Tout",everyChannel:"tous les canaux",from:"De",to:"\xC0",zone:"Fuseau horaire",channelsTitle:"Canaux",channels:{app:"Appli",socket:"Direct",push:"Push",email:"E-mail"},what:"Sujets",groups:{news:"Actualit\xE9s",team:"\xC9quipe",hotel:"H\xF4tel",other:"Autres"},kinds:{"page.created":"Pages publi\xE9es","page.updated":"Pages modifi\xE9es","page.deleted":"Pages supprim\xE9es","page.reminded":"Rappels de lecture","comment.created":"Commentaires","comment.deleted":"Commentaires supprim\xE9s","like.created":"R\xE9actions","message.direct":"Messages directs","member.registered":"Nouveaux coll\xE8gues","member.updated":"Profils modifi\xE9s","member.deleted":"Coll\xE8gues retir\xE9s","member.onboarding":"Int\xE9gration","workspace.created":"Nouveaux espaces","workspace.member_joined":"Arriv\xE9es dans un espace","workspace.member_left":"D\xE9parts d\u2019un espace","hotel.created":"Nouveaux h\xF4tels","hotel.updated":"H\xF4tels modifi\xE9s","hotel.deleted":"H\xF4tels supprim\xE9s"}},Pe=e=>/^fr\b/i.test(e)?Ke:Ge;var K=8,Le=new CSSStyleSheet;Le.replaceSync(de);var oe=class extends HTMLElement{static observedAttributes=["src","lang","token","inline"];#a=this.attachShadow({mode:"open"});#n;#o=[];#e;#c;#t=!1;constructor(){super(),this.#a.adoptedStyleSheets=[Le]}get token(){return this.#n}set token(t){let a=this.#o.length>0;this.#n=t;for(let n of this.#o.splice(0))n(typeof t=="function"?t(!0):t);a||this.#s()}get unread(){return this.#e?.store.state.unread??0}get open(){return this.#t}connectedCallback(){if(Object.hasOwn(this,"token")&&(this.#n=this.token,delete this.token),document.readyState==="complete")return this.#s();let t=()=>this.#e||this.#s();document.addEventListener("DOMContentLoaded",t,{once:!0}),addEventListener("load",t,{once:!0})}disconnectedCallback(){this.#h()}attributeChangedCallback(t,a,n){a!==n&&this.#e&&this.#s()}show(){!this.#e||this.#t||(this.#u(),this.#e.panel.element.focus({preventScroll:!0}))}hide(){if(!this.#t||this.hasAttribute("inline"))return;let{panel:t,bell:a}=this.#e,n=t.element.contains(this.#a.activeElement);this.#t=!1,t.element.hidePopover?.(),this.#r(),n&&a.focus(),t.isSettings()&&t.turn(!1)}#u(){this.#t=!0;let t=this.#e;this.hasAttribute("inline")||t.panel.element.showPopover?.(),this.#d(),this.#r();let a=()=>this.#t&&this.#a.activeElement===t.panel.element;t.store.open().then(()=>a()&&t.panel.focus())}#f=t=>{if(typeof this.#n=="function")return this.#n(t);let a=this.#n??this.getAttribute("token");return a&&!t?a:new Promise(n=>{this.#o.push(n);let r=l=>{typeof l=="string"&&(this.#n=l),this.#o=this.#o.filter(i=>i!==n),n(l)};this.#i("token-needed",{fresh:t,provide:r})})};#i(t,a){return this.dispatchEvent(new CustomEvent(t,{detail:a,bubbles:!0,composed:!0,cancelable:!0}))}#h(){this.#c?.(),this.#c=void 0,this.#e=void 0,this.#t=!1,this.#o=[],this.#a.replaceChildren()}#s(){if(this.#h(),!this.isConnected)return;let t=new URL(this.getAttribute("src")||"/",import.meta.url).href.replace(/\/$/,""),a=ie(this.#f),n=se(t,a),r=s("span",{class:"badge",part:"badge",hidden:!0,"aria-hidden":"true"}),l=s("button",{type:"button",class:"bell",part:"bell","aria-haspopup":"dialog","aria-controls":"panel",onclick:()=>this.#t?this.hide():this.show()},q("bell"),r),i=s("p",{class:"hidden","aria-live":"polite",role:"status"}),u=Oe(n,b=>this.#l(b),({problem:b})=>_.panel.showMessage(_.t.problems[b])),_={store:u,call:n,bell:l,badge:r,voice:i,announce:b=>{i.textContent=b},shown:void 0,isPaused:!1};this.#e=_,this.#p(),this.#c=le({inbox:this,base:t,tokens:a,parts:_,emit:this.#i.bind(this)},b=>{b==="place"?this.#d():this.#l(u.state)}),this.#l(u.state),this.hasAttribute("inline")?this.#u():u.poll(),this.lang||this.#g(_)}async#g(t){let a=await t.call("GET","/api/v1/preferences").catch(()=>{});this.#e===t&&(t.spoken=a?.language,this.#p())}#m({spoken:t}){let a=this.closest("[lang]")?.lang||navigator.language,n=this.lang||(t&&!a.startsWith(t)?t:a);return/^(fr|en)\b/i.test(n)?n:"en"}#p(){let t=this.#e,{store:a,call:n,bell:r,voice:l,announce:i}=t,u=this.#m(t);if(t.language===u)return;a.state.language=this.lang?u.slice(0,2).toLowerCase():"";let g=Pe(u),b=Ce({store:a,call:n,view:{t:g,language:u},clicked:(d,v,S)=>{let{id:z,type:D,category:P,title:k,body:c,data:m,actor:x,createdAt:M}=d;a.click(d);let L=this.#i("notification-click",{id:z,type:D,category:P,title:k,body:c,data:m,actor:x,createdAt:M});S&&!L&&v.preventDefault(),this.hide()},close:()=>this.hide(),announce:i});b.element.lang=u,r.lang=u,l.lang=u,this.hasAttribute("inline")?b.element.role="region":b.element.popover="manual";let f=t.panel?.element.contains(this.#a.activeElement);this.#a.replaceChildren(r,b.element,l),Object.assign(t,{panel:b,t:g,language:u}),b.showPaused(t.isPaused),this.#r(),this.#t&&(this.hasAttribute("inline")||b.element.showPopover?.(),this.#d(),b.show(a.state),f&&b.element.focus({preventScroll:!0}))}#l(t){let a=this.#e;if(!a||(this.#t&&a.panel.show(t),a.shown===t.unread))return;let n=a.shown===void 0;a.shown=t.unread,a.badge.textContent=t.unread>99?"99+":t.unread,a.badge.hidden=t.unread===0,this.#r(),n||this.#i("unread-change",{unread:t.unread})}#r(){let{bell:t,t:a,store:n}=this.#e;t.setAttribute("aria-label",`${a.title}, ${a.unread(n.state.unread)}`),t.setAttribute("aria-expanded",this.#t),this.toggleAttribute("open",this.#t)}#d(){if(!this.#t||this.hasAttribute("inline"))return;let{bell:t,panel:a}=this.#e,{style:n,offsetWidth:r}=a.element,{left:l,right:i,top:u,bottom:g}=t.getBoundingClientRect(),_=u>innerHeight-g&&innerHeight-g<400,b=l+i>innerWidth?i-r:l;n.left=`${Math.max(K,Math.min(innerWidth-r-K,b))}px`,n.top=_?"auto":`${g+K}px`,n.bottom=_?`${innerHeight-u+K}px`:"auto",n.setProperty("--_room",`${(_?u:innerHeight-g)-2*K}px`)}};customElements.get("platform-inbox")||customElements.define("platform-inbox",oe);
