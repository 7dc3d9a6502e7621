import { createHash } from 'node:crypto'
import WebSocket from 'ws'
import { service as auth } from '../../services/auth/service.ts'
import { createLog } from '../../services/kernel/process/log.ts'
import { service as member } from '../../services/member/service.ts'
import { anyPorts, startTestEdge } from '../../test/kit/edge.ts'
import { assert, eventually, suite } from '../../test/kit/kit.ts'
import { refusalOf } from '../../test/kit/live/live.ts'
import { testPool } from '../../test/kit/sql.ts'
import { startEdge } from '../edge.ts'
import { filesNamedByContent } from '../http/page-files.ts'
import { frontPlace } from './place.ts'

const log = createLog('edge', 'fatal')
const test = suite('the web client on its port')
const chief = { email: 'chief@platform.example', password: 'a chief of the platform 7' }
const { host, edge, end } = await startTestEdge([auth, member], {
  BOOTSTRAP_ADMIN_EMAIL: chief.email,
  BOOTSTRAP_ADMIN_PASSWORD: chief.password,
  SIGN_IN_LIMIT: '1000',
})
const base = edge.frontUrl ?? ''
test.after(() => end())
test.before(async () => {
  await eventually(async () => (await signIn(chief)).status === 200)
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64')
const asBrowser = { headers: { accept: 'text/html' } }
const frontHeaders = { 'x-requested-with': 'front', 'content-type': 'application/json' }
const signIn = (body: object, address = base) =>
  fetch(`${address}/session`, { method: 'POST', headers: frontHeaders, body: JSON.stringify(body) })
const cookieOf = ({ headers }: Response) => headers.getSetCookie()[0] ?? ''
const cookiePairOf = (response: Response) => cookieOf(response).split(';')[0] ?? ''
const refresh = (cookie: string, headers: Record<string, string> = frontHeaders, body?: unknown) =>
  fetch(`${base}/session/refresh`, {
    method: 'POST',
    headers: { ...headers, cookie },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

test('every address that names no file is the page, under a policy that allows one inline script', async () => {
  for (const path of ['/', '/pages/65f0c0ffee65f0c0ffee65f0', '/reset-password?token=x', '/members/teams']) {
    const response = await fetch(base + path, asBrowser)
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.is(response.status, 200, path)
    const text = await response.text()
    assert.match(text, /<div id="app">/)
    const inline = [...text.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => sha256(script))
    assert.is(inline.length, 1)
    assert.ok(policy.includes(`default-src 'none';script-src 'self' 'sha256-${inline}';`), policy)
    assert.match(policy, /require-trusted-types-for 'script'/)
    assert.not.match(policy, /unsafe|\*/)
  }
  for (const [method, path] of [
    ['GET', '/assets/none.js'],
    ['GET', '/services/none'],
    ['GET', '/session/none'],
    ['POST', '/nowhere'],
  ] as const) {
    const response = await fetch(base + path, { method })
    const { error, message } = (await response.json()) as Record<string, unknown>
    assert.equal([response.status, error, message], [404, 'NotFoundError', `No route ${path}`])
  }
})

test('files are cached for good under the address that names their content, and revalidated under any other', async () => {
  const page = await (await fetch(base, asBrowser)).text()
  const [, assetPath = ''] = /src="(assets\/main\.js\?v=[^"]+)"/.exec(page) ?? []
  const response = await fetch(`${base}/${assetPath}`)
  assert.is(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.is(response.headers.get('content-encoding'), 'gzip')
  const etag = response.headers.get('etag') ?? ''
  const plain = await fetch(`${base}/assets/main.js?v=older`, { headers: { 'if-none-match': etag } })
  assert.equal([plain.status, plain.headers.get('cache-control')], [304, 'no-cache'])
})

test('page, scripts and styles of the first load take at most 60 kB compressed', async () => {
  let bytes = 0
  const page = await (await fetch(base, asBrowser)).text()
  const assetPaths = [...page.matchAll(/(?:src|href)="(assets\/[^"]+\.(?:js|css)[^"]*)"/g)].map(([, path]) => path)
  assert.ok(assetPaths.length > 2, `${assetPaths}`)
  for (const path of ['', ...assetPaths]) {
    const { headers } = await fetch(`${base}/${path}`, {
      headers: { ...asBrowser.headers, 'accept-encoding': 'br' },
    })
    bytes += Number(headers.get('content-length'))
  }
  assert.ok(bytes > 10_000 && bytes <= 60_000, `${bytes} bytes`)
})

test('the font takes at most 35 kB, is cached for good, and is among the files that stay offline', async () => {
  const page = await (await fetch(base, asBrowser)).text()
  const fonts = page.match(/assets\/[\w-]+\.woff2/g) ?? []
  assert.is(fonts.length, 2)
  let bytes = 0
  for (const path of fonts) {
    const { headers } = await fetch(`${base}/${path}`)
    assert.equal([headers.get('content-type'), headers.get('content-encoding')], ['font/woff2', null])
    assert.match(headers.get('cache-control') ?? '', /immutable/)
    bytes += Number(headers.get('content-length'))
  }
  assert.ok(bytes > 10_000 && bytes <= 35_000, `${bytes} bytes`)
})

test('the text editor takes at most 130 kB compressed, and is loaded when somebody writes', async () => {
  const page = await (await fetch(base, asBrowser)).text()
  assert.not.match(page, /block-editor-/)
  const [name = ''] = filesNamedByContent('front').filter(file => file.startsWith('block-editor-'))
  const { headers } = await fetch(`${base}/assets/${name}`, { headers: { 'accept-encoding': 'gzip' } })
  const bytes = Number(headers.get('content-length'))
  assert.ok(bytes > 50_000 && bytes <= 130_000, `${bytes} bytes`)
})

test('the REST routes and sockets of every service answer on the same origin', async () => {
  const response = await signIn(chief)
  const { accessToken } = (await response.json()) as { accessToken: string }
  const me = await fetch(`${base}/services/auth/users/me`, { headers: { authorization: `Bearer ${accessToken}` } })
  assert.is(((await me.json()) as { email: string }).email, chief.email)
  for (const name of ['auth', 'member', 'hotel', 'media', 'news', 'notification', 'legacyauth', 'payment'])
    assert.is((await fetch(`${base}/services/${name}/openapi.json`)).status, 200, name)
  const sockets = base.replace('http', 'ws')
  assert.is((await refusalOf(new WebSocket(`${sockets}/services/ws`, ['bearer', 'nothing']))).status, 401)
  assert.is((await refusalOf(new WebSocket(`${sockets}/services/news/ws`, ['bearer', accessToken]))).status, 404)
})

test('the refresh token is in a cookie that scripts cannot read, works once, and stays only when asked to', async () => {
  const briefSignIn = await signIn(chief)
  assert.match(cookieOf(briefSignIn), /^front_refresh=[^;]+; Path=\/session; HttpOnly; SameSite=Strict$/)
  const longSignIn = await signIn({ ...chief, staySignedIn: true })
  assert.match(cookieOf(longSignIn), /Max-Age=604800; Path=\/session; Expires=[^;]+; HttpOnly; SameSite=Strict$/)
  const body = (await longSignIn.clone().json()) as Record<string, unknown>
  assert.equal(Object.keys(body).sort(), ['accessToken', 'email', 'expiresAt', 'requirePasswordChange', 'userId'])
  const renewal = await refresh(cookiePairOf(longSignIn))
  assert.is(renewal.status, 200)
  assert.match(cookieOf(renewal), /Max-Age=604800/)
  assert.is((await refresh(cookiePairOf(longSignIn))).status, 401)
  assert.is((await refresh('')).status, 204)
})

test('a refresh answers the reads of the first screen, each as its route would', async () => {
  const signedIn = await signIn(chief)
  const reads = [
    'auth/users/me',
    'member/workspaces/get/mine?page=1',
    'member/members/get/one/unknown',
    '../session/refresh',
    '//elsewhere.example/x',
    'notification/inbox.js',
    'auth/users/me',
  ]
  const answer = await refresh(cookiePairOf(signedIn), frontHeaders, { reads })
  const body = (await answer.json()) as { accessToken: string; reads: Record<string, unknown> }
  assert.equal(Object.keys(body.reads), reads.slice(0, 2))
  const headers = { authorization: `Bearer ${body.accessToken}` }
  for (const [path, read] of Object.entries(body.reads))
    assert.equal(read, await (await fetch(`${base}/services/${path}`, { headers })).json(), path)
  const invalidReads = ['auth/users/me', [1], Array(21).fill('auth/users/me'), ['x'.repeat(2_001)]]
  for (const reads of invalidReads) {
    const refusal = await refresh(cookiePairOf(answer), frontHeaders, { reads })
    assert.equal([refusal.status, /"path":"reads"/.test(await refusal.text())], [400, true])
  }
  // A refused form doesn't use the cookie.
  assert.is((await refresh(cookiePairOf(answer))).status, 200)
})

test('a refresh sends its cookie before the reads are answered, so that a reload meanwhile stays signed in', async () => {
  const signedIn = await signIn(chief)
  const members = testPool(host.databaseUrl('member'))
  const holder = await members.getConnection()
  await holder.query('lock tables audit_entries write')
  const answer = await refresh(cookiePairOf(signedIn), frontHeaders, { reads: ['member/audit/platform'] })
  assert.match(cookieOf(answer), /^front_refresh=[^;]+;/)
  await holder.query('unlock tables')
  holder.release()
  await members.end()
  const { reads } = (await answer.json()) as { reads: object }
  assert.equal(Object.keys(reads), ['member/audit/platform'])
})

test('pages of other origins cannot use the session', async () => {
  const { 'x-requested-with': _none, ...foreign } = frontHeaders
  const response = await signIn(chief)
  for (const headers of [foreign, { ...foreign, 'x-requested-with': 'console' }])
    assert.is((await refresh(cookiePairOf(response), headers)).status, 403)
  const preflight = await fetch(`${base}/session`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  })
  assert.is(preflight.headers.get('access-control-allow-origin'), null)
})

test('what a form lacks is named, and an unknown invitation is refused', async () => {
  const empty = await signIn({})
  assert.is(empty.status, 400)
  assert.match(await empty.text(), /"path":"email"/)
  const unknown = await fetch(`${base}/session/accept`, {
    method: 'POST',
    headers: frontHeaders,
    body: JSON.stringify({ token: 'nothing', password: 'a long password 7' }),
  })
  assert.ok(unknown.status >= 400 && unknown.status < 500, `${unknown.status}`)
  assert.equal(unknown.headers.getSetCookie(), [])
})

test('below a path, the client answers with and without it, and its cookie follows', async () => {
  const settings = { ...host.env, ...anyPorts, FRONT_BASE_URL: 'http://hotel.example/staff/#/' }
  const other = await startEdge(host, settings, log)
  try {
    for (const path of ['/staff/', '/staff/pages/1', '/']) {
      const text = await (await fetch(`${other.frontUrl}${path}`, asBrowser)).text()
      assert.match(text, /<base href="\/staff\/">/)
      assert.match(text, /content="hash"/)
    }
    assert.match(cookieOf(await signIn(chief, `${other.frontUrl}/staff`)), /Path=\/staff\/session/)
    assert.is((await fetch(`${other.frontUrl}/staff/services/auth/health`)).status, 200)
  } finally {
    await other.stop()
  }
})

test('FRONT_CLIENT=off opens no port', async () => {
  const other = await startEdge(host, { ...host.env, ...anyPorts, FRONT_CLIENT: 'off' }, log)
  assert.is(other.frontUrl, undefined)
  await other.stop()
})

test('FRONT_BASE_URL says where pages are', () => {
  assert.equal(frontPlace('http://localhost:8080'), { path: '/', isHash: false })
  assert.equal(frontPlace('https://hotel.example/staff'), { path: '/staff/', isHash: false })
  assert.equal(frontPlace('https://hotel.example/#/'), { path: '/', isHash: true })
  assert.equal(frontPlace('https://hotel.example/staff#'), { path: '/staff/', isHash: true })
})

test.run()
