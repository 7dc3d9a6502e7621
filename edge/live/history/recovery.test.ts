import { WebSocket } from 'ws'
import { CommentCreatedSchema } from '../../../gen/platform/events/v1/comment_pb.ts'
import { HotelSettingsUpdatedSchema } from '../../../gen/platform/events/v1/hotel_pb.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { openClient, startWorld } from '../../../test/kit/live/live.ts'
import { disconnect, join, numbers, offsetOf } from '../../../test/kit/live/recovery.ts'
import type { LivePerson, Page } from '../../../test/kit/live/services.ts'
import { connect } from '../client/client.js'

const test = suite('recovery of missed frames')

const [workspace, hotel] = [newId(), newId()]
const person = (): LivePerson => ({
  userId: newId(),
  memberId: newId(),
  workspaces: [{ workspaceId: workspace, ecosystemId: hotel }],
})
const [ana, ben, eve, ivo] = [person(), person(), person(), person()]
const page: Page = { id: newId(), workspaceId: workspace }
const shy: Page = { id: newId(), workspaceId: workspace }
const world = await startWorld([ana, ben, eve, ivo], [page, shy], { socketsPerMember: 100 })
const other = await world.anotherEdge()
test.after(() => world.end())

const room = `workspace:${workspace}`
const pageRoom = `page:${page.id}`
const say = (n: number, rooms = [room]) => world.publish(rooms, 'n', { n })

test('every room frame has an offset that is equal on every process, and every join returns its start', async () => {
  const [one, two] = [await world.open('news', ana), await other.open('news', ben)]
  const answers = [await join(one, 'joinWorkspace', workspace), await join(two, 'joinWorkspace', workspace)]
  for (const { offset, recovered } of answers) assert.equal([typeof offset, recovered], ['string', undefined])
  say(1)
  await world.emit(CommentCreatedSchema, { id: newId(), pageId: page.id, content: 'x' }, { workspaceId: workspace })
  for (const n of [2, 3]) say(n)
  for (const n of [1, 2, 3]) assert.is(await offsetOf(one, n), await offsetOf(two, n))
  assert.is(new Set(one.frames.filter(({ offset }) => offset).map(({ offset }) => offset)).size, 3)
  await Promise.all([one, two].map(disconnect))
})

test('missed frames are replayed on any process: all of them, once, in order, marked, before the answer', async () => {
  const client = await world.open('news', ana)
  await join(client, 'joinWorkspace', workspace)
  say(10)
  const offset = await offsetOf(client, 10)
  await disconnect(client)
  // One on each process: frames that a process has not delivered yet would arrive after the ack, unmarked.
  const witnesses = [await world.open('news', ben), await other.open('news', ben)]
  for (const witness of witnesses) await join(witness, 'joinWorkspace', workspace)
  for (let n = 11; n <= 20; n++) say(n)
  for (const witness of witnesses) await offsetOf(witness, 20)
  for (const edge of [world, other]) {
    const returnedClient = await edge.open('news', ana)
    const { recovered } = await join(returnedClient, 'joinWorkspace', workspace, offset)
    assert.is(recovered, true)
    assert.equal(
      returnedClient.frames.map(({ event, data, recovered: marked }) => [event, data['n'], marked]),
      [...Array.from({ length: 10 }, (_, index) => ['n', 11 + index, true]), ['ack', undefined, undefined]],
    )
    await disconnect(returnedClient)
  }
  await Promise.all(witnesses.map(disconnect))
})

test('no frame is lost or repeated while clients reconnect during a stream of frames', async () => {
  const total = 400
  const edges = [world, other]
  const before = await world.open('news', eve)
  const start = (await join(before, 'joinPage', page.id))['offset'] as string
  await disconnect(before)
  const saying = (async () => {
    for (let n = 1_000; n < 1_000 + total; n++) {
      say(n, n % 3 === 0 ? [room, pageRoom] : n % 3 === 1 ? [room] : [pageRoom])
      if (n % 4 === 0) await new Promise(resolve => setTimeout(resolve, 1))
    }
  })()
  const wander = async (member: LivePerson): Promise<unknown[]> => {
    const had: unknown[] = []
    let offset = start
    const isComplete = () => had.includes(1_000 + total - 1)
    for (let turn = 0; !isComplete(); turn++) {
      const client = await (edges[turn % 2] ?? world).open('news', member)
      const [first, second] = [
        await join(client, 'joinWorkspace', workspace, offset),
        await join(client, 'joinPage', page.id, offset),
      ]
      assert.equal([first['recovered'], second['recovered']], [true, true])
      await new Promise(resolve => setTimeout(resolve, 5))
      client.ws.terminate()
      await client.closed()
      had.push(...numbers(client.frames))
      const after = client.frames.slice(client.frames.findLastIndex(({ event }) => event === 'ack') + 1)
      offset = after.at(-1)?.offset ?? (second['offset'] as string)
    }
    return had
  }
  const [one, two] = await Promise.all([wander(ana), wander(ben)])
  await saying
  for (const had of [one, two]) {
    const all = Array.from({ length: total }, (_, index) => 1_000 + index)
    assert.equal([...had].sort(), all)
  }
})

test('a frame of two rooms is replayed once, though each room is joined with the offset', async () => {
  const client = await world.open('news', ana)
  const { offset } = await join(client, 'joinWorkspace', workspace)
  await disconnect(client)
  say(30, [room, pageRoom])
  say(31, [pageRoom])
  const returnedClient = await world.open('news', ana)
  await join(returnedClient, 'joinWorkspace', workspace, String(offset))
  await join(returnedClient, 'joinPage', page.id, String(offset))
  await offsetOf(returnedClient, 31)
  assert.equal(numbers(returnedClient.frames), [30, 31])
  await disconnect(returnedClient)
})

test('the member’s own room is recovered by the address and by the auth frame', async () => {
  const ownRoom = `member:${ivo.memberId}`
  const client = await world.open('notification', ivo, {}, '?offset=')
  const ready = await client.next('ready')
  assert.equal(ready.data['rooms'], [ownRoom, `ecosystem:${hotel}`, room])
  assert.is(ready.data['recovered'], undefined)
  await disconnect(client)
  say(40, [ownRoom])
  say(41, [`ecosystem:${hotel}`])
  const returnedClient = await other.open('notification', ivo, {}, `?offset=${ready.data['offset']}`)
  assert.is((await returnedClient.next('ready')).data['recovered'], true)
  await offsetOf(returnedClient, 41)
  assert.equal(numbers(returnedClient.frames), [40, 41])
  await disconnect(returnedClient)

  const bare = await openClient(new WebSocket(other.addressOf('notification')))
  const { recovered } = await join(bare, 'auth', world.tokenOf(ivo), String(ready.data['offset']))
  assert.is(recovered, true)
  await offsetOf(bare, 41)
  assert.equal(numbers(bare.frames), [40, 41])
  await disconnect(bare)
})

test('an offset that is too old, too many frames or bytes back, of another stream, in the future or invalid answers false and replays nothing', async () => {
  const client = await world.open('news', ana)
  const { offset } = await join(client, 'joinWorkspace', workspace)
  await disconnect(client)
  const witness = await world.open('news', ben)
  await join(witness, 'joinWorkspace', workspace)
  for (let n = 50; n <= 70; n++) say(n)
  await offsetOf(witness, 70)
  const [stream = '', place = ''] = String(offset).split('-')
  const farPlace = (Number.parseInt(place, 36) + 1_000_000).toString(36)
  const short = await world.anotherEdge({ settleMs: 100, historyFrames: 20 })
  const nonsense = [`${stream}-0`, `a${stream}-${place}`, `${stream}-${farPlace}`, 'x', '-', `${stream}-`]
  for (const bad of [String(offset), ...nonsense]) {
    const returnedClient = await short.open('news', ana)
    assert.is((await join(returnedClient, 'joinWorkspace', workspace, bad))['recovered'], false, bad)
    assert.equal(numbers(returnedClient.frames), [])
    say(71)
    await offsetOf(returnedClient, 71)
    await disconnect(returnedClient)
  }
  const small = await world.anotherEdge({ settleMs: 100, recoveryBytes: 500 })
  const beyond = await small.open('news', ana)
  assert.is((await join(beyond, 'joinWorkspace', workspace, String(offset)))['recovered'], false)
  assert.equal(numbers(beyond.frames), [])
  const longer = await world.open('news', ana)
  assert.is((await join(longer, 'joinWorkspace', workspace, String(offset)))['recovered'], true)
  for (const one of [beyond, longer, witness]) await disconnect(one)
  for (const edge of [short, small]) await edge.end()
})

test('an offset that is not a string, or on a frame that joins nothing, is refused', async () => {
  const client = await world.open('news', ana)
  for (const [frame, path, rule] of [
    [{ event: 'joinWorkspace', data: workspace, offset: 7 }, 'offset', 'type'],
    [{ event: 'joinWorkspace', data: workspace, offset: 'x'.repeat(65) }, 'offset', 'type'],
    [{ event: 'leaveWorkspace', data: workspace, offset: 'x' }, 'offset', 'unknown_field'],
    [{ event: 'ping', offset: 'x' }, 'offset', 'unknown_field'],
  ] as const) {
    client.send(frame)
    const [violation] = (await client.next('error')).data['violations'] as { path: string; rule: string }[]
    assert.equal([violation?.path, violation?.rule], [path, rule])
  }
  await disconnect(client)
})

test('a former member recovers nothing', async () => {
  const client = await world.open('news', eve)
  const { offset } = await join(client, 'joinWorkspace', workspace)
  await disconnect(client)
  say(80)
  // A person without any workspace would lose the socket too.
  eve.workspaces = [{ workspaceId: newId(), ecosystemId: newId() }]
  world.rightsChanged([eve.memberId])
  await eventually(async () => {
    const returnedClient = await world.open('news', eve)
    const id = newId()
    returnedClient.send({ event: 'joinWorkspace', data: workspace, id, offset })
    const answer = await eventually(() => returnedClient.frames.find(one => one.id === id))
    const isRefused = answer.data['statusCode'] === 403
    if (isRefused) assert.equal(numbers(returnedClient.frames), [])
    await disconnect(returnedClient)
    return isRefused
  })
})

test('frames of another port are not replayed', async () => {
  const client = await world.open('hotel', ana)
  const { offset } = await join(client, 'joinHotel', hotel)
  await disconnect(client)
  await world.emit(HotelSettingsUpdatedSchema, { id: newId(), hotelIds: [hotel], changes: { language: 'fr' } }, {})
  world.publish([`hotel:${hotel}`], 'page.created', { id: page.id })
  say(90, [`hotel:${hotel}`])
  await eventually(async () => {
    const returnedClient = await world.open('hotel', ana)
    await join(returnedClient, 'joinHotel', hotel, String(offset))
    const events = returnedClient.frames.map(({ event }) => event)
    await disconnect(returnedClient)
    return events.join() === 'settings:updated,n,ack' || events.join() === 'n,settings:updated,ack'
  })
})

test('a broker that dies and restarts loses no frame for anyone', async () => {
  const client = await world.open('news', ana)
  const { offset } = await join(client, 'joinWorkspace', workspace)
  say(100)
  await offsetOf(client, 100)
  await world.bus.kill()
  await eventually(() => !world.host.bus.status().connected)
  await world.bus.start()
  await eventually(() => world.host.bus.status().connected)
  await eventually(() => say(101))
  await offsetOf(client, 101)
  const returnedClient = await other.open('news', ana)
  assert.is((await join(returnedClient, 'joinWorkspace', workspace, String(offset)))['recovered'], true)
  await offsetOf(returnedClient, 101)
  assert.equal(numbers(returnedClient.frames), [100, 101])
  for (const one of [client, returnedClient]) await disconnect(one)
})

test('a process that starts later replays earlier frames', async () => {
  const client = await world.open('news', ana)
  const { offset } = await join(client, 'joinWorkspace', workspace)
  for (const n of [110, 111]) say(n)
  await offsetOf(client, 111)
  const lateEdge = await world.anotherEdge()
  const returnedClient = await lateEdge.open('news', ben)
  assert.is((await join(returnedClient, 'joinWorkspace', workspace, String(offset)))['recovered'], true)
  assert.equal(numbers(returnedClient.frames), [110, 111])
  say(112)
  await offsetOf(returnedClient, 112)
  for (const one of [client, returnedClient]) await disconnect(one)
})

test('sockets, rooms, frames, recoveries and closes are measured', async () => {
  const edge = await world.anotherEdge()
  const read = async (name: string, labels = ''): Promise<number | undefined> => {
    const line = (await edge.registry.metrics()).split('\n').find(one => one.startsWith(`${name}${labels} `))
    return line === undefined ? undefined : Number(line.split(' ')[1])
  }
  const client = await edge.open('news', ana)
  const { offset } = await join(client, 'joinWorkspace', workspace)
  assert.equal([await read('live_sockets'), await read('live_members'), await read('live_rooms')], [1, 1, 3])
  say(120)
  await offsetOf(client, 120)
  assert.is(await read('live_frames_total', '{outcome="delivered"}'), 1)
  const returnedClient = await edge.open('news', ben)
  await join(returnedClient, 'joinWorkspace', workspace, String(offset))
  await join(returnedClient, 'joinPage', page.id, 'nonsense')
  assert.is(await read('live_recoveries_total', '{outcome="recovered"}'), 1)
  assert.is(await read('live_recoveries_total', '{outcome="lost"}'), 1)
  assert.ok(((await read('live_history_frames')) ?? 0) > 0)
  await edge.end()
  assert.equal([await client.closed(), await returnedClient.closed()], [1001, 1001])
  assert.equal([await read('live_sockets'), await read('live_rooms')], [0, 0])
})

test('the browser client asks again for a room that was unavailable, and misses nothing', async () => {
  const wires = new Set<{ destroy(): void }>()
  for (const { server } of world.servers) server.on('upgrade', (_request, socket) => wires.add(socket))
  const [frameNumbers, refusals, gaps]: [unknown[], unknown[], unknown[]] = [[], [], []]
  let openings = 0
  const client = connect({
    url: `${world.addressOf('news')}/ws`,
    token: () => world.tokenOf(ivo),
    gap: event => gaps.push(event),
    state: state => (openings += state === 'open' ? 1 : 0),
  })
  client.on('n', data => frameNumbers.push((data as { n: number }).n))
  client.join('joinPage', shy.id, error => refusals.push((error as Error & { statusCode: number }).statusCode))
  await eventually(() => openings === 1)
  say(130, [`page:${shy.id}`])
  await eventually(() => frameNumbers.length === 1)
  shy.isAway = true
  for (const wire of wires) wire.destroy()
  say(131, [`page:${shy.id}`])
  await eventually(() => openings === 2 && refusals.length > 0)
  say(132, [`page:${shy.id}`])
  // Frames of other rooms don't affect this one.
  say(133, [`member:${ivo.memberId}`])
  await eventually(() => frameNumbers.length === 2)
  shy.isAway = false
  await eventually(() => frameNumbers.length === 4)
  client.close()
  assert.equal(frameNumbers, [130, 133, 131, 132])
  assert.equal([new Set(refusals), gaps], [new Set([503]), []])
})

test.run()
