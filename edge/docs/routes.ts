import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { LRUCache } from 'lru-cache'
import type { RestService } from '../../gen/catalogue.ts'
import { NotFoundError } from '../../services/kernel/base/errors.ts'
import { listeners } from '../config.ts'
import { sendError } from '../http/errors.ts'
import { builtText, pageFile } from '../http/page-files.ts'
import { noDevices } from '../http/policies.ts'
import { requestIdFrom } from '../http/request-id.ts'
import { documentOf } from './documents.ts'
import { asyncApiText, eventsContent } from './events-page.ts'
import { guides } from './guides.ts'
import { renderPage, routesPage, type Site } from './page.ts'

const ownAssets = fileURLToPath(new URL('assets', import.meta.url))
const swaggerUi = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))

/**
 * Scripts and styles of the page, and their folders. Of Swagger UI these files are served; none of its code runs here.
 */
const assets = new Map([
  ['docs.css', ownAssets],
  ['docs.js', ownAssets],
  ['samples.js', ownAssets],
  ['sign-in.js', ownAssets],
  ['swagger-ui.css', swaggerUi],
  ['swagger-ui-bundle.js', swaggerUi],
  ['favicon-32x32.png', swaggerUi],
])

const openedAssets = new Map<string, RequestHandler>()

/** What sends one of them, read at the first request. */
function assetNamed(name: string): RequestHandler | undefined {
  const folder = assets.get(name)
  if (folder && !openedAssets.has(name)) openedAssets.set(name, pageFile(name, readFileSync(join(folder, name))))
  return openedAssets.get(name)
}

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

const pageHeaders = { 'Content-Security-Policy': contentSecurityPolicy, 'Permissions-Policy': noDevices }

const sendAsyncApi = pageFile('asyncapi.json', asyncApiText)
/** The content of the page of events, built on the first request. */
let events: string | undefined

type DocsOptions = {
  services: RestService[]
  /** The legacy version's documents are shown in development only. */
  showLegacy: boolean
  /** The path below which the routes of a service are served, from the folder of the documents. */
  pathOf?: (name: RestService) => string
  /** The page of all services, to which the other ports' pages lead. */
  allServicesUrl?: string | undefined
}

/**
 * The documentation: GET /openapi.json and /asyncapi.json, the routes to try out at /docs/, events and frames at
 * /docs/events/, and the guides beside them. Where there are several services, ?service=NAME selects one, as at
 * /health; /openapi.json without it holds all. It is OpenAPI 3.0.0, or 3.1 with ?version=3.1 [D529].
 */
export function docsRoutes({ services, showLegacy, pathOf = () => '', allServicesUrl }: DocsOptions): Router {
  const router = Router()
  const shownServices = services.filter(name => showLegacy || name !== 'legacyauth')
  if (shownServices.length === 0) return router
  const queryOf = ({ url }: Request) => new URLSearchParams(url.split('?')[1] ?? '')

  /** The services that a request names, all without a name, or undefined after a 404. */
  const requestedServices = (request: Request, response: Response): RestService[] | undefined => {
    const name = queryOf(request).get('service')
    const requested = shownServices.filter(one => name === null || [one, listeners[one].health].includes(name))
    if (requested.length > 0) return requested
    sendError(response, new NotFoundError('Document not found'), requestIdFrom(request))
    return undefined
  }
  /** Pages by name and the path below which they are served; callers can write that path in many cases. */
  const pages = new LRUCache<string, RequestHandler>({ max: 50 })
  const pageNamed = (name: string, { baseUrl: base }: Request, render: (site: Site) => string): RequestHandler => {
    const key = `${base} ${name}`
    const page = pages.get(key) ?? pageFile('page.html', render({ base, services: shownServices, allServicesUrl }))
    pages.set(key, page)
    return (request, response, next) => page(request, response.set(pageHeaders), next)
  }

  router.get('/openapi.json', (request, response, next) => {
    const names = requestedServices(request, response)
    if (!names) return
    const version = queryOf(request).get('version') === '3.1' ? '3.1' : '3.0'
    documentOf({ names, version, pathOf }).send(request, response, next)
  })

  router.get('/docs', (request, response, next) => {
    const names = requestedServices(request, response)
    if (!names) return
    const selected = names.length === 1 ? names[0] : undefined
    const auth = shownServices.includes('auth') ? `${request.baseUrl}/${pathOf('auth')}`.replace(/\/$/, '') : undefined
    pageNamed(selected ?? '', request, site => routesPage(site, selected, auth))(request, response, next)
  })

  router.get('/asyncapi.json', sendAsyncApi)

  const sendGuide = (path: string, title: string, content: () => string) =>
    router.get(`/docs/${path}`, (request, response, next) => {
      const render = (site: Site) => {
        const text = content().replaceAll('{base}', site.base)
        return renderPage({ ...site, current: `docs/${path}/`, title, content: text })
      }
      pageNamed(`/${path}`, request, render)(request, response, next)
    })
  sendGuide('events', 'Events and frames', () => (events ??= eventsContent()))
  for (const [slug, { title }] of Object.entries(guides)) {
    const text = `<main class="guide">${builtText(`docs/${slug}.html`)}</main>`
    sendGuide(slug, title, () => text)
  }

  router.get('/docs/assets/:name', (request, response, next) => {
    const send = assetNamed(request.params.name)
    return send ? send(request, response, next) : next()
  })
  return router
}
