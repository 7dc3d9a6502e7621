import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Client } from 'undici'
import { mailsTo } from '../../cli/tour/client.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { rawAnswer } from '../kit/edge.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { startPlatform } from '../kit/platform/platform.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { exampleWorld } from '../kit/requests/example-world.ts'
import { mutantsOf } from '../kit/requests/mutants.ts'
import { recordsOf } from '../kit/requests/records.ts'

/** Attacks, byte by byte where an ordinary client wouldn't send them (docs/threats.md). */
const test = suite('hostile requests')
let log = ''
const platform = await startPlatform('one', { LOG_LEVEL: 'debug' }, text => {
  log += text
})
const { urls } = platform
let hotels: TwoHotels
test.before(async () => {
  hotels = await twoHotels(platform)
})
test.after(() => platform.stop())

type Sent = { method?: string; token?: string | null; body?: unknown; headers?: Record<string, string> }
const send = async (url: string, { method = 'GET', token = hotels.ownHotel.token, body, headers = {} }: Sent = {}) => {
  const givenHeaders = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers }
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const response = await fetch(url, {
    method,
    headers: body === undefined ? givenHeaders : { 'content-type': 'application/json', ...givenHeaders },
    ...(body === undefined ? {} : { body: isRaw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const team = (overrides: object) => ({
  method: 'POST',
  body: { workspaceId: hotels.ownHotel.workspace, name: 'Bar', ...overrides },
})

test('of 10,000 mutants of a token none is accepted, and all are refused with the same text', async () => {
  const client = new Client(urls.auth, { pipelining: 64 })
  const answers = new Map<string, number>()
  try {
    const queue = [...mutantsOf(hotels.ownHotel.token, 10_000)]
    const work = async () => {
      for (let mutant = queue.pop(); mutant !== undefined; mutant = queue.pop()) {
        const headers = { authorization: `Bearer ${mutant}` }
        const { statusCode, body } = await client.request({ method: 'GET', path: '/users/me', headers })
        const text = (await body.text()).replace(/"requestId":"[^"]*"/, '')
        answers.set(`${statusCode} ${text}`, (answers.get(`${statusCode} ${text}`) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: 64 }, work))
  } finally {
    await client.close()
  }
  assert.equal([...answers.values()], [10_000], JSON.stringify([...answers]))
  assert.match([...answers.keys()][0] ?? '', /^401 .*"UnauthorizedError"/)
  assert.is((await send(`${urls.auth}/users/me`)).status, 200)
})

test('a token of a megabyte is refused before it is processed', async () => {
  const { status } = await send(`${urls.auth}/users/me`, { token: 'A'.repeat(12_000) })
  assert.is(status, 401)
  const { text } = await rawAnswer(
    urls.auth,
    `GET /users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${'A'.repeat(1_000_000)}\r\n\r\n`,
  )
  assert.match(text, /^(HTTP\/1\.1 431 |$)/)
})

test('a pair of keys with invalid characters is unknown like any other', async () => {
  const headers = { 'x-api-key': 'é', 'x-api-secret': 'é' }
  assert.is((await send(`${urls.auth}/users/me`, { token: null, headers })).status, 401)
})

test('bodies that are too large, too deep, compressed heavily or in another charset are refused, never with a 5xx', async () => {
  const url = `${urls.member}/teams`
  const deep = (levels: number) =>
    `{"workspaceId":"${hotels.ownHotel.workspace}","name":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
  const cases: [title: string, expected: number, sent: Sent][] = [
    ['100,001 bytes', 413, { body: `{"name":"${'x'.repeat(99_990)}"}` }],
    ['a gzip bomb of 50 MB', 413, { body: bomb, headers: { 'content-encoding': 'gzip' } }],
    ['101 levels', 400, { body: deep(101) }],
    ['5,000 levels', 400, { body: deep(5_000) }],
    ['40,000 levels', 400, { body: deep(40_000) }],
    ['a lone surrogate', 400, team({ name: '\ud800' })],
    ['NUL', 400, team({ name: 'a\0b' })],
    ['bytes that are no UTF-8', 400, { body: Buffer.from('{"name":"\xff\xfe"}', 'latin1') }],
    ['utf-16', 415, { ...team({}), headers: { 'content-type': 'application/json; charset=utf-16' } }],
    ['text/plain', 415, { body: '{}', headers: { 'content-type': 'text/plain' } }],
    ['an unknown packing', 415, { body: '{}', headers: { 'content-encoding': 'compress' } }],
    ['a number for a text', 400, team({ name: 0 })],
  ]
  for (const [title, expected, options] of cases) {
    const { status, text } = await send(url, { method: 'POST', ...options })
    assert.is(status, expected, `${title}: ${text.slice(0, 200)}`)
    assert.ok(text.length < 2_000 && !text.includes('node_modules'), title)
  }
  for (const query of ['page=1e3', 'page=0x10', 'limit=NaN', 'page=1&page=2', 'page=+1'])
    assert.is(
      (await send(`${urls.news}/api/v1/pages?workspaceId=${hotels.ownHotel.workspace}&${query}`)).status,
      400,
      query,
    )
})

test('names of built-in JavaScript properties are ordinary unknown names, at any depth', async () => {
  const pollution = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}'
  for (const body of [
    pollution,
    `{"workspaceId":"${hotels.ownHotel.workspace}","name":"x","__proto__":{"isAdmin":true}}`,
    `{"workspaceId":"${hotels.ownHotel.workspace}","name":"x","constructor":{"prototype":{"isAdmin":true}}}`,
  ])
    assert.is((await send(`${urls.member}/teams`, { method: 'POST', body })).status, 400, body)
  const prefs = '{"categoryPrefs":{"__proto__":{"push":false},"toString":{"push":false}}}'
  const patch = { method: 'PATCH', body: prefs }
  assert.is((await send(`${urls.notification}/api/v1/preferences`, patch)).status, 400)
  const content = `{"workspaceId":"${hotels.ownHotel.workspace}","title":"x","content":{"a":${pollution}}}`
  assert.is((await send(`${urls.news}/api/v1/pages`, { method: 'POST', body: content })).status, 400)
  for (const name of ['__proto__', 'constructor', '__proto__[isAdmin]', 'toString', 'page[]']) {
    const { status, headers } = await send(`${urls.member}/teams/workspace/${hotels.ownHotel.workspace}?${name}=1`)
    assert.equal([status, headers.get('x-ignored-parameters')], [200, encodeURIComponent(name)])
  }
  // Nothing was polluted: the caller is still no platform administrator.
  assert.is((await send(`${urls.auth}/sessions`, { token: hotels.viewer })).status, 403)
})

test('an ambiguous request is refused, and a request hidden behind it is never answered', async () => {
  const hiddenRequest = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'
  const chunk = `0\r\n\r\n${hiddenRequest}`
  const head = (lines: string[]) =>
    `POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${lines.join('\r\n')}\r\n\r\n${chunk}`
  for (const lines of [
    [`Content-Length: ${chunk.length}`, 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', 'Content-Length: 4'],
    ['Content-Length: 5', `Content-Length: ${chunk.length}`],
    ['Transfer-Encoding : chunked'],
    ['Transfer-Encoding: xchunked'],
    ['Transfer-Encoding: chunked, identity'],
    ['Content-Length: +5'],
    ['Content-Length: 0x5'],
    ['X: a\rContent-Length: 5'],
    [' Content-Length: 5'],
  ]) {
    const { text } = await rawAnswer(urls.auth, head(lines))
    assert.match(text, /^HTTP\/1\.1 400 /, `${lines.join(' | ')}: ${text.slice(0, 120)}`)
    assert.is(text.match(/HTTP\/1\.1 /g)?.length, 1, `${lines.join(' | ')}: ${text}`)
  }
})

test('line breaks in a request never become headers of an answer', async () => {
  const evil = '%0d%0aSet-Cookie:%20a=b%0d%0a%0d%0a<script>'
  for (const path of [
    `/hotel/get/${evil}`,
    `/weather/${evil}${'y'.repeat(120)}`,
    `/hotel/get/all?page=${evil}`,
    `/docs/?service=${evil}`,
    `/openapi.json?service=${evil}`,
    `/health?service=${evil}`,
  ]) {
    const { status, headers } = await send(urls.hotel + path)
    assert.ok(status >= 400 && status < 500, `${path}: ${status}`)
    assert.is(headers.get('set-cookie'), null, path)
    assert.not.match(headers.get('content-type') ?? '', /html/, path)
  }
  const odd = { 'x-request-id': 'a"b <script>' }
  assert.match(
    (await send(`${urls.hotel}/hotel/get/all`, { headers: odd })).headers.get('x-request-id') ?? '',
    /^[\w-]+$/,
  )
  const name = 'a"\r\nSet-Cookie: a=b\r\n.txt'
  const form = new FormData()
  form.set('file', new Blob(['x']), name)
  const headers = { authorization: `Bearer ${hotels.ownHotel.token}` }
  const upload = await fetch(`${urls.media}/media/upload`, { method: 'POST', headers, body: form })
  const { fileUrl } = (await upload.json()) as { fileUrl: string }
  const download = await fetch(new URL(new URL(fileUrl).pathname, urls.media))
  assert.equal([download.status, download.headers.get('set-cookie')], [200, null])
})

test('an address named by a client is stored and shown, and never called', async () => {
  let calls = 0
  const canary = createServer(socket => {
    calls++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(canary, 'listening')
  const canaryUrl = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/latest/meta-data`
  const { workspace, ecosystem } = hotels.ownHotel
  const medias = [{ fileUrl: `${canaryUrl}/a.png`, thumbnailUrl: `${canaryUrl}/t.png`, type: 'image' }]
  const content = { blocks: [{ type: 'image', data: { url: canaryUrl, href: canaryUrl } }] }
  const page = { title: 'x', content, workspaceId: workspace, medias, status: 'published' }
  const creation = await send(`${urls.news}/api/v1/pages`, { method: 'POST', body: page })
  assert.is(creation.status, 201, creation.text)
  const calling: [url: string, body: unknown][] = [
    [`${urls.auth}/users/me`, { photo_url: canaryUrl }],
    [`${urls.member}/workspaces/update/${workspace}`, { logo_url: canaryUrl }],
    [`${urls.hotel}/hotel/update/${ecosystem}`, { website: canaryUrl }],
  ]
  for (const [url, body] of calling) {
    const { status, text } = await send(url, { method: 'PATCH', body })
    assert.is(status, 200, `${url}: ${text}`)
  }
  const refusedCalls: [method: string, body: unknown][] = [
    ['POST', { ...page, medias: [{ ...medias[0], fileUrl: 'file:///etc/passwd' }] }],
    ['POST', { ...page, medias: [{ ...medias[0], fileUrl: 'javascript:alert(1)' }] }],
  ]
  for (const [method, body] of refusedCalls)
    assert.is((await send(`${urls.news}/api/v1/pages`, { method, body })).status, 400)
  for (const city of ['..%2fadmin', '%2e%2e%2f%2e%2e', 'http:%2f%2f127.0.0.1', 'x%3Fappid=1', 'x%26q=y']) {
    const { status } = await send(`${urls.hotel}/weather/${city}`)
    assert.ok(status === 200 || status === 404, `${city}: ${status}`)
  }
  assert.is((await send(`${urls.hotel}/weather/${'y'.repeat(121)}`)).status, 400)
  const requestLog = await fetch(`${platform.sandboxUrl}/_requests?provider=weather`)
  const paths = ((await requestLog.json()) as { data: { path: string }[] }).data.map(one => one.path)
  assert.ok(paths.length > 0)
  for (const path of paths) {
    const { pathname, searchParams } = new URL(path, platform.sandboxUrl)
    assert.match(pathname, /^(\/weather)?\/data\/2\.5\/(weather|forecast)$/)
    assert.equal([searchParams.getAll('q').length, searchParams.getAll('appid').length], [1, 1], path)
  }
  canary.close()
  assert.is(calls, 0)
})

test('a link in a mail uses the configured front end, whatever host a request names', async () => {
  const email = (JSON.parse((await send(`${urls.auth}/users/me`)).text) as { email: string }).email
  const body = JSON.stringify({ email })
  const { text } = await rawAnswer(
    urls.auth,
    `POST /password/forgot HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nForwarded: host=evil.example\r\n` +
      `Origin: https://evil.example\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
  assert.match(text, /^HTTP\/1\.1 200 /)
  // Other mails may arrive meanwhile.
  const links = async () => (await mailsTo(platform.sandboxUrl, email)).map(mail => JSON.stringify(mail))
  const mail = await eventually(async () => (await links()).find(one => one.includes('/reset-password')))
  assert.not.match(mail, /evil/)
})

test('a service key beside a person’s token adds no rights to it', async () => {
  const headers = { 'x-api-key': hotels.apiKey }
  const foreign = `${urls.member}/teams/workspace/${hotels.otherHotel.workspace}`
  assert.is((await send(foreign, { headers })).status, 403)
  const remove = { method: 'DELETE', headers }
  assert.is((await send(`${urls.hotel}/hotel/delete/${hotels.otherHotel.ecosystem}`, remove)).status, 403)
  const asPlatform = await send(`${urls.auth}/sessions`, { token: hotels.viewer, headers })
  assert.is(asPlatform.status, 403)
})

test('a service key from a web page gets an answer that browsers withhold', async () => {
  const headers = { 'x-api-key': hotels.apiKey, origin: 'https://evil.example' }
  const answer = await send(`${urls.member}/teams/workspace/${hotels.ownHotel.workspace}`, { token: null, headers })
  assert.is(answer.headers.get('access-control-allow-origin'), null)
})

test('characters that are special in the broker or in SQL are invalid in ids', async () => {
  for (const id of ['*', '>', 'platform.>', '$JS.API.>', '%', '_'.repeat(24), `${newId()}'`, '0', 'null', '[]', '{}']) {
    const { status } = await send(`${urls.member}/teams/workspace/${encodeURIComponent(id)}`)
    assert.is(status, 400, id)
    assert.is((await send(`${urls.news}/api/v1/pages?workspaceId=${encodeURIComponent(id)}`)).status, 400, id)
  }
})

test('unsupported methods are refused with the supported ones, and TRACE echoes nothing', async () => {
  const traced = await rawAnswer(
    urls.member,
    'TRACE /teams HTTP/1.1\r\nHost: x\r\nX-Canary: sing\r\nConnection: close\r\n\r\n',
  )
  assert.match(traced.text, /^HTTP\/1\.1 405 [\s\S]*\r\nAllow: /i)
  assert.not.match(traced.text, /sing/)
  for (const method of ['PROPFIND', 'PURGE', 'LINK'])
    assert.match(
      (await rawAnswer(urls.member, `${method} /teams HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).text,
      /^HTTP\/1\.1 405 /,
    )
  const tunnel = await rawAnswer(urls.member, 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.not.match(tunnel.text, /^HTTP\/1\.1 2|SSH/)
})

test('while 500 connections send their headers slowly all other callers are answered', async () => {
  const { hostname, port } = new URL(urls.member)
  const slow: Socket[] = await Promise.all(
    Array.from({ length: 500 }, async () => {
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      await once(socket, 'connect')
      socket.write('GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: a')
      return socket
    }),
  )
  for (let round = 0; round < 20; round++) assert.is((await send(`${urls.member}/health`)).status, 200)
  for (const socket of slow) socket.destroy()
})

test('sign-ins, refused ones and refused permissions are logged with user and address, and without the input', async () => {
  const { email, password } = platform.administrator
  const attempt = (body: object, id: string) =>
    send(`${urls.auth}/auth/login`, { method: 'POST', token: null, body, headers: { 'x-request-id': id } })
  const signedIn = await attempt({ email, password }, 'log-of-sign-in')
  await attempt({ email, password: 'a wrong password 7' }, 'log-of-refusal')
  const foreignUrl = `${urls.member}/workspaces/get/${hotels.otherHotel.workspace}`
  await send(foreignUrl, { headers: { 'x-request-id': 'log-of-403' } })
  const me = JSON.parse((await send(`${urls.auth}/users/me`)).text)
  // Complete lines only: the last chunk may end in the middle of one.
  const linesOf = (id: string) =>
    log
      .slice(0, log.lastIndexOf('\n'))
      .split('\n')
      .filter(line => line.includes(`"${id}"`))
  const readLogEntry = async (id: string) => {
    await eventually(() => linesOf(id).some(line => line.includes('"level":30')))
    const lines = linesOf(id).map(line => JSON.parse(line))
    assert.not.ok(lines.some(line => JSON.stringify(line).includes('@')))
    const { level, security, outcome, status, userId, client } = lines.find(line => line.level === 30)
    return { level, what: security ?? status, outcome, userId, isFromHere: String(client).endsWith('127.0.0.1') }
  }
  const commonFields = { level: 30, isFromHere: true }
  const id: string = JSON.parse(signedIn.text).user.id
  assert.equal(await readLogEntry('log-of-sign-in'), { ...commonFields, what: 'Login', outcome: 'ok', userId: id })
  const refusalEntry = { ...commonFields, what: 'Login', outcome: 'UnauthorizedError', userId: undefined }
  assert.equal(await readLogEntry('log-of-refusal'), refusalEntry)
  const forbiddenEntry = { ...commonFields, what: 403, outcome: undefined, userId: me.user?.id ?? me.id }
  assert.equal(await readLogEntry('log-of-403'), forbiddenEntry)
})

test('the log contains no secret of these calls, at its most verbose level', async () => {
  const records = await recordsOf(exampleWorld(hotels, hotels.otherHotel))
  assert.ok(records.page)
  const secret = 'Canary-7f3a9c-password'
  await send(`${urls.auth}/auth/login`, {
    method: 'POST',
    token: null,
    body: { email: 'a@b.example', password: secret },
  })
  await send(`${urls.auth}/auth/login`, { method: 'POST', token: null, body: `{"password":"${secret}` })
  await send(`${urls.auth}/users/me?token=${secret}`, { token: null })
  await send(`${urls.auth}/users/me`, { token: secret })
  await send(`${urls.auth}/users/me`, { token: null, headers: { 'x-api-key': secret, 'x-api-secret': secret } })
  await send(`${urls.news}/nowhere/${secret}`, { headers: { cookie: secret } })
  // Sent last: once it is logged, all earlier requests are.
  const foreign = `${urls.member}/workspaces/get/${hotels.otherHotel.workspace}`
  await send(foreign, { headers: { 'x-request-id': 'log-of-the-end' } })
  await eventually(() => log.includes('"log-of-the-end"'))
  const secrets = [
    secret,
    platform.administrator.password,
    'correct horse battery staple',
    hotels.apiKey,
    hotels.ownHotel.token,
    hotels.root,
    ...['JWT_ACCESS_SECRET', 'JWT_REFRESH_SECRET', 'PASSWORD_ENCRYPTION_KEY'].map(name => String(platform.env[name])),
  ]
  assert.ok(log.length > 1_000, 'the log was read')
  for (const one of secrets)
    assert.not.ok(log.includes(one), log.slice(Math.max(0, log.indexOf(one) - 400), log.indexOf(one)))
  for (const line of log.split('\n').filter(Boolean)) assert.ok(line.startsWith('{') || !line.includes('"level"'), line)
})

test('the platform is still up, and never answered with an unexpected error', async () => {
  for (const url of Object.values(urls)) assert.is((await fetch(`${url}/health`)).status, 200)
  const faults = log.split('\n').filter(line => /unexpected|unhandled|ERR_INTERNAL/i.test(line))
  assert.equal(faults, [])
})

test.run()
