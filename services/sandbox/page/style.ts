/** Styles of the page: system fonts, light or dark by the system setting, one column on a phone. */
export const style = `:root{color-scheme:light dark;--ink:#1b2430;--quiet:#5a6778;--line:#dfe4ea;--ground:#f5f7f9;--card:#fff;--link:#0a58b5;--mark:#e8f0fb}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--quiet:#9aa7b8;--line:#2c3542;--ground:#12171e;--card:#1a212b;--link:#7db4ff;--mark:#1f2f45}}
*{box-sizing:border-box}body{margin:0;font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
header{background:var(--card);border-bottom:1px solid var(--line)}
header>div,main{max-width:68rem;margin:0 auto;padding:0 1.25rem}
header>div{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 1.5rem;padding-top:.9rem}
header strong{font-size:1.05rem}header p{margin:0;color:var(--quiet)}
nav{display:flex;gap:1.25rem;flex-basis:100%}nav a{padding:.55rem 0;text-decoration:none;border-bottom:3px solid transparent;color:var(--quiet)}
nav a[aria-current]{color:var(--ink);border-color:var(--link);font-weight:600}nav a:hover{color:var(--ink)}
main{padding-top:1.5rem;padding-bottom:3rem}h1{font-size:1.35rem;line-height:1.3;margin:0 0 1rem}h2{font-size:1rem;margin:1.75rem 0 .5rem}
a{color:var(--link)}:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:2px}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;overflow:hidden}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.6rem .9rem;border-top:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
thead th{border-top:0;background:var(--ground);color:var(--quiet);font-weight:600;font-size:.85rem}tbody th{color:var(--quiet);font-weight:600;width:7rem}
td{min-width:9rem}td:nth-child(2){overflow-wrap:break-word}td:first-child time{white-space:nowrap;color:var(--quiet)}.badge{display:inline-block;padding:.05rem .5rem;border-radius:999px;background:var(--mark);font-size:.85rem;white-space:nowrap}
iframe{display:block;width:100%;height:24rem;resize:vertical;border:0;background:#fff}pre{margin:0;padding:.9rem;white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.5 ui-monospace,monospace}
summary{cursor:pointer;overflow-wrap:anywhere}details pre{margin-top:.5rem;background:var(--ground);border-radius:6px}
ul.links{margin:0;padding:.75rem .9rem .75rem 2rem}.empty{padding:2.5rem 1rem;text-align:center;color:var(--quiet);margin:0}
.filter{display:flex;flex-wrap:wrap;gap:.5rem;margin:0 0 1rem;padding:0;list-style:none}.filter a{text-decoration:none;color:var(--ink)}.filter a[aria-current]{outline:2px solid var(--link)}
@media(max-width:40rem){thead{position:absolute;left:-9999px}tbody tr{display:block;padding:.4rem 0;border-top:1px solid var(--line)}tbody tr:first-child{border-top:0}td,tbody th{display:block;border:0;padding:.15rem .9rem;width:auto}}`
