import type { RestService } from '../../gen/catalogue.ts'
import { startTestEdge } from '../../test/kit/edge.ts'
import { assert, suite } from '../../test/kit/kit.ts'
import { freePorts } from '../../test/kit/platform/ports.ts'
import { listeners } from '../config.ts'

const test = suite('documentation routes')
const names = Object.keys(listeners) as RestService[]

const { urls, edge, end } = await startTestEdge([])
const [legacyPort] = await freePorts(1)
const production = await startTestEdge([], { NODE_ENV: 'production', LEGACY_AUTH_PORT: String(legacyPort) })
test.after(async () => {
  await end()
  await production.end()
})

const get = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}
type Head = { openapi: string; info: { title: string }; paths: object }
const read = async (url: string) => JSON.parse((await get(url)).text) as Head

test('every port serves its document and its page, with and without a trailing slash', async () => {
  for (const name of names) {
    for (const path of ['/openapi.json', '/openapi.json/']) assert.is((await read(urls[name] + path)).openapi, '3.0.0')
    const page = await get(`${urls[name]}/docs/`)
    assert.is(page.status, 200)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    assert.equal(page.text, (await get(`${urls[name]}/docs`)).text)
  }
  assert.is((await read(`${urls.news}/openapi.json`)).info.title, 'News service')
  assert.is((await read(`${urls.news}/openapi.json?version=3.1`)).openapi, '3.1.0')
})

test('on a shared port the page lists both services, and each document is available separately', async () => {
  const both = await read(`${urls.notification}/openapi.json`)
  assert.ok('/api/v1/notifications' in both.paths && '/auth/refresh' in both.paths)
  const page = await get(`${urls.notification}/docs/`)
  for (const name of ['notification', 'legacyauth'] as const) {
    const { health } = listeners[name]
    assert.ok(page.text.includes(`href="/docs/?service=${health}"`))
    const serviceDocument = await read(`${urls.notification}/openapi.json?service=${health}`)
    assert.is('/auth/refresh' in serviceDocument.paths, name === 'legacyauth')
    const servicePage = await get(`${urls.notification}/docs/?service=${health}`)
    assert.ok(servicePage.text.includes(`data-url="/openapi.json?service=${health}"`))
  }
  for (const path of ['/docs/', '/openapi.json'])
    assert.is((await get(`${urls.news}${path}?service=notification-service`)).status, 404)
})

test('pages load only files of their port, and their policy allows no other script', async () => {
  const { headers, text } = await get(`${urls.news}/docs/`)
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; script-src 'self';/)
  assert.not.match(policy, /unsafe|https?:|\*/)
  const ownText = text.replace('<a href="http://localhost:8080/docs/">All services</a>', '')
  assert.not.match(ownText, /https?:|<script>|style=| on\w+=/)
  const files = [...ownText.matchAll(/(?:src|href|data-url)="([^"]+)"/g)].map(match => match[1] ?? '')
  assert.ok(files.length >= 6)
  for (const file of files) {
    assert.ok(file.startsWith('/'))
    assert.is((await get(urls.news + file)).status, 200, file)
  }
  const script = await get(`${urls.news}/docs/assets/docs.js`)
  assert.not.match(script.text, /https?:\/\//)
  assert.match(script.headers.get('content-type') ?? '', /javascript/)
})

test('every page leads to that of all services on the client’s port, if there is a client', async () => {
  for (const path of ['/docs/', '/docs/events/', '/docs/webhooks/'])
    assert.ok((await get(urls.news + path)).text.includes('<a href="http://localhost:8080/docs/">All services</a>'))
  const edgeWithoutFront = await startTestEdge([], { FRONT_CLIENT: 'off' })
  const prefixedEdge = await startTestEdge([], { FRONT_BASE_URL: 'https://hotel.example/staff/#/' })
  try {
    assert.not.match((await get(`${edgeWithoutFront.urls.news}/docs/`)).text, /All services/)
    assert.ok((await get(`${prefixedEdge.urls.news}/docs/`)).text.includes('"https://hotel.example/staff/docs/"'))
  } finally {
    await edgeWithoutFront.end()
    await prefixedEdge.end()
  }
})

test('every port has the page of events and sockets, built from its document, with the same policy', async () => {
  for (const name of names) {
    const { status, headers, text } = await get(`${urls[name]}/docs/events/`)
    assert.equal([status, text], [200, (await get(`${urls[name]}/docs/events`)).text], name)
    assert.is(
      headers.get('content-security-policy'),
      (await get(`${urls.news}/docs/`)).headers.get('content-security-policy'),
    )
    const document = JSON.parse((await get(`${urls[name]}/asyncapi.json`)).text) as {
      asyncapi: string
      components: { messages: Record<string, { name: string }> }
    }
    assert.is(document.asyncapi, '3.0.0')
    for (const key of Object.keys(document.components.messages)) assert.ok(text.includes(`id="${key}"`), key)
  }
  const { text } = await get(`${urls.news}/docs/events/`)
  assert.not.match(text, /<script>|style=| on\w+=/)
  for (const [, file = ''] of text.matchAll(/(?:src|href)="([^"#]+)"/g)) {
    if (file === 'http://localhost:8080/docs/') continue
    assert.ok(file.startsWith('/'), file)
    assert.is((await get(urls.news + file)).status, 200, file)
  }
  assert.ok((await get(`${urls.news}/docs/webhooks/`)).text.includes('<a href="/docs/events/">'))
  const conditionalHeaders = {
    'if-none-match': (await get(`${urls.news}/asyncapi.json`)).headers.get('etag') ?? '',
    'cache-control': 'max-age=0',
  }
  assert.is((await get(`${urls.news}/asyncapi.json`, { headers: conditionalHeaders })).status, 304)
})

test('all pages on the client’s port and what they load take at most 600 kB compressed', async () => {
  const paths = new Set(['/docs/'])
  let bytes = 0
  // Grows while it is read.
  for (const path of paths) {
    const { headers, text } = await get(`${edge.frontUrl}${path}`, { headers: { 'accept-encoding': 'br' } })
    if (!path.endsWith('.png')) assert.is(headers.get('content-encoding'), 'br', path)
    bytes += Number(headers.get('content-length'))
    const isPage = headers.get('content-type')?.startsWith('text/html')
    if (isPage) for (const [, file = ''] of text.matchAll(/(?:src|href|data-url)="(\/[^"#]+)/g)) paths.add(file)
    if (path.endsWith('/docs.js'))
      for (const [, file] of text.matchAll(/from '.\/(.+)'/g)) paths.add(`/docs/assets/${file}`)
    // For programs only.
    paths.delete('/asyncapi.json')
  }
  assert.ok(paths.has('/docs/events/') && paths.has('/docs/assets/sign-in.js') && paths.has('/openapi.json'))
  assert.ok(bytes > 500_000 && bytes <= 600_000, `${bytes}`)
})

test('an unchanged page is not sent again, and its links have the path below which it is served', async () => {
  const page = await get(`${edge.frontUrl}/services/news/docs/contract/`)
  assert.ok(page.text.includes('href="/services/news/docs/events/"'))
  const conditionalHeaders = { 'if-none-match': page.headers.get('etag') ?? '', 'cache-control': 'max-age=0' }
  const revalidation = await get(`${edge.frontUrl}/services/news/docs/contract/`, { headers: conditionalHeaders })
  assert.equal([revalidation.status, revalidation.text.length], [304, 0])
  assert.ok((await get(`${edge.frontUrl}/docs/contract/`)).text.includes('href="/docs/events/"'))
})

test('only the named files of Swagger UI are served', async () => {
  for (const name of ['index.html', 'package.json', 'swagger-initializer.js', '..%2froutes.ts', 'constructor'])
    assert.is((await get(`${urls.news}/docs/assets/${name}`)).status, 404, name)
})

test('an unchanged document is not sent again', async () => {
  const { headers } = await get(`${urls.member}/openapi.json`)
  // Without an explicit Cache-Control, fetch would send no-cache.
  const conditionalHeaders = { 'if-none-match': headers.get('etag') ?? '', 'cache-control': 'max-age=0' }
  const revalidation = await get(`${urls.member}/openapi.json`, { headers: conditionalHeaders })
  assert.equal([revalidation.status, revalidation.text.length], [304, 0])
})

test('in production only the legacy version is undocumented', async () => {
  for (const name of names)
    for (const path of ['/docs/', '/openapi.json'])
      assert.is((await get(production.urls[name] + path)).status, name === 'legacyauth' ? 404 : 200, `${name} ${path}`)
})

test('in production a shared port documents the notification service alone', async () => {
  const together = await startTestEdge([], { NODE_ENV: 'production' })
  try {
    const { paths } = await read(`${together.urls.notification}/openapi.json`)
    assert.ok('/api/v1/notifications' in paths && !('/auth/refresh' in paths))
    const legacy = `?service=${listeners.legacyauth.health}`
    assert.is((await get(`${together.urls.notification}/openapi.json${legacy}`)).status, 404)
    assert.not.match((await get(`${together.urls.notification}/docs/`)).text, /legacy/)
  } finally {
    await together.end()
  }
})

test.run()
