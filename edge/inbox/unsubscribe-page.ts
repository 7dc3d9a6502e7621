import { createHash } from 'node:crypto'
import { type Client, createClient, type Transport } from '@connectrpc/connect'
import { type Request, type Response, Router } from 'express'
import { PreferenceService } from '../../gen/platform/notification/v1/preferences_pb.ts'
import { toRpcError } from '../../services/kernel/base/errors.ts'
import { escapeHtml } from '../../services/kernel/base/text.ts'
import { retryAfterOf } from '../http/errors.ts'
import { noDevices } from '../http/policies.ts'
import { requestIdFrom } from '../http/request-id.ts'
import { rpcHeaders } from '../rest/credentials.ts'
import en from './assets/en.json' with { type: 'json' }
import fr from './assets/fr.json' with { type: 'json' }
import kinds from './assets/topics.json' with { type: 'json' }
import texts from './assets/unsubscribe.json' with { type: 'json' }

const path = '/api/v1/preferences/unsubscribe/:token'

type Language = 'fr' | 'en'
type State = 'question' | 'confirmation' | 'refused' | 'failed'

const style =
  ':root{color-scheme:light dark}' +
  'body{font:1rem/1.5 system-ui,sans-serif;color:light-dark(#1b212b,#eef1f5);background:light-dark(#f2f4f7,#0e1217);margin:0}' +
  'main{max-width:30rem;box-sizing:border-box;margin:12vh auto;padding:1.5rem}h1{font-size:1.4rem}' +
  'button{font:inherit;font-weight:600;min-height:2.75rem;padding:.6rem 1.25rem;border:0;border-radius:6px;' +
  'background:#1e40af;color:#fff}button:focus-visible{outline:2px solid;outline-offset:2px}'
const styleDigest = createHash('sha256').update(style).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${styleDigest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

/** What a link ends, and who sent the mail; neither is known of an invalid one. */
type Subject = { category?: string | undefined; hotelName?: string | undefined }

/** When the notifications of a category are sent, as the preferences say it. */
function topicOf(category: string, language: Language): string | undefined {
  const topic = Object.entries(kinds).find(([, categories]) => categories.includes(category))?.[0]
  const topics: Record<string, string> = { fr, en }[language].topics
  return topic && (language === 'fr' ? `«\u00a0${topics[topic]}\u00a0»` : `“${topics[topic]}”`)
}

function page(language: Language, state: State, { category = '', hotelName }: Subject): string {
  const words = texts[language]
  const { button, platform, digest, other } = words
  const kind = category === 'digest' ? digest : (topicOf(category, language) ?? other)
  const title = escapeHtml(words.title.replace('{sender}', () => hotelName ?? platform))
  const text = words[state].replace('{kind}', () => kind)
  const form = `<form method="post" action="?page=${language}"><button>${button}</button></form>`
  return (
    `<!doctype html><html lang="${language}" dir="ltr"><head><meta charset="utf-8"><title>${title}</title>` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><style>${style}</style></head>` +
    `<body><main><h1>${title}</h1><p role="status">${text}</p>${state === 'question' || state === 'failed' ? form : ''}</main></body></html>`
  )
}

type UnsubscribePage = Subject & { status: number; language: Language; state: State }

const send = (response: Response, { status, language, state, ...subject }: UnsubscribePage): void =>
  void response
    .status(status)
    .set({
      'Content-Security-Policy': policy,
      'Permissions-Policy': noDevices,
      // The URL holds the token.
      'Referrer-Policy': 'no-referrer',
    })
    .type('html')
    .send(page(language, state, subject))

/** The language of the mail, else the browser's preferred one. */
function languageOf(request: Request, requested: string | null): Language {
  if (requested === 'fr' || requested === 'en') return requested
  return request.acceptsLanguages('fr', 'en') === 'en' ? 'en' : 'fr'
}

const tokenOf = (request: Request): string => String(request.params['token'])

const queryOf = ({ url }: Request): URLSearchParams => new URL(url, 'http://edge').searchParams

/**
 * The page behind the unsubscribe link of mails. GET shows one button and changes nothing, since mail programs fetch
 * links. The button posts back to the page; a POST without `page` is the one-click form of RFC 8058, which the REST
 * route answers.
 * @param preferences describes links, as the platform
 */
export function unsubscribeRoutes(transport: Transport, preferences: Client<typeof PreferenceService>): Router {
  const client = createClient(PreferenceService, transport)
  const router = Router()
  /** Without an answer the page still works. */
  const subjectOf = (request: Request): Promise<Subject> =>
    preferences.describeUnsubscription({ token: tokenOf(request) }).catch(() => ({}))
  router.get(path, async (request, response) => {
    const language = languageOf(request, queryOf(request).get('lang'))
    send(response, { ...(await subjectOf(request)), status: 200, language, state: 'question' })
  })
  router.post(path, async (request, response, next) => {
    const pageLanguage = queryOf(request).get('page')
    if (pageLanguage === null) return next()
    const language = languageOf(request, pageLanguage)
    const headers = rpcHeaders(request, requestIdFrom(request))
    try {
      const subject = await client.unsubscribe({ token: tokenOf(request) }, { headers })
      send(response, { ...subject, status: 200, language, state: 'confirmation' })
    } catch (thrown) {
      const error = toRpcError(thrown)
      const { status } = error.info
      response.set(retryAfterOf(error))
      send(response, { status, language, state: status === 429 || status >= 500 ? 'failed' : 'refused' })
    }
  })
  return router
}
