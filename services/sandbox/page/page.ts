import { Router } from 'express'
import { providers, type SandboxState, type SentMail } from '../state.ts'
import { badge, escape, factList, type PageSection, show, table, time, unfold } from './html.ts'
import { style } from './style.ts'

// A mail is untrusted HTML: no scripts, pictures of this machine alone, links only into a new window.
const mailCsp =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; " +
  "img-src data: http://localhost:* http://127.0.0.1:*; base-uri 'self'"

const names: Record<(typeof providers)[number], string> = {
  email: 'E-mail',
  onesignal: 'OneSignal',
  fcm: 'FCM',
  webpush: 'Web push',
  chat: 'Chat',
  payment: 'Payment',
  weather: 'Weather',
  storage: 'Storage',
  errors: 'Errors',
}
const maxRows = { Mails: 200, Pushes: 200, Calls: 200 }

/** The page that shows what the platform sent: mails with their links, pushes, and the last calls to each provider. */
export function pageRoutes(state: SandboxState): Router {
  const router = Router()
  const counts = (): Record<PageSection, number> => ({
    Mails: state.mails.items.length,
    Pushes: state.pushes.items.length,
    Calls: state.requests.items.length,
  })

  router.get('/', (req, res) => {
    res.vary('Accept')
    if (req.accepts(['json', 'html']) !== 'html')
      return void res.json({ name: 'Hospitality platform', service: 'sandbox', health: '/health' })
    const rows = state.mails.items
      .slice(-maxRows.Mails)
      .reverse()
      .map(mail => [
        time(mail.receivedAt),
        escape(mail.to.join(', ')),
        `<a href="/mails/${encodeURIComponent(mail.id)}">${escape(mail.subject || '(no subject)')}</a>`,
      ])
    const main = `<h1>Mails</h1>${table(['Time (UTC)', 'To', 'Subject'], rows, 'No mail yet. Mails sent by the platform appear here.')}`
    show(res, { title: 'Mails', place: 'Mails', main, counts: counts() })
  })

  router.get('/pushes', (_req, res) => {
    const rows = state.pushes.items
      .slice(-maxRows.Pushes)
      .reverse()
      .map(push => [
        time(push.receivedAt),
        badge(names[push.provider]),
        escape(push.to.join(', ')),
        unfold(`<strong>${escape(push.title)}</strong>${push.body ? `<br>${escape(push.body)}` : ''}`, push.data),
      ])
    const main = `<h1>Pushes</h1>${table(['Time (UTC)', 'Provider', 'To', 'Message'], rows, 'No pushes yet.')}`
    show(res, { title: 'Pushes', place: 'Pushes', main, counts: counts() })
  })

  router.get('/calls', (req, res) => {
    const chosenProvider = providers.find(name => name === req.query['provider'])
    const rows = state.requests.items
      .filter(({ provider }) => chosenProvider === undefined || provider === chosenProvider)
      .slice(-maxRows.Calls)
      .reverse()
      .map(call => [
        time(call.receivedAt),
        badge(names[call.provider]),
        unfold(`<strong>${escape(call.method)}</strong> ${escape(call.path)}`, call.body),
      ])
    const option = (text: string, path: string, isChosen: boolean) =>
      `<li><a class="badge" href="${path}"${isChosen ? ' aria-current="true"' : ''}>${text}</a></li>`
    const filter = [
      option('All', '/calls', chosenProvider === undefined),
      ...providers.map(name => option(names[name], `/calls?provider=${name}`, name === chosenProvider)),
    ]
    const main = `<h1>Calls</h1><ul class="filter">${filter.join('')}</ul>${table(['Time (UTC)', 'Provider', 'Call'], rows, 'No calls yet.')}`
    show(res, { title: 'Calls', place: 'Calls', main, counts: counts() })
  })

  router.get('/mails/:id', (req, res) => {
    const mail = find(state, req.params.id)
    const frame = { place: 'Mails' as const, counts: counts() }
    if (!mail) {
      const main = '<h1>Mail not found</h1><p><a href="/">All mails</a></p>'
      return show(res.status(404), { title: 'Not found', main, ...frame })
    }
    const links = linksOf(mail).map(
      link => `<li><a href="${escape(link)}" rel="noreferrer noopener">${escape(link)}</a></li>`,
    )
    const id = encodeURIComponent(mail.id)
    const parts = [
      `<h1>${escape(mail.subject || '(no subject)')}</h1>`,
      factList([
        ['From', escape(mail.from)],
        ['To', escape(mail.to.join(', '))],
        ['Time', `${time(mail.receivedAt)} UTC, over ${mail.via === 'smtp' ? 'SMTP' : 'HTTP'}`],
      ]),
      links.length > 0 ? `<h2>Links</h2><div class="card"><ul class="links">${links.join('')}</ul></div>` : '',
      mail.html
        ? `<h2>Message</h2><div class="card"><iframe title="Message" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/mails/${id}/html"></iframe></div>`
        : '',
      mail.text ? `<h2>Text</h2><div class="card"><pre>${escape(mail.text)}</pre></div>` : '',
    ]
    show(res, { title: mail.subject || 'Mail', main: parts.join(''), ...frame })
  })

  router.get('/mails/:id/html', (req, res) => {
    const mail = find(state, req.params.id)
    if (!mail) return void res.status(404).end()
    res.set('Content-Security-Policy', mailCsp).type('html').send(`<!doctype html><base target="_blank">${mail.html}`)
  })
  router.get('/_page.css', (_req, res) => void res.type('css').send(style))
  return router
}

const find = (state: SandboxState, id: string): SentMail | undefined => state.mails.items.find(mail => mail.id === id)

/** The distinct http(s) links in a mail's HTML and text. */
function linksOf(mail: Pick<SentMail, 'html' | 'text'>): string[] {
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
