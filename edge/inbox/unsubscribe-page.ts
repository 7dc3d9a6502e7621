import { createHash } from 'node:crypto'
import { createClient, type Transport } from '@connectrpc/connect'
import { type Request, type Response, Router } from 'express'
import { PreferenceService } from '../../gen/platform/notification/v1/preferences_pb.ts'
import { toPlatformError } from '../../services/kernel/base/errors.ts'
import { retryAfterOf } from '../http/errors.ts'
import { noDevices } from '../http/policies.ts'
import { setRequestId } from '../http/request-id.ts'
import { rpcHeaders } from '../rest/credentials.ts'

const path = '/api/v1/preferences/unsubscribe/:token'

type Language = 'fr' | 'en'
type State = 'asked' | 'done' | 'refused' | 'failed'

const texts: Record<Language, Record<State | 'title' | 'button', string>> = {
  fr: {
    title: 'E-mails de notification',
    asked: 'Voulez-vous vous désabonner des e-mails de ce type ?',
    button: 'Me désabonner',
    done: 'Vous ne recevrez plus les e-mails de ce type. Vous pouvez les réactiver dans vos préférences.',
    refused: 'Ce lien n’est plus valide.',
    failed: 'La demande n’a pas pu être traitée. Réessayez dans un instant.',
  },
  en: {
    title: 'Notification e-mails',
    asked: 'Unsubscribe from e-mails of this type?',
    button: 'Unsubscribe',
    done: 'You will no longer receive e-mails of this type. You can turn them on again in your preferences.',
    refused: 'This link is invalid.',
    failed: 'Your request could not be processed. Try again in a moment.',
  },
}

const style =
  ':root{color-scheme:light dark}' +
  'body{font:1rem/1.5 system-ui,sans-serif;color:light-dark(#1b212b,#eef1f5);background:light-dark(#f2f4f7,#0e1217);margin:0}' +
  'main{max-width:30rem;box-sizing:border-box;margin:12vh auto;padding:1.5rem}h1{font-size:1.4rem}' +
  'button{font:inherit;font-weight:600;min-height:2.75rem;padding:.6rem 1.25rem;border:0;border-radius:6px;' +
  'background:#1e40af;color:#fff}button:focus-visible{outline:2px solid;outline-offset:2px}'
const styleDigest = createHash('sha256').update(style).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${styleDigest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

function page(language: Language, state: State): string {
  const { title, button, [state]: text } = texts[language]
  const form = `<form method="post" action="?page=${language}"><button>${button}</button></form>`
  return (
    `<!doctype html><html lang="${language}" dir="ltr"><head><meta charset="utf-8"><title>${title}</title>` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><style>${style}</style></head>` +
    `<body><main><h1>${title}</h1><p role="status">${text}</p>${state === 'asked' || state === 'failed' ? form : ''}</main></body></html>`
  )
}

const send = (response: Response, status: number, language: Language, state: State): void =>
  void response
    .status(status)
    .set({
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'Permissions-Policy': noDevices,
      // The URL holds the token.
      'Referrer-Policy': 'no-referrer',
    })
    .type('html')
    .send(page(language, state))

/** The language of the mail, else the browser's preferred one. */
function languageOf(request: Request, requested: string | null): Language {
  if (requested === 'fr' || requested === 'en') return requested
  return request.acceptsLanguages('fr', 'en') === 'en' ? 'en' : 'fr'
}

const queryOf = ({ url }: Request): URLSearchParams => new URL(url, 'http://edge').searchParams

/**
 * The page behind the unsubscribe link of mails. GET shows one button and changes nothing, since mail programs fetch
 * links. The button posts back to the page; a POST without `page` is the one-click form of RFC 8058, which the REST
 * route answers.
 */
export function unsubscribeRoutes(transport: Transport): Router {
  const client = createClient(PreferenceService, transport)
  const router = Router()
  router.get(path, (request, response) =>
    send(response, 200, languageOf(request, queryOf(request).get('lang')), 'asked'),
  )
  router.post(path, async (request, response, next) => {
    const pageLanguage = queryOf(request).get('page')
    if (pageLanguage === null) return next()
    const language = languageOf(request, pageLanguage)
    const headers = rpcHeaders(request, setRequestId(request, response))
    try {
      await client.unsubscribe({ token: String(request.params['token']) }, { headers })
      send(response, 200, language, 'done')
    } catch (thrown) {
      const error = toPlatformError(thrown)
      const { status } = error.info
      response.set(retryAfterOf(error))
      send(response, status, language, status === 429 || status >= 500 ? 'failed' : 'refused')
    }
  })
  return router
}
