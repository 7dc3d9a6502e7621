import { WebSocket } from 'ws'
import { newId } from '../../../services/kernel/base/ids.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { type Client, openClient, startWorld } from '../../../test/kit/live/live.ts'
import type { LivePerson } from '../../../test/kit/live/services.ts'

const test = suite('limits of a socket')

const person = (): LivePerson => ({
  userId: newId(),
  memberId: newId(),
  workspaces: [{ workspaceId: newId(), ecosystemId: newId() }],
})
const [ana, ben, eve] = [person(), person(), person()]
const limits = { sweepMs: 20, socketsPerMember: 10, roomsPerSocket: 20 }
const world = await startWorld([ana, ben, eve], [], limits)
test.after(() => world.end())

test('a client that answers no pings is closed with 4408, and one that does stays open', async () => {
  const strict = await world.anotherEdge({ sweepMs: 20, pingMs: 150 })
  const silent = await strict.open('news', ana, { autoPong: false })
  assert.is(await silent.closed(), 4408)
  // A fourth ping proves that the pong was received: a silent client is cut after two. A machine that stalls longer
  // than this edge waits makes a live client look silent; the next one isn't.
  await eventually(async () => {
    const lively = await strict.open('news', ana)
    let pings = 0
    lively.ws.on('ping', () => pings++)
    await eventually(() => pings > 3 || lively.ws.readyState !== WebSocket.OPEN)
    lively.ws.close()
    await lively.closed()
    return pings > 3
  })
  await strict.end()
})

/** A frame of that many bytes. */
const sized = (event: string, bytes: number, data = '{}'): string => {
  const frame = `{"event":"${event}","id":1,"data":${data}}`
  return `${frame}${' '.repeat(bytes - Buffer.byteLength(frame))}`
}

test('a message of 4 KiB is answered, before authentication too, and one byte more closes with 1009', async () => {
  for (const client of [await world.open('news', ana), await openClient(new WebSocket(world.addressOf('news')))]) {
    client.ws.send(sized('ping', 4 * 1024))
    assert.is((await client.next('ack')).id, 1)
    client.ws.send(sized('ping', 4 * 1024 + 1))
    assert.is(await client.closed(), 1009)
  }
})

test('a kind of message that declares more may be larger, whatever others name it', async () => {
  const open = () => world.open('hotel', ana)
  const settings = (bytes: number): string => sized('settingsUpdated', bytes, '{"hotelId":"x"}')
  const client = await open()
  client.ws.send(settings(17 * 1024))
  assert.is((await client.next('error')).id, 1)
  client.ws.send(settings(17 * 1024 + 1))
  assert.is(await client.closed(), 1009)
  const secondClient = await open()
  secondClient.ws.send(sized('joinHotel', 5_000, '"settingsUpdated"'))
  assert.is(await secondClient.closed(), 1009)
  const anonymous = await openClient(new WebSocket(world.addressOf('hotel')))
  anonymous.ws.send(settings(5_000))
  assert.is(await anonymous.closed(), 1009)
})

test('more than 64 KiB in a second close with 4429, in frames of any kind', async () => {
  const client = await world.open('hotel', ana)
  await eventually(() => {
    for (let count = 0; count < 5; count++) client.ws.send(sized('settingsUpdated', 17 * 1024))
    return client.ws.readyState !== WebSocket.OPEN
  })
  assert.is(await client.closed(), 4429)
})

test('more than 100 pongs in a second close with 4429, like other frames', async () => {
  const client = await world.open('news', ana)
  await eventually(() => {
    for (let count = 0; count < 150; count++) client.ws.pong()
    return client.ws.readyState !== WebSocket.OPEN
  })
  assert.is(await client.closed(), 4429)
})

test('frames of one socket are answered in a turn of the event loop each, so that others come between them', async () => {
  const [busy, other] = [await world.open('news', ana), await world.open('news', ana)]
  let answers = 0
  busy.ws.on('message', () => answers++)
  for (let count = 0; count < 90; count++) busy.ws.send('{"event":"nonsense"}')
  assert.is((await other.ask('ping')).event, 'ack')
  assert.ok(answers < 90, `${answers} answers before that of the other socket`)
  for (const { ws } of [busy, other]) ws.close()
})

test('a message in thousands of fragments closes with 1008', async () => {
  const client = await world.open('news', ana)
  for (let count = 0; count < 5_000; count++) client.ws.send('x', { fin: false })
  assert.is(await client.closed(), 1008)
})

test('more than 100 frames in a second close with 4429', async () => {
  const client = await world.open('news', ana)
  // A second may end within one burst, but not within each of them.
  await eventually(() => {
    for (let count = 0; count < 150; count++) client.send({ event: 'nonsense' })
    return client.ws.readyState !== WebSocket.OPEN
  })
  assert.is(await client.closed(), 4429)
})

test('the eleventh socket of a member is closed with 4429, over all ports', async () => {
  const clients: Client[] = []
  for (let count = 0; count < 10; count++) clients.push(await world.open(count % 2 ? 'news' : 'hotel', ben))
  assert.is(await (await world.open('notification', ben)).closed(), 4429)
  const [first] = clients
  first?.ws.close()
  await first?.closed()
  await eventually(() => world.live.stats().sockets === 9)
  const next = await world.open('news', ben)
  assert.is((await next.ask('ping')).event, 'ack')
  for (const { ws } of [...clients, next]) ws.close()
})

test('a socket joins at most the allowed number of rooms', async () => {
  const client = await world.open('news', eve)
  const types = Array.from({ length: 20 }, (_, index) => `type-${String.fromCharCode(97 + index)}`)
  const { data } = await client.ask('subscribeToTypes', { workspaceId: eve.workspaces[0]?.workspaceId, types })
  assert.equal([data['statusCode'], data['error']], [429, 'TooManyRequestsError'])
  client.ws.close()
})

test('a socket is closed with 4401 when its token expires, and stays open with a new one', async () => {
  // A token of whole seconds may be issued at the end of one: if it expired before it was renewed, a longer one is
  // tried.
  let seconds = 0
  await eventually(async () => {
    const short = world.tokenOf(eve, ++seconds)
    const open = () => openClient(new WebSocket(world.addressOf('news'), ['bearer', short]))
    const [ending, renewed] = [await open(), await open()]
    const id = newId()
    renewed.send({ event: 'auth', data: world.tokenOf(eve, 900), id })
    assert.is(await ending.closed(), 4401)
    if (!renewed.frames.some(frame => frame.id === id)) return false
    assert.is((await renewed.ask('ping')).event, 'ack')
    renewed.ws.close()
    return true
  })
})

test('a process at its limit of sockets closes the next one with 1013, counting unauthenticated ones', async () => {
  const full = await startWorld([ana], [], { sockets: 3, anonymousSockets: 1 })
  const bare = () => openClient(new WebSocket(full.addressOf('news')))
  const clients = [await full.open('news', ana), await bare()]
  assert.is(await (await bare()).closed(), 1013)
  // A socket that authenticates in the handshake never counts as unauthenticated.
  clients.push(await full.open('member', ana))
  assert.equal(await Promise.all(clients.map(async client => (await client.ask('ping')).event)), ['ack', 'ack', 'ack'])
  assert.is(await (await full.open('news', ana)).closed(), 1013)
  for (const { ws } of clients) ws.close()
  await Promise.all(clients.map(client => client.closed()))
  const next = await full.open('news', ana)
  assert.is((await next.ask('ping')).event, 'ack')
  await full.end()
})

test('shutdown sends pending frames, closes every socket with 1001 and accepts no more', async () => {
  const ownWorld = await startWorld([ana], [])
  const clients = [await ownWorld.open('news', ana), await ownWorld.open('member', ana)]
  await eventually(() => ownWorld.live.stats().sockets === 2)
  const closing = ownWorld.live.close()
  assert.equal(await Promise.all(clients.map(client => client.closed())), [1001, 1001])
  await closing
  assert.is(ownWorld.live.stats().sockets, 0)
  await ownWorld.end()
})

test.run()
