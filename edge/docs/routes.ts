import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Request, type Response, Router } from 'express'
import type { RestService } from '../../gen/catalogue.ts'
import { NotFoundError } from '../../services/kernel/base/errors.ts'
import { listeners } from '../config.ts'
import { sendError } from '../http/errors.ts'
import { noDevices } from '../http/policies.ts'
import { setRequestId } from '../http/request-id.ts'
import { documentOf, etagOf } from './documents.ts'
import { asyncApiText, eventsPage } from './events-page.ts'
import { docsPage } from './page.ts'

const ownAssets = fileURLToPath(new URL('assets', import.meta.url))
const swaggerUi = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))

/**
 * Scripts and styles of the page, and their folders. Of Swagger UI these files are served; none of its code runs here.
 */
const assets = new Map([
  ['docs.css', ownAssets],
  ['docs.js', ownAssets],
  ['swagger-ui.css', swaggerUi],
  ['swagger-ui-bundle.js', swaggerUi],
  ['favicon-32x32.png', swaggerUi],
])

/** Nothing from other origins, nothing inline, no frames; pictures in style sheets are data URLs. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Permissions-Policy': noDevices,
  'Cache-Control': 'no-cache',
}

const asyncApiEtag = etagOf(asyncApiText)
/** The page of events, built on the first request. */
let events: string | undefined

/**
 * GET /openapi.json and the interactive page at /docs/. Where several services share a listener, ?service=NAME selects
 * one, as at /health; /openapi.json without it holds all. On every port also /asyncapi.json and its page at
 * /docs/events/.
 * @param showLegacy the legacy version's documents are shown in development only
 */
export function docsRoutes(services: RestService[], showLegacy: boolean): Router {
  const router = Router()
  const documented = services.filter(name => showLegacy || name !== 'legacyauth')
  if (documented.length === 0) return router

  /** The services that a request names, or undefined after a 404. */
  const requestedServices = (request: Request, response: Response): RestService[] | undefined => {
    const name = new URLSearchParams(request.url.split('?')[1] ?? '').get('service')
    const requested = documented.filter(one => name === null || [one, listeners[one].health].includes(name))
    if (requested.length > 0) return requested
    sendError(response, new NotFoundError('Document not found'), setRequestId(request, response))
    return undefined
  }

  router.get('/openapi.json', (request, response) => {
    const requested = requestedServices(request, response)
    if (!requested) return
    const { text, etag } = documentOf(requested)
    response.set({ ETag: etag, 'Cache-Control': 'no-cache' }).type('json').send(text)
  })

  router.get('/docs', (request, response) => {
    const [service] = requestedServices(request, response) ?? []
    if (!service) return
    response.set(pageHeaders)
    response.type('html').send(docsPage(request.baseUrl, documented, service))
  })

  router.get('/asyncapi.json', (_request, response) => {
    response.set({ ETag: asyncApiEtag, 'Cache-Control': 'no-cache' }).type('json').send(asyncApiText)
  })

  router.get('/docs/events', ({ baseUrl }, response) => {
    events ??= eventsPage()
    response.set(pageHeaders)
    response.type('html').send(events.replaceAll('{base}', baseUrl))
  })

  router.get('/docs/assets/:name', (request, response, next) => {
    const { name } = request.params
    const root = assets.get(name)
    if (!root) return next()
    response.set('Cache-Control', 'public, max-age=3600')
    response.sendFile(name, { root, cacheControl: false }, error => error && next(error))
  })
  return router
}
