import { WebSocket } from 'ws'
import { startEdge } from '../../edge/edge.ts'
import { AccountService } from '../../gen/platform/auth/v1/accounts_pb.ts'
import { service as auth } from '../../services/auth/service.ts'
import type { AccessClaims } from '../../services/kernel/access/tokens.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { silentLog } from '../../services/kernel/process/log.ts'
import { startHost } from '../../services/kernel/rpc/host.ts'
import { service as member } from '../../services/member/service.ts'
import { anyPorts, startTestEdge } from '../kit/edge.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { freePorts } from '../kit/platform/ports.ts'

const test = suite('ended sessions')

const chief = { email: 'chief@platform.example', password: 'chief horse 99' }
const [port = 0] = await freePorts(1)
const extra = {
  AUTH_RPC_PORT: String(port),
  SIGN_IN_LIMIT: '1000',
  SIGN_IN_SUBJECT_LIMIT: '1000',
  BOOTSTRAP_ADMIN_EMAIL: chief.email,
  BOOTSTRAP_ADMIN_PASSWORD: chief.password,
}
const { host, urls, end } = await startTestEdge([auth, member], extra, { accounts: 'checked' })
const accounts = host.client(AccountService)
// Acts as another process with its own cache.
const otherHost = await startHost([], { ...host.env, AUTH_RPC_URL: `http://127.0.0.1:${port}` }, silentLog)

test.after(async () => {
  await otherHost.stop()
  await end()
})

type Tokens = { accessToken: string; refreshToken: string }

async function call(url: string, token: string, method = 'GET', body?: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  return fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
}
async function signIn({ email, password } = chief): Promise<Tokens> {
  return (await call(`${urls.auth}/auth/login`, '', 'POST', { email, password })).json() as Promise<Tokens>
}
/** Status of the member service for a token: 200 for a live account. */
const atMember = async (token: string): Promise<number> =>
  (await call(`${urls.member}/workspaces/get/all`, token)).status
const claimsOf = (token: string) => host.tokens.verify(token) as AccessClaims
const socket = (token: string) => new WebSocket(`${urls.member.replace('http', 'ws')}/ws?token=${token}`)

/** Close code of a socket, once the server has closed it. */
const closing = (ws: WebSocket) => new Promise<number>(resolve => ws.once('close', resolve))

await eventually(async () => (await atMember((await signIn()).accessToken)) === 200)

test('in production a socket sends its token as a header or subprotocol, because addresses are logged', async () => {
  const strict = await startEdge(host, { ...host.env, ...anyPorts, NODE_ENV: 'production' }, silentLog)
  const { accessToken } = await signIn()
  const address = `${strict.urls.member.replace('http', 'ws')}/ws`
  const outcomeOf = (ws: WebSocket) =>
    new Promise<number | undefined>(resolve => {
      ws.on('error', () => undefined)
      ws.once('open', () => resolve(101)).once('unexpected-response', (_, { statusCode }) => resolve(statusCode))
    }).finally(() => ws.terminate())
  const outcomes = [
    await outcomeOf(new WebSocket(address, { headers: { authorization: `Bearer ${accessToken}` } })),
    await outcomeOf(new WebSocket(address, ['bearer', accessToken])),
    await outcomeOf(new WebSocket(`${address}?token=${accessToken}`)),
    await outcomeOf(socket(accessToken)),
  ]
  await strict.stop()
  assert.equal(outcomes, [101, 101, 401, 101])
})

test('after signing out the next request is a 401 on another service, and other sessions continue', async () => {
  const [one, two] = [await signIn(), await signIn()]
  assert.equal([await atMember(one.accessToken), await atMember(two.accessToken)], [200, 200])
  const out = await call(`${urls.auth}/auth/logout`, one.accessToken, 'POST', { refreshToken: one.refreshToken })
  assert.is(out.status, 200)
  assert.equal([await atMember(one.accessToken), await atMember(two.accessToken)], [401, 200])
  const headers = { authorization: `Bearer ${one.accessToken}`, accept: 'application/problem+json' }
  const refusal = await fetch(`${urls.member}/members/get/all`, { headers })
  assert.match(refusal.headers.get('www-authenticate') ?? '', 'error_description="The session has ended"')
  assert.is(((await refusal.json()) as { reason: string }).reason, 'The session has ended')
})

test('another process drops its cached session as soon as it ends', async () => {
  const { accessToken, refreshToken } = await signIn()
  const claims = claimsOf(accessToken)
  assert.is(await otherHost.accounts.isValid(claims), true)
  // The cache entry must be dropped by the event, not by its age.
  const forget = otherHost.accounts.evict
  const evictedIds: unknown[] = []
  otherHost.accounts.evict = userId => {
    forget(userId)
    evictedIds.push(userId)
  }
  await call(`${urls.auth}/auth/logout`, accessToken, 'POST', { refreshToken })
  await eventually(() => evictedIds.includes(claims.userId))
  assert.is(await otherHost.accounts.isValid(claims), false)
  otherHost.accounts.evict = forget
})

test('sockets of an ended session are closed with 4401, those of others stay, and it opens no new one', async () => {
  const [one, two] = [await signIn(), await signIn()]
  const [endedSocket, otherSocket] = [socket(one.accessToken), socket(two.accessToken)]
  await Promise.all([endedSocket, otherSocket].map(ws => new Promise(resolve => ws.once('open', resolve))))
  const code = closing(endedSocket)
  await call(`${urls.auth}/auth/logout`, one.accessToken, 'POST', { refreshToken: one.refreshToken })
  assert.is(await code, 4401)
  // A closed socket answers no ping.
  const whenAnswered = new Promise(resolve => otherSocket.once('pong', () => resolve('pong')).once('close', resolve))
  otherSocket.ping()
  assert.is(await whenAnswered, 'pong')
  otherSocket.close()
  const refusedSocket = socket(one.accessToken)
  refusedSocket.on('error', () => undefined)
  const status = await new Promise(resolve => {
    refusedSocket.once('unexpected-response', (_request, response) => resolve(response.statusCode))
  })
  assert.is(status, 401)
})

test('every end of an account or its sessions refuses its next request and closes its sockets with 4401', async () => {
  const person = { email: `${newId()}@platform.example`, password: 'second horse 98' }
  const ends: ((token: string, userId: string) => Promise<unknown>)[] = [
    (_token, userId) => accounts.revokeUserTokens({ userId }),
    token => call(`${urls.auth}/password/forgot`, token, 'POST', { email: person.email }),
    (_token, userId) => accounts.deactivateUsers({ userIds: [userId], reason: 'hotel deleted' }),
    token => call(`${urls.auth}/users/me`, token, 'DELETE', { password: person.password }),
  ]
  const { userId } = await accounts.ensureAdministrator(person)
  for (const [index, end] of ends.entries()) {
    const { accessToken } = await signIn(person)
    const ws = socket(accessToken)
    await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject))
    const code = closing(ws)
    await end(accessToken, userId)
    if (index === 1) {
      // Requesting a reset ends no session.
      assert.is(await atMember(accessToken), 200)
      ws.close()
      continue
    }
    assert.is(await atMember(accessToken), 401)
    assert.is(await code, 4401)
    await accounts.reactivateUsers({ userIds: [userId] })
  }
  assert.is((await call(`${urls.auth}/auth/login`, '', 'POST', person)).status, 401)
})

test('a changed password ends the other sessions and their sockets, and keeps the current one', async () => {
  const person = { email: `${newId()}@platform.example`, password: 'third horse 97' }
  await accounts.ensureAdministrator(person)
  const [otherSession, ownSession] = [await signIn(person), await signIn(person)]
  await eventually(async () => (await atMember(ownSession.accessToken)) === 200)
  const ws = socket(otherSession.accessToken)
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject))
  const code = closing(ws)
  const body = { currentPassword: person.password, newPassword: 'another horse 8' }
  assert.is((await call(`${urls.auth}/password/change`, ownSession.accessToken, 'POST', body)).status, 200)
  assert.is(await code, 4401)
  assert.equal([await atMember(otherSession.accessToken), await atMember(ownSession.accessToken)], [401, 200])
})

test.run()
