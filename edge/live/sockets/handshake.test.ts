import { once } from 'node:events'
import { get } from 'node:http'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import {
  ForbiddenError,
  type RpcError,
  ServiceUnavailableError,
  TooManyRequestsError,
} from '../../../services/kernel/base/errors.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import { openClient, refusalOf, startWorld } from '../../../test/kit/live/live.ts'
import { join } from '../../../test/kit/live/recovery.ts'
import type { LivePerson } from '../../../test/kit/live/services.ts'
import { refuse } from './handshake.ts'

const test = suite('the handshake of a socket')

const [workspaceId, ecosystemId] = [newId(), newId()]
const ana: LivePerson = { userId: newId(), memberId: newId(), workspaces: [{ workspaceId, ecosystemId }] }
const stranger: LivePerson = { userId: newId(), memberId: newId(), workspaces: [] }
const slow: LivePerson = { userId: newId(), memberId: newId(), workspaces: [{ workspaceId, ecosystemId }] }
const world = await startWorld([ana, slow], [], { sweepMs: 50 })
test.after(() => world.end())

const url = world.addressOf('news')
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

for (const [title, make] of [
  ['a token that is not ours', () => new WebSocket(url, bearer('a.b.c'))],
  ['a header that is no bearer', () => new WebSocket(url, { headers: { authorization: 'Basic YTpi' } })],
  ['an expired token', () => new WebSocket(url, bearer(world.tokenOf(ana, -60)))],
  ['a bad token as subprotocol', () => new WebSocket(url, ['bearer', 'nonsense'])],
  ['a subprotocol without its token', () => new WebSocket(url, ['bearer'])],
  ['a bad token in the query', () => new WebSocket(`${url}/ws?token=x`)],
] as const)
  test(`${title} is refused with 401 before the upgrade`, async () => {
    const { status, body } = await refusalOf(make())
    assert.is(status, 401)
    assert.is(body['error'], 'UnauthorizedError')
    assert.is(body['statusCode'], 401)
    assert.type(body['requestId'], 'string')
  })

test('a token opens a socket on /ws and on /, as a header, subprotocol or query parameter', async () => {
  const token = world.tokenOf(ana)
  const clients = await Promise.all([
    openClient(new WebSocket(`${url}/ws`, bearer(token))),
    openClient(new WebSocket(`${url}/ws`, bearer(` ${token}`))),
    openClient(new WebSocket(url, ['bearer', token])),
    openClient(new WebSocket(`${url}/ws?token=${encodeURIComponent(token)}`)),
  ])
  assert.equal(
    clients.map(({ ws }) => ws.protocol),
    ['', '', 'bearer', ''],
  )
  for (const { ws } of clients) ws.close()
  await Promise.all(clients.map(client => client.closed()))
})

test('another path is refused with 404', async () => {
  const { status } = await refusalOf(new WebSocket(`${url}/elsewhere`, bearer(world.tokenOf(ana))))
  assert.is(status, 404)
})

test('an unreadable address is answered as an unknown path', async () => {
  const { port } = new URL(url)
  const headers = { connection: 'Upgrade', upgrade: 'websocket', 'x-request-id': 'r-17' }
  for (const path of ['//', '//ws', '*', 'http://[/elsewhere']) {
    const [response] = await once(get({ port, host: '127.0.0.1', path, headers }), 'response')
    response.resume()
    assert.is(response.statusCode, 404, path)
  }
})

test('a refusal repeats the request id of the client', async () => {
  const { body } = await refusalOf(new WebSocket(`${url}/ws?token=x`, { headers: { 'x-request-id': 'r-17' } }))
  assert.is(body['requestId'], 'r-17')
})

test('a person who is not an active member is refused with 403', async () => {
  const { status, body } = await refusalOf(new WebSocket(url, bearer(world.tokenOf(stranger))))
  assert.equal([status, body['error']], [403, 'ForbiddenError'])
})

for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example'])
  test(`a page of ${origin} is refused with 403, even with a valid token`, async () => {
    const { status } = await refusalOf(new WebSocket(url, { ...bearer(world.tokenOf(ana)), origin }))
    assert.is(status, 403)
  })

for (const origin of ['https://app.example', 'http://127.0.0.1:9999'])
  test(`a page of ${origin}, which is listed or of the same host, opens a socket`, async () => {
    const { ws, closed } = await openClient(new WebSocket(url, { ...bearer(world.tokenOf(ana)), origin }))
    ws.close()
    await closed()
  })

test('a socket without a credential authenticates with its first frame', async () => {
  const client = await openClient(new WebSocket(url))
  const refusal = await client.ask('joinWorkspace', workspaceId)
  assert.equal([refusal.event, refusal.data['statusCode']], ['error', 401])
  const { event, data } = await client.ask('auth', world.tokenOf(ana))
  assert.is(event, 'ack')
  assert.equal(data['rooms'], [`member:${ana.memberId}`, `ecosystem:${ecosystemId}`])
  assert.is((await client.ask('joinWorkspace', workspaceId)).event, 'ack')
  client.ws.close()
  await client.closed()
})

test('a socket that does not authenticate in time is closed with 4401', async () => {
  const impatient = await world.anotherEdge({ authMs: 250, sweepMs: 50 })
  const client = await openClient(new WebSocket(impatient.addressOf('news')))
  assert.is(await client.closed(), 4401)
})

test('a socket whose token is still being checked is not closed as late', async () => {
  const impatient = await world.anotherEdge({ authMs: 1_000, sweepMs: 20 })
  const client = await openClient(new WebSocket(impatient.addressOf('news')))
  slow.beforeAnswer = () => sleep(1_500)
  assert.is((await client.ask('auth', world.tokenOf(slow))).event, 'ack')
  client.ws.close()
  await client.closed()
  await impatient.end()
})

test('when all clients return at once, people are looked up a few at a time', async () => {
  const crowd: LivePerson[] = Array.from({ length: 80 }, () => ({ userId: newId(), memberId: newId(), workspaces: [] }))
  let [lookUps, maxLookUps] = [0, 0]
  for (const person of crowd) {
    person.workspaces.push({ workspaceId, ecosystemId })
    person.beforeAnswer = async () => {
      maxLookUps = Math.max(maxLookUps, ++lookUps)
      await sleep(20)
      lookUps--
    }
  }
  const ownWorld = await startWorld(crowd, [])
  const clients = await Promise.all(crowd.map(() => openClient(new WebSocket(ownWorld.addressOf('news')))))
  const answers = await Promise.all(
    clients.map((client, index) => client.ask('auth', ownWorld.tokenOf(crowd[index] ?? ana))),
  )
  assert.equal([...new Set(answers.map(({ event }) => event))], ['ack'])
  assert.is(maxLookUps, 50)
  for (const { ws } of clients) ws.close()
  await ownWorld.end()
})

test('an invalid token in the first frame is answered and closes with 4401', async () => {
  const client = await openClient(new WebSocket(url))
  assert.is((await client.ask('auth', 'nonsense')).data['statusCode'], 401)
  assert.is(await client.closed(), 4401)
})

test('a token of a person who is not a member closes with 4403', async () => {
  const client = await openClient(new WebSocket(url))
  assert.is((await client.ask('auth', world.tokenOf(stranger))).data['statusCode'], 403)
  assert.is(await client.closed(), 4403)
})

test('a handshake refused for now has the Retry-After of the error', async () => {
  const readRefusal = (error: RpcError) => {
    const socket = new PassThrough()
    refuse(socket, error, 'an-id')
    return String(socket.read())
  }
  assert.match(readRefusal(new ServiceUnavailableError()), 'Retry-After: 1\r\n')
  assert.match(readRefusal(new TooManyRequestsError(undefined, { retryAfterSeconds: 7 })), 'Retry-After: 7\r\n')
  assert.not.match(readRefusal(new ForbiddenError()), 'Retry-After')
})

test('a request that offers HTTP/2 is answered as a plain request', async () => {
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' }
  const [response] = await once(get(url.replace('ws:', 'http:'), { headers }), 'response')
  response.resume()
  // The test's bare server has no routes.
  assert.is(response.statusCode, 404)
  assert.is(response.headers['content-type'], undefined)
})

test('only a handshake with a valid token waits for frames that this process has not read', async () => {
  const ownWorld = await startWorld([ana], [], { settleMs: 3_600_000 })
  const before = await ownWorld.open('news', ana)
  const { offset } = await join(before, 'joinWorkspace', workspaceId)
  // One frame further than this process has read.
  const [epoch, position = '', stamp] = String(offset).split('-')
  const ahead = [epoch, (Number.parseInt(position, 36) + 1).toString(36), stamp].join('-')
  const address = `${ownWorld.addressOf('news')}/ws?offset=${ahead}`
  const waiting = new WebSocket(address, bearer(ownWorld.tokenOf(ana)))
  const clients = [before, await openClient(new WebSocket(address))]
  assert.is((await refusalOf(new WebSocket(address, bearer('a.b.c')))).status, 401)
  assert.is(waiting.readyState, WebSocket.CONNECTING)
  ownWorld.publish([`workspace:${workspaceId}`], 'n', { n: 1 })
  clients.push(await openClient(waiting))
  for (const { ws } of clients) ws.close()
  await ownWorld.end()
})

test.run()
