/// <reference lib="webworker" />
declare const self: ServiceWorkerGlobalScope

/**
 * Answers with the client's kept page and files at once; a new version is fetched meanwhile, for the next visit. Keeps
 * the answers of what a person read too, for times without a connection: with one, the network always answers. The page
 * deletes `readings` at sign-out.
 */
const { scope } = self.registration
const base = new URL(scope).pathname
const files = `files ${base}`
const readings = 'readings'
const mostReadings = 300
/** Longest time to fetch a version, in ms. */
const patience = 120_000

self.addEventListener('install', event => {
  event.waitUntil(keepVersion().then(() => self.skipWaiting()))
})
self.addEventListener('activate', event => {
  event.waitUntil(self.clients.claim())
})

self.addEventListener('fetch', event => {
  const { request } = event
  const { pathname, origin } = new URL(request.url)
  if (request.method !== 'GET') return
  const path = pathname.slice(base.length)
  if (request.mode === 'navigate') return isPage(path) ? event.respondWith(page(event)) : undefined
  if (origin === location.origin && path.startsWith('assets/')) return event.respondWith(file(request))
  // Exports are files of personal data that the person keeps where they choose.
  const isReading =
    origin === location.origin && path.startsWith('services/') && !/\/media\/upload|\/export\/|\/ws$/.test(path)
  if (isReading || request.destination === 'image') event.respondWith(reading(request))
})

/** Whether the server answers this address with the client's page. */
const isPage = (path: string): boolean =>
  !/^(assets|services|session)(\/|$)|^(health|ready|manifest\.webmanifest|service-worker\.js)$/.test(path)

async function page(event: FetchEvent): Promise<Response> {
  event.waitUntil(keepVersion().catch(() => undefined))
  return (await caches.match(scope)) ?? fetch(event.request)
}

/** Keeps the present version, one call after the other: tabs may open at the same time. */
const keepVersion = (): Promise<void> => navigator.locks.request(files, keepPresent)

/** Keeps the server's page once every file that it names is kept. Tabs of the version before still need its files. */
async function keepPresent(): Promise<void> {
  const signal = AbortSignal.timeout(patience)
  const response = await fetch(scope, { cache: 'no-cache', headers: { accept: 'text/html' }, signal })
  if (response.status >= 500) return
  const text = await response.clone().text()
  if (!response.ok || response.redirected || !text.includes(`<base href="${base}">`)) return leave()
  const cache = await caches.open(files)
  const before = (await (await cache.match(scope))?.text()) ?? ''
  if (text === before) return
  const names = filesOf(text)
  await Promise.all(names.map(name => keepFile(cache, name, signal)))
  await cache.put(scope, response)
  const addresses = new Set([...names, ...filesOf(before), ''].map(name => new URL(name, scope).href))
  for (const { url } of await cache.keys()) if (!addresses.has(url)) await cache.delete(url)
}

const filesOf = (text: string): string[] => [...new Set(text.match(/\bassets\/[^"\s]+/g))]

/** Another version's server, as while servers are replaced, has other content at the address of a digest. */
async function keepFile(cache: Cache, name: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(name, { signal })
  const isNamed = /immutable/.test(response.headers.get('cache-control') ?? '')
  if (!response.ok || (name.includes('?v=') && !isNamed)) throw new Error(`${name} belongs to another version`)
  await cache.put(name, response)
}

let hasLeft = false

/** Another site took over the address. */
async function leave(): Promise<void> {
  hasLeft = true
  await Promise.all([caches.delete(files), caches.delete(readings), self.registration.unregister()])
}

async function file(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request)
}

async function reading(request: Request): Promise<Response> {
  if (hasLeft) return fetch(request)
  // Opened before the request: an answer that arrives after the page has deleted the readings goes with them.
  const cache = await caches.open(readings)
  let response: Response
  try {
    response = await fetch(request)
  } catch (error) {
    const storedAnswer = await cache.match(request, { ignoreVary: true })
    if (storedAnswer) return storedAnswer
    throw error
  }
  // A page that may not refresh its session for a while has no token, and shows what was read before.
  if (response.status === 401 && !request.headers.has('authorization'))
    return (await cache.match(request, { ignoreVary: true })) ?? response
  const isAnswer =
    response.ok && /^(application\/json|text\/javascript|image\/)/.test(response.headers.get('content-type') ?? '')
  // A device that is full keeps nothing.
  if (isAnswer || response.type === 'opaque') await keep(cache, request, response.clone()).catch(() => undefined)
  return response
}

/** The oldest go first: a cache lists its entries in the order of their arrival. */
async function keep(cache: Cache, request: Request, response: Response): Promise<void> {
  await cache.delete(request, { ignoreVary: true })
  await cache.put(request, response)
  const requests = await cache.keys()
  for (const oldest of requests.slice(0, Math.max(0, requests.length - mostReadings))) await cache.delete(oldest)
}
