import { type Response, Router } from 'express'
import type { Mail, State } from './state.ts'

const pageCsp =
  "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
// A mail is a stranger's HTML: no script, nothing fetched, links only into a new window.
const mailCsp =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'self'"

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1c2430;background:#fff}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #d9dfe7;vertical-align:top;overflow-wrap:anywhere}
th{font-weight:600;color:#4a5667}a{color:#0b57b0}iframe{width:100%;height:32rem;border:1px solid #b9c3d0;border-radius:6px}
pre{white-space:pre-wrap;background:#f4f6f9;padding:1rem;border-radius:6px}.empty{color:#4a5667}`

/** The page where a person reads what the platform sent: mails with their links, pushes, and the last calls to each provider. */
export function pageRoutes(state: State): Router {
  const router = Router()
  router.get('/', (_req, res) => {
    const mails = state.mails.items.slice(-200).reverse()
    const pushes = state.pushes.items.slice(-100).reverse()
    const calls = state.requests.items.slice(-50).reverse()
    show(
      res,
      'Inbox',
      `<h1>Inbox</h1>
${table(
  ['Time', 'To', 'Subject'],
  mails.map(mail => [
    time(mail.at),
    escape(mail.to.join(', ')),
    `<a href="/mails/${encodeURIComponent(mail.id)}">${escape(mail.subject || '(no subject)')}</a>`,
  ]),
  'No mail yet.',
)}
<h2>Pushes</h2>
${table(
  ['Time', 'Provider', 'To', 'Title', 'Text'],
  pushes.map(push => [time(push.at), push.provider, escape(push.to.join(', ')), escape(push.title), escape(push.body)]),
  'No push yet.',
)}
<h2>Last calls</h2>
${table(
  ['Time', 'Provider', 'Call'],
  calls.map(call => [time(call.at), call.provider, escape(`${call.method} ${call.path}`)]),
  'No call yet.',
)}`,
      true,
    )
  })
  router.get('/mails/:id', (req, res) => {
    const mail = find(state, req.params.id)
    if (!mail) return show(res.status(404), 'Not found', '<h1>This mail is not here</h1><p><a href="/">Inbox</a></p>')
    const links = linksOf(mail).map(
      link => `<li><a href="${escape(link)}" rel="noreferrer noopener">${escape(link)}</a></li>`,
    )
    const id = encodeURIComponent(mail.id)
    show(
      res,
      mail.subject,
      `<p><a href="/">Inbox</a></p><h1>${escape(mail.subject || '(no subject)')}</h1>
<table><tr><th>From</th><td>${escape(mail.from)}</td></tr><tr><th>To</th><td>${escape(mail.to.join(', '))}</td></tr><tr><th>Time</th><td>${time(mail.at)}</td></tr></table>
${links.length > 0 ? `<h2>Links</h2><ul>${links.join('')}</ul>` : ''}
${mail.html ? `<h2>Message</h2><iframe title="Message" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/mails/${id}/html"></iframe>` : ''}
${mail.text ? `<h2>Text</h2><pre>${escape(mail.text)}</pre>` : ''}`,
    )
  })
  router.get('/mails/:id/html', (req, res) => {
    const mail = find(state, req.params.id)
    if (!mail) return void res.status(404).end()
    res.set('Content-Security-Policy', mailCsp).type('html').send(`<!doctype html><base target="_blank">${mail.html}`)
  })
  router.get('/_page.css', (_req, res) => void res.type('css').send(style))
  return router
}

const find = (state: State, id: string): Mail | undefined => state.mails.items.find(mail => mail.id === id)

function show(res: Response, title: string, main: string, refresh = false) {
  res
    .set('Content-Security-Policy', pageCsp)
    .type('html')
    .send(`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">${refresh ? '<meta http-equiv="refresh" content="10">' : ''}
<title>${escape(title)} · sandbox</title><link rel="stylesheet" href="/_page.css"></head><body><main>${main}</main></body></html>`)
}

function table(heads: string[], rows: string[][], empty: string): string {
  if (rows.length === 0) return `<p class="empty">${empty}</p>`
  const cells = (row: string[]) => `<tr>${row.map(cell => `<td>${cell}</td>`).join('')}</tr>`
  return `<table><thead><tr>${heads.map(head => `<th>${head}</th>`).join('')}</tr></thead><tbody>${rows.map(cells).join('')}</tbody></table>`
}

/** The http(s) links of a mail, from its HTML and its text, each once. */
export function linksOf(mail: Pick<Mail, 'html' | 'text'>): string[] {
  const html = [...mail.html.matchAll(/href\s*=\s*["']([^"']{1,2000})["']/gi)].map(match => unescape(match[1] ?? ''))
  const text = [...mail.text.matchAll(/https?:\/\/[^\s<>"']{1,2000}/g)].map(match => match[0].replace(/[.,;)]+$/, ''))
  return [...new Set([...html, ...text])].filter(link => /^https?:\/\//i.test(link) && URL.canParse(link)).slice(0, 50)
}

const unescape = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const time = (at: string): string =>
  `<time datetime="${escape(at)}">${escape(at.slice(0, 19).replace('T', ' '))}</time>`
