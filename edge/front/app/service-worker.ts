/// <reference lib="webworker" />
declare const self: ServiceWorkerGlobalScope

/**
 * Answers with the cached page and files of the client at once, and fetches a new version for the next visit. Caches
 * API answers and pictures too, to show them offline; online, the network always answers. The page deletes the answer
 * cache at sign-out.
 */
const { scope } = self.registration
const base = new URL(scope).pathname
const fileCache = `files ${base}`
const answerCache = 'readings'
const maxAnswers = 300
/** How long fetching a version may take, in ms. */
const fetchTimeoutMs = 120_000

self.addEventListener('install', event => {
  event.waitUntil(cacheVersion().then(() => self.skipWaiting()))
})
self.addEventListener('activate', event => {
  event.waitUntil(self.clients.claim())
})

self.addEventListener('fetch', event => {
  const { request } = event
  const { pathname, origin } = new URL(request.url)
  if (request.method !== 'GET') return
  const path = pathname.slice(base.length)
  if (request.mode === 'navigate') return isPage(path) ? event.respondWith(answerPage(event)) : undefined
  if (origin === location.origin && path.startsWith('assets/')) return event.respondWith(answerFile(request))
  // Exports are files of personal data that the person keeps where they choose.
  const isCached =
    origin === location.origin && path.startsWith('services/') && !/\/media\/upload|\/export\/|\/ws$/.test(path)
  if (isCached || request.destination === 'image') event.respondWith(answerRequest(request))
})

/** Whether the server answers this address with the client's page. */
const isPage = (path: string): boolean =>
  !/^(assets|docs|services|session)(\/|$)|^(health|ready|openapi\.json|asyncapi\.json|manifest\.webmanifest|service-worker\.js)$/.test(
    path,
  )

async function answerPage(event: FetchEvent): Promise<Response> {
  event.waitUntil(cacheVersion().catch(() => undefined))
  return (await caches.match(scope)) ?? fetch(event.request)
}

/** Caches the server's current version. The lock serialises tabs that open at the same time. */
const cacheVersion = (): Promise<void> => navigator.locks.request(fileCache, cacheCurrentVersion)

/** Caches the page once all its files are cached. Keeps the files of the previous version, which open tabs still need. */
async function cacheCurrentVersion(): Promise<void> {
  const signal = AbortSignal.timeout(fetchTimeoutMs)
  const response = await fetch(scope, { cache: 'no-cache', headers: { accept: 'text/html' }, signal })
  if (response.status >= 500) return
  const text = await response.clone().text()
  if (!response.ok || response.redirected || !text.includes(`<base href="${base}">`)) return unregister()
  const cache = await caches.open(fileCache)
  const cachedText = (await (await cache.match(scope))?.text()) ?? ''
  if (text === cachedText) return
  const names = filesOf(text)
  await Promise.all(names.map(name => cacheFile(cache, name, signal)))
  await cache.put(scope, response)
  const addresses = new Set([...names, ...filesOf(cachedText), ''].map(name => new URL(name, scope).href))
  for (const { url } of await cache.keys()) if (!addresses.has(url)) await cache.delete(url)
}

const filesOf = (text: string): string[] => [...new Set(text.match(/\bassets\/[^"\s]+/g))]

/**
 * During a rolling deploy another version's server may answer; only an immutable answer surely matches the digest in
 * the URL.
 */
async function cacheFile(cache: Cache, name: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(name, { signal })
  const matchesDigest = /immutable/.test(response.headers.get('cache-control') ?? '')
  if (!response.ok || (name.includes('?v=') && !matchesDigest)) throw new Error(`${name} belongs to another version`)
  await cache.put(name, response)
}

/** A push, as the platform encrypts it. */
type PushMessage = { id: string; title: string; body: string; language: string; address: string; unread: number }

self.addEventListener('push', event => {
  if (event.data) event.waitUntil(showPush(event.data.json() as PushMessage))
})

/** Shows a push. A second copy of one replaces the first. */
async function showPush({ id, title, body, language, address, unread }: PushMessage): Promise<void> {
  const [icon, badge] = ['assets/icon-192.png', 'assets/badge-96.png'].map(name => new URL(name, scope).href)
  await self.registration.showNotification(title, { body, lang: language, tag: id, icon, badge, data: { id, address } })
  await navigator.setAppBadge?.(unread)
}

self.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(openNotification(event.notification.data as Pick<PushMessage, 'id' | 'address'>))
})

/** Opens what a notification is about in the window that was used last, or in a new one. */
async function openNotification(clicked: Pick<PushMessage, 'id' | 'address'>): Promise<void> {
  const address = clicked.address.startsWith(scope) ? clicked.address : scope
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const openPage = windows.find(({ url }) => url.startsWith(scope))
  // A browser may refuse the focus, and still shows the page there.
  const page = openPage ? await openPage.focus().catch(() => openPage) : await self.clients.openWindow(address)
  page?.postMessage({ id: clicked.id, address })
}

let isUnregistered = false

/** Removes everything, when another site has taken over the address. */
async function unregister(): Promise<void> {
  isUnregistered = true
  await Promise.all([caches.delete(fileCache), caches.delete(answerCache), self.registration.unregister()])
}

async function answerFile(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request)
}

async function answerRequest(request: Request): Promise<Response> {
  if (isUnregistered) return fetch(request)
  // Opened before the request, so that an answer that arrives after a sign-out is written to the deleted cache.
  const cache = await caches.open(answerCache)
  let response: Response
  try {
    response = await fetch(request)
  } catch (error) {
    const storedAnswer = await cache.match(request, { ignoreVary: true })
    if (storedAnswer) return storedAnswer
    throw error
  }
  // Without a token (the page pauses its refresh), shows the cached answer instead of the 401.
  if (response.status === 401 && !request.headers.has('authorization'))
    return (await cache.match(request, { ignoreVary: true })) ?? response
  const isAnswer =
    response.ok && /^(application\/json|text\/javascript|image\/)/.test(response.headers.get('content-type') ?? '')
  // Fails when the device's storage is full.
  if (isAnswer || response.type === 'opaque') await cacheAnswer(cache, request, response.clone()).catch(() => undefined)
  return response
}

/** Stores an answer and deletes the oldest ones: a cache lists its entries by age. */
async function cacheAnswer(cache: Cache, request: Request, response: Response): Promise<void> {
  await cache.delete(request, { ignoreVary: true })
  await cache.put(request, response)
  const requests = await cache.keys()
  for (const oldest of requests.slice(0, Math.max(0, requests.length - maxAnswers))) await cache.delete(oldest)
}
