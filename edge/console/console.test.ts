import { service as auth } from '../../services/auth/service.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import { silentLog } from '../../services/kernel/process/log.ts'
import { service as member } from '../../services/member/service.ts'
import { anyPorts, startTestEdge } from '../../test/kit/edge.ts'
import { assert, eventually, suite } from '../../test/kit/kit.ts'
import { startEdge } from '../edge.ts'
import { offeredRoutes } from './console.ts'

const test = suite("the operator's console")
const chief = { email: 'chief@platform.example', password: 'a chief of the platform 7' }
const guest = { email: 'guest@hotel.example', password: 'a guest of a hotel 7' }
const { host, edge, urls, end } = await startTestEdge([auth, member], {
  BOOTSTRAP_ADMIN_EMAIL: chief.email,
  BOOTSTRAP_ADMIN_PASSWORD: chief.password,
  LEGACY_SUNSET: '2027-06-30',
  SIGN_IN_LIMIT: '1000',
})
const base = edge.consoleUrl
test.after(() => end())

type Asked = { token?: string; headers?: Record<string, string>; body?: unknown; cookie?: string }
async function ask(method: string, path: string, { token, headers = {}, body, cookie }: Asked = {}) {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
}

const consoleHeaders = { 'x-requested-with': 'console' }
const signIn = (credentials: object) => ask('POST', '/console/session', { headers: consoleHeaders, body: credentials })
const cookieOf = ({ headers }: { headers: Headers }) => headers.getSetCookie()[0]?.split(';')[0] ?? ''
const tokenOfChief = async (): Promise<string> => (await signIn(chief)).body.accessToken

/** The console's own routes, and every REST route that its port serves, with ids of nothing. */
const guardedRoutes = [
  ['GET', '/console/api/status'],
  ['GET', '/console/api/events'],
  ...offeredRoutes.map(({ verb, segments }): [string, string] => [
    verb,
    `/${segments.map(part => (typeof part === 'string' ? part : part.parent.name.includes('DeadLetter') ? '1' : newId())).join('/')}`,
  ]),
] as const

test('every route refuses a call without a token, with an invalid one, with a service key or from a hotel’s member', async () => {
  const registration = await fetch(`${urls.auth}/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(guest),
  })
  const { accessToken } = (await registration.json()) as { accessToken: string }
  const stranger = host.tokens.issue({ ...host.tokens.verify(accessToken)!, userId: newId() }, 900)
  const key = { 'x-api-key': host.env['SERVICE_API_KEY'] ?? '' }
  for (const [method, path] of guardedRoutes) {
    const answers = await Promise.all([
      ask(method, path),
      ask(method, path, { token: 'a.b.c' }),
      ask(method, path, { headers: key }),
      ask(method, path, { token: accessToken }),
      ask(method, path, { token: accessToken, headers: key }),
      ask(method, path, { token: stranger }),
    ])
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses, [401, 401, 401, 403, 403, 403], `${method} ${path}`)
    assert.match(answers[3]?.body.message, 'The console is for platform administrators')
  }
})

test('no other route of the platform answers on this port', async () => {
  const token = await tokenOfChief()
  for (const [method, path] of [
    ['POST', '/auth/login'],
    ['GET', '/users/me'],
    ['POST', '/group/add'],
    ['DELETE', '/members/delete/1'],
    ['POST', '/rpc/platform.auth.v1.SignInService/Login'],
    ['GET', '/docs/'],
    ['GET', '/assets/../console.ts'],
    ['PUT', '/sessions'],
  ] as const)
    assert.is((await ask(method, path, { token })).status, 404, path)
})

test('a sign-in of anyone but a platform administrator is refused and leaves no session', async () => {
  const answer = await signIn(guest)
  assert.equal([answer.status, answer.body.error, cookieOf(answer)], [403, 'ForbiddenError', 'console_refresh='])
  const token = await tokenOfChief()
  const { body } = await ask('GET', `/sessions?email=${guest.email}&isActive=true`, { token })
  assert.is(body.meta.total, 1, 'only the one of the registration')
})

test('a sign-in without the console’s header, with a wrong password or with a body of another shape is refused', async () => {
  const attempts = await Promise.all([
    ask('POST', '/console/session', { body: chief }),
    ask('POST', '/console/session/refresh'),
    ask('DELETE', '/console/session'),
    signIn({ ...chief, password: 'not hers' }),
    signIn({ ...chief, password: 7 }),
    ask('POST', '/console/session/refresh', { headers: consoleHeaders }),
    ask('POST', '/console/session/refresh', { headers: consoleHeaders, cookie: 'console_refresh=%E0%A4%A' }),
    ask('POST', '/console/session/refresh', { headers: consoleHeaders, cookie: 'console_refresh=nothing' }),
  ])
  assert.equal(
    attempts.map(({ status }) => status),
    [403, 403, 403, 401, 400, 204, 204, 401],
  )
  for (const attempt of attempts) assert.is(cookieOf(attempt), '')
})

test('the refresh token is in a cookie that scripts cannot read, is used once and ends with the sign-out', async () => {
  const first = await signIn(chief)
  assert.is(first.status, 200)
  assert.equal(Object.keys(first.body), ['accessToken', 'expiresAt', 'userId', 'email', 'requirePasswordChange'])
  const [setCookie = ''] = first.headers.getSetCookie()
  for (const word of ['Path=/console/session', 'HttpOnly', 'SameSite=Strict']) assert.ok(setCookie.includes(word), word)
  assert.not.match(setCookie, /Max-Age|Expires|Domain/)
  const second = await ask('POST', '/console/session/refresh', { headers: consoleHeaders, cookie: cookieOf(first) })
  assert.is(second.status, 200)
  assert.is.not(cookieOf(second), cookieOf(first))
  const token: string = second.body.accessToken
  assert.is((await ask('GET', '/sessions', { token })).status, 200)
  const out = await ask('DELETE', '/console/session', { headers: consoleHeaders, cookie: cookieOf(second), token })
  assert.equal([out.status, cookieOf(out)], [204, 'console_refresh='])
  assert.is((await ask('GET', '/console/api/status', { token })).status, 401)
  const after = await ask('POST', '/console/session/refresh', { headers: consoleHeaders, cookie: cookieOf(second) })
  assert.is(after.status, 401)
})

test('a sign-out without an access token ends the session, too', async () => {
  const { headers, body } = await signIn(chief)
  const cookie = cookieOf({ headers })
  assert.is((await ask('DELETE', '/console/session', { headers: consoleHeaders, cookie })).status, 204)
  assert.is((await ask('POST', '/console/session/refresh', { headers: consoleHeaders, cookie })).status, 401)
  assert.is((await ask('GET', '/console/api/status', { token: body.accessToken })).status, 401)
})

test('a sign-out that fails keeps the cookie, so that the next one ends the session', async () => {
  const cookie = cookieOf(await signIn(chief))
  const signOut = () => ask('DELETE', '/console/session', { headers: consoleHeaders, cookie })
  const db = await connectDatabase(host.databaseUrl('auth'))
  await db.query('rename table refresh_tokens to missing_tokens')
  const failure = await signOut()
  await db.query('rename table missing_tokens to refresh_tokens')
  await db.end()
  assert.equal([failure.status, cookieOf(failure)], [500, ''])
  assert.is((await signOut()).status, 204)
  assert.is((await ask('POST', '/console/session/refresh', { headers: consoleHeaders, cookie })).status, 401)
})

test('the page is compressed for browsers that take it, and not for those that refuse it', async () => {
  const encodings = []
  for (const acceptEncoding of ['gzip, deflate, br, zstd', 'gzip', 'br, gzip;q=0.5', 'gzip;q=0', 'identity'])
    encodings.push(
      (await ask('GET', '/', { headers: { accept: 'text/html', 'accept-encoding': acceptEncoding } })).headers.get(
        'content-encoding',
      ),
    )
  assert.equal(encodings, ['br', 'gzip', 'br', null, null])
})

test('over TLS the cookie is bound to this host so that no other page can set it, and the plain cookie is ignored', async () => {
  const behind = await startEdge(host, { ...host.env, ...anyPorts, TRUST_PROXY_HOPS: '1' }, silentLog)
  const requestSession = (path: string, cookie?: string) =>
    fetch(`${behind.consoleUrl}/console/session${path}`, {
      method: 'POST',
      headers: {
        ...consoleHeaders,
        'x-forwarded-proto': 'https',
        'content-type': 'application/json',
        ...(cookie ? { cookie } : {}),
      },
      body: path ? null : JSON.stringify(chief),
    })
  const [setCookie = ''] = (await requestSession('')).headers.getSetCookie()
  assert.match(setCookie, /^__Host-console_refresh=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
  const [cookie = ''] = setCookie.split(';')
  const statuses = []
  for (const one of [cookie.replace('__Host-', ''), cookie])
    statuses.push((await requestSession('/refresh', one)).status)
  await behind.stop()
  assert.equal(statuses, [204, 200])
})

test('a former administrator loses access and session at the next refresh', async () => {
  const answer = await signIn(chief)
  const db = await connectDatabase(host.databaseUrl('member'))
  const set = async (value: number) => {
    await db.query('update members set is_super_admin = ? where email = ?', [value, chief.email])
    host.rights.evict()
  }
  await set(0)
  const refusal = await ask('POST', '/console/session/refresh', { headers: consoleHeaders, cookie: cookieOf(answer) })
  await set(1)
  await db.end()
  assert.equal([refusal.status, cookieOf(refusal)], [403, 'console_refresh='])
  assert.is((await ask('GET', '/console/api/status', { token: answer.body.accessToken })).status, 401)
})

test('the page has a policy without inline or foreign content, and other origins get no access', async () => {
  const page = await ask('GET', '/', { headers: { accept: 'text/html', origin: 'https://elsewhere.example' } })
  assert.is(page.status, 200)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, "default-src 'none'")
  assert.not.match(policy, /unsafe|https?:|\*|data:/)
  assert.is(page.headers.get('access-control-allow-origin'), null)
  assert.not.match(page.text, /<script>|<style|style=|\son\w+=|https?:/)
  const linked = [...page.text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, name]) => name ?? '')
  assert.equal(linked, ['/assets/favicon.svg', '/assets/main.css', '/assets/main.js'])
  const names = [...linked, '/favicon.ico']
  for (const name of names) {
    const asset = await ask('GET', name)
    assert.is(asset.status, 200, name)
    const revalidation = await ask('GET', name, { headers: { 'if-none-match': asset.headers.get('etag') ?? '' } })
    assert.is(revalidation.status, 304, name)
  }
  assert.is((await ask('GET', '/health')).body.service, 'operator-console')
  assert.equal((await ask('GET', '/ready')).body, { ready: true, draining: false, checks: { bus: true } })
})

test('the status names services that answer, consumers and dead letters, and the days of the legacy version', async () => {
  const token = await tokenOfChief()
  // On a busy machine, a service that takes longer than a second to answer counts as down.
  const status = await eventually(async () => {
    const { body } = await ask('GET', '/console/api/status', { token })
    return body.services.filter((one: { up: boolean }) => one.up).length === 2 && body
  }, 60_000)
  const names = status.services.flatMap((one: { name: string; up: boolean }) => (one.up ? [one.name] : []))
  assert.equal(names, ['auth', 'member'])
  assert.equal(status.legacy, { deprecatedSince: '2026-01-01', sunset: '2027-06-30' })
  assert.equal([status.bus.connected, status.bus.dead], [true, 0])
  const durables = status.bus.consumers.map((one: { durable: string }) => one.durable)
  assert.ok(durables.includes('member-opened-hotels'), durables)
})

test('events are listed by their envelopes, newest first, before and after a number, without their payload', async () => {
  const token = await tokenOfChief()
  const secret = `hidden-${newId()}`
  const [workspaceId, recordId, receiver] = [newId(), newId(), newId()]
  const body = (type: string) => ({
    type,
    workspaceId,
    payload: { id: recordId, title: secret, token: secret },
    channels: ['socket', { odd: secret }],
    metadata: {
      timestamp: new Date().toISOString(),
      actor: { id: newId(), name: secret, type: 'member' },
      receiverIds: [receiver, receiver],
      occurrenceId: newId(),
    },
  })
  for (const name of ['one', 'two', 'three'])
    await host.bus.publish(`platform.test.console.${name}`, JSON.stringify(body(`console.${name}`)), { id: newId() })
  await host.bus.publish('platform.test.console.bare', secret, { id: newId() })
  await host.bus.publish('platform.test.console.odd', JSON.stringify({ ...body(`<b>${secret}`), workspaceId: 7 }), {
    id: newId(),
  })
  const { text, body: page } = await ask('GET', '/console/api/events', { token })
  assert.not.ok(text.includes(secret))
  const ownEvents = page.data.filter((event: { key: string }) => event.key.startsWith('platform.test.console.'))
  assert.equal(
    ownEvents.map((event: { key: string; type: string }) => [event.key.split('.').at(-1), event.type]),
    [
      ['odd', null],
      ['bare', null],
      ['three', 'console.three'],
      ['two', 'console.two'],
      ['one', 'console.one'],
    ],
  )
  const [, , three, two, one] = ownEvents
  assert.equal(
    [three.workspaceId, three.recordId, three.receivers, three.channels, three.actorType],
    [workspaceId, recordId, 2, ['socket'], 'member'],
  )
  const numbers = async (query: string) =>
    (await ask('GET', `/console/api/events?${query}`, { token })).body.data.map(
      (event: { sequence: number }) => event.sequence,
    )
  // Other events, such as the sign-in's, stand between: every number belongs to some event.
  const countDown = (from: number, to: number) => Array.from({ length: from - to }, (_, index) => from - index)
  const between = `after=${two.sequence}&before=${three.sequence + 1}`
  assert.equal(await numbers(between), countDown(three.sequence, two.sequence))
  assert.equal(await numbers(`before=${three.sequence}&limit=2`), countDown(three.sequence - 1, three.sequence - 3))
  assert.equal(await numbers(`after=${page.last}&before=${page.last + 1}`), [])
  assert.ok(one.sequence < two.sequence && two.sequence < three.sequence)
  assert.ok((await numbers(`after=${page.last + 1_000}`)).length > 0, 'a restarted stream is read from its start')
  for (const query of ['limit=x', 'before=1.5', 'after=-3', `type=${'x'.repeat(101)}`, `about=${'x'.repeat(101)}`])
    assert.is((await ask('GET', `/console/api/events?${query}`, { token })).status, 400, query)
})

test.run()
