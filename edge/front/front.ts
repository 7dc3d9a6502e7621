import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import express, { type Express, type Request, type RequestHandler, Router } from 'express'
import helmet from 'helmet'
import type { RestService } from '../../gen/catalogue.ts'
import { inkOn, platformColour, sixDigits } from '../../services/kernel/base/colours/colours.ts'
import { NotFoundError, UnauthorizedError } from '../../services/kernel/base/errors.ts'
import type { Host } from '../../services/kernel/rpc/host.ts'
import type { EdgeConfig } from '../config.ts'
import { docsRoutes } from '../docs/routes.ts'
import { healthOf, probeRoutes } from '../health.ts'
import { answerAnyError } from '../http/errors.ts'
import { jsonForPrograms, platformName } from '../http/first-answer.ts'
import { builtFile, builtText, digestOf, filesNamedByContent, pageFile, pageFiles } from '../http/page-files.ts'
import { noDevices } from '../http/policies.ts'
import { cutSlowClients, slowClientLimits } from '../http/slow.ts'
import { requireWellFormed } from '../http/well-formed.ts'
import type { Admission } from '../rest/admission.ts'
import { browserSession } from '../session/browser-session.ts'
import { type FrontPlace, frontPlace } from './place.ts'

/** Where the client finds a service's REST routes. */
const servicePath = (name: RestService): string => `services/${name}`

const week = 7 * 24 * 3_600_000

/**
 * Scripts and styles from this origin alone, no inline code but the page's first script, no text as script. Pictures,
 * films and sounds may come from where their pages say. One trusted types policy registers the service worker and reads
 * HTML apart from the page, the other one is the text editor's for what is pasted.
 */
const policyWith = (firstScript: string) => ({
  'default-src': ["'none'"],
  'script-src': ["'self'", `'sha256-${createHash('sha256').update(firstScript).digest('base64')}'`],
  'style-src': ["'self'"],
  'font-src': ["'self'"],
  'img-src': ["'self'", 'http:', 'https:', 'data:', 'blob:'],
  'media-src': ["'self'", 'http:', 'https:', 'blob:'],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  'worker-src': ["'self'"],
  'base-uri': ["'self'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ['front', 'ProseMirrorClipboard'],
})

/** The service worker keeps pictures too, and asks for them from wherever their pages have them. */
const workerPolicy = "default-src 'none'; script-src 'self'; connect-src 'self' http: https:"

type Parts = {
  host: Host
  config: EdgeConfig
  /** The apps of the REST services, which answer below `/services/<name>` too. */
  apps: Map<RestService, Express>
  draining: () => boolean
  /** Limits the concurrent calls. */
  admitted: Admission
}

/** The web client: its files, its session, and the platform's REST routes on the same origin. Never listens. */
export function createFront({ host, config, apps, draining, admitted }: Parts): Express {
  const place = frontPlace(config.frontAddress)
  const front = Router()
  for (const [name, app] of apps) front.use(`/${servicePath(name)}`, app)
  const firstScript = builtText('front/start.js')
  const directives = policyWith(firstScript)
  front.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives }, crossOriginEmbedderPolicy: false }))
  front.use((_request, response, next) => {
    response.setHeader('Permissions-Policy', noDevices)
    next()
  })
  front.get('/service-worker.js', (_request, response, next) => {
    response.setHeader('Content-Security-Policy', workerPolicy)
    next()
  })
  front.get('/health', (_request, response) => {
    response.json(healthOf('web-client'))
  })
  front.use(probeRoutes([], host, draining))
  const admit = async (token: string) => {
    const claims = host.tokens.verify(token)
    if (!claims || !(await host.accounts.isValid(claims))) throw new UnauthorizedError()
    return claims
  }
  front.use(
    browserSession(admitted.limitCalls(host.transport), {
      name: 'front',
      path: '/session',
      address: config.frontAddress,
      admit,
      answersReads: true,
      keptMs: week,
    }),
  )
  front.get(
    '/',
    jsonForPrograms(({ baseUrl }) => ({
      name: platformName,
      service: 'web-client',
      services: Object.fromEntries([...apps.keys()].map(name => [name, `${baseUrl}/${servicePath(name)}`])),
      health: `${baseUrl}/health`,
    })),
  )
  front.use(docsRoutes({ services: [...apps.keys()], showLegacy: config.development, pathOf: servicePath }))
  front.use(files(place, firstScript, config.webPushKey))

  const app = express()
  app.disable('x-powered-by').disable('etag').set('query parser', false).set('trust proxy', config.trustProxyHops)
  app.use(requireWellFormed)
  app.use(cutSlowClients(slowClientLimits))
  // A proxy in front may keep the path of FRONT_BASE_URL or remove it.
  if (place.path !== '/') app.use(place.path, front)
  app.use(front)
  app.use(({ path }) => {
    throw new NotFoundError(`No route ${path}`)
  })
  app.use(answerAnyError)
  return app
}

/** The sockets on the client's port: one with the rooms of every service, and the inbox component's. */
export function frontSockets(services: RestService[], { frontAddress }: EdgeConfig) {
  const { path } = frontPlace(frontAddress)
  const socketPaths = (place: string) =>
    [...new Set(['', path.replace(/\/$/, '')])].map(prefix => `${prefix}${place}/ws`)
  return [
    { services: services.filter(name => name !== 'notification'), paths: socketPaths('/services') },
    { services: ['notification'], paths: socketPaths(`/${servicePath('notification')}`) },
  ]
}

/** The page and its files, which `npm run build` bundles. Every address that names no file is a page of the client. */
function files(place: FrontPlace, firstScript: string, webPushKey = ''): Router {
  const router = Router()
  const read = (path: string) => readFileSync(new URL(path, import.meta.url))
  const script = builtText('front/main.js')
  const parts = filesNamedByContent('front')
  // The parts that the script begins with load beside it; the service worker keeps the fonts and the others too, but not
  // the large one for those who write.
  const first = parts.filter(name => [`from"./${name}"`, `import"./${name}"`].some(text => script.includes(text)))
  const laterParts = parts.filter(name => !first.includes(name) && !name.startsWith('block-editor-'))
  const style = builtText('front/main.css')
  const worker = builtText('front/service-worker.js')
  const names = ['icon-192.png', 'icon-512.png', 'badge-96.png']
  const index = read('app/index.html')
    .toString()
    .replaceAll('{base}', place.path)
    .replace('{routing}', place.isHash ? 'hash' : 'path')
    .replace('{push}', webPushKey)
    .replace('{later}', laterParts.map(name => `assets/${name}`).join(' '))
    .replace('{script}', digestOf(script))
    .replace('{start}', () => firstScript)
    .replace('{style}', digestOf(style))
    .replace('{parts}', first.map(name => `<link rel="modulepreload" href="assets/${name}">`).join(''))
  router.use(
    pageFiles([
      { path: '/assets/main.js', name: 'main.js', body: script },
      ...parts.map(name => ({ path: `/assets/${name}`, name, body: builtFile(`front/${name}`) })),
      { path: '/assets/main.css', name: 'main.css', body: style },
      { path: '/service-worker.js', name: 'service-worker.js', body: worker },
      ...names.map(name => ({ path: `/assets/${name}`, name, body: read(`app/icons/${name}`) })),
    ]),
  )
  router.use(brandFiles())
  const page = pageFile('index.html', index)
  const sendPage: RequestHandler = (request, response, next) =>
    /^\/(assets|services|session)(\/|$)/.test(request.path) ? next() : void page(request, response, next)
  router.get(/.*/, sendPage)
  return router
}

const longestName = 60
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const icon = read('app/icons/icon.svg')
const manifest = JSON.parse(read('app/manifest.webmanifest')) as { icons: { src: string; type: string }[] }

const queryOf = ({ url }: Request): URLSearchParams => new URL(url, 'http://edge').searchParams

/** The icon and the manifest of the installed client, in the colour and name of the query; else the platform's. */
function brandFiles(): Router {
  const router = Router()
  router.get('/assets/icon.svg', (request, response, next) => {
    const colour = sixDigits(queryOf(request).get('colour') ?? '', platformColour)
    const body = icon.replaceAll('#fff', inkOn(colour)).replace(platformColour, colour)
    pageFile('icon.svg', body)(request, response, next)
  })
  router.get('/manifest.webmanifest', (request, response, next) => {
    const query = queryOf(request)
    const colour = sixDigits(query.get('colour') ?? '', platformColour)
    const name = query.get('name')?.slice(0, longestName)
    // The other icons are drawings in the platform's colour.
    const icons = manifest.icons
      .filter(({ type }) => colour === platformColour || type === 'image/svg+xml')
      .map(one =>
        one.type === 'image/svg+xml' ? { ...one, src: `${one.src}?colour=${encodeURIComponent(colour)}` } : one,
      )
    const body = JSON.stringify({ ...manifest, ...(name && { name, short_name: name }), theme_color: colour, icons })
    pageFile('manifest.webmanifest', body)(request, response, next)
  })
  return router
}
