import { newId } from '../../../services/kernel/base/ids.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { type Client, startWorld } from '../../../test/kit/live/live.ts'
import type { LivePerson } from '../../../test/kit/live/services.ts'
import type { Hub } from '../hub.ts'
import { createReporter } from './presence-reports.ts'

const test = suite('presence')

const [here, there, hotel, otherHotel] = [newId(), newId(), newId(), newId()]
const person = (workspaceId = here, ecosystemId = hotel): LivePerson => ({
  userId: newId(),
  memberId: newId(),
  workspaces: [{ workspaceId, ecosystemId }],
})
const [watcher, ana, ben, eve, kim] = [person(), person(), person(), person(), person()]
const [lou, ida, ned, uma, zoe] = [person(), person(), person(), person(), person()]
const people = [watcher, ana, ben, eve, kim, lou, ida, ned, uma, zoe]
const stranger = person(there, otherHotel)
const root: LivePerson = { userId: newId(), memberId: newId(), workspaces: [], isSuperAdmin: true }
// Long limits, so that a stalled machine makes no process a lost one. The tests of lost processes start their own.
const limits = { presenceBeatMs: 20_000, presenceLostMs: 60_000, presenceGraceMs: 50, socketsPerMember: 6, sweepMs: 50 }
const world = await startWorld([...people, stranger, root], [], limits)
const other = await world.anotherEdge()
test.after(() => world.end())

async function gone(...clients: Client[]): Promise<void> {
  for (const { ws } of clients) ws.close()
  await Promise.all(clients.map(client => client.closed()))
}

/** The close code of a new socket, or 'lives'; closes it afterwards. */
async function fate(client: Client): Promise<number | 'lives'> {
  let code: number | undefined
  const closing = client.closed().then(given => (code = given))
  client.send({ event: 'ping' })
  await eventually(() => code !== undefined || client.frames.some(({ event }) => event === 'ack'))
  if (code !== undefined) return code
  client.ws.close()
  await closing
  return 'lives'
}

/** The presence frames about a member that a socket received, in order. */
const told = ({ frames }: Client, { memberId }: LivePerson): string[] =>
  frames
    .filter(({ event, data }) => /^presence:(joined|left)$/.test(event) && data['memberId'] === memberId)
    .map(f => f.event)

/** Waits for the last presence frame about a member. */
const last = (client: Client, event: 'joined' | 'left', who: LivePerson) =>
  eventually(() => told(client, who).at(-1) === `presence:${event}`)

async function watching(
  edge: Pick<typeof world, 'open'> = world,
  service = 'news',
): Promise<Client & { list: unknown }> {
  const client = await edge.open(service, watcher)
  assert.equal((await client.ask('joinPresence', here)).data['rooms'], [`workspace:${here}:presence`])
  const { data } = await client.next('presence:list')
  assert.is(data['workspaceId'], here)
  return { ...client, list: data['memberIds'] }
}

/** Waits until a list contains exactly these people. */
const online = (edge: Pick<typeof world, 'open'>, ...wanted: LivePerson[]) =>
  eventually(async () => {
    const client = await edge.open('member', watcher)
    await client.ask('joinPresence', here)
    const { data } = await client.next('presence:list')
    await gone(client)
    return JSON.stringify(data['memberIds']) === JSON.stringify([watcher, ...wanted].map(one => one.memberId).sort())
  })

test('many sockets, devices and processes are one person, who joins with the first and leaves after the last', async () => {
  const client = await watching()
  assert.equal(client.list, [watcher.memberId])
  const phone = await other.open('notification', ana)
  await last(client, 'joined', ana)
  assert.equal(client.frames.at(-1)?.data, { workspaceId: here, memberId: ana.memberId })
  const desk = await world.open('hotel', ana)
  const tab = await world.open('news', ana)
  await online(other, ana)
  await gone(phone, tab)
  const ben1 = await other.open('news', ben)
  await last(client, 'joined', ben)
  await gone(desk)
  await last(client, 'left', ana)
  assert.equal(told(client, ana), ['presence:joined', 'presence:left'])
  await online(world, ben)
  await gone(ben1)
  await last(client, 'left', ben)
  await gone(client)
})

test('a member who reloads the page stays online', async () => {
  const calm = await startWorld(people, [], { ...limits, presenceGraceMs: 60_000 })
  const client = await calm.open('news', watcher)
  await client.ask('joinPresence', here)
  for (let round = 0; round < 3; round++) await gone(await calm.open('news', ana))
  await gone(await calm.open('news', ben))
  await last(client, 'joined', ben)
  assert.equal(told(client, ana), ['presence:joined'])
  await gone(client)
  await calm.end()
})

test('presence is refused to anyone outside the workspace; a platform administrator watches without appearing', async () => {
  const outside = await world.open('news', stranger)
  assert.is((await outside.ask('joinPresence', here)).data['statusCode'], 403)
  assert.is((await outside.ask('joinPresence', newId())).data['statusCode'], 403)
  assert.is((await outside.ask('joinPresence', 'x')).data['statusCode'], 400)
  const client = await watching()
  const admin = await world.open('news', root)
  assert.is((await admin.ask('joinPresence', here)).event, 'ack')
  assert.is((await admin.ask('joinPresence', newId())).data['statusCode'], 404)
  const ana1 = await world.open('news', ana)
  await last(client, 'joined', ana)
  assert.equal([told(client, root), told(client, stranger)], [[], []])
  await outside.ask('ping')
  assert.equal(outside.frames, [])
  await gone(outside, client, admin, ana1)
})

test('presence rooms send nothing after they were left', async () => {
  const client = await watching()
  assert.equal((await client.ask('leavePresence', here)).data['rooms'], [`workspace:${here}:presence`])
  const second = await watching(world, 'hotel')
  const ben1 = await world.open('news', ben)
  await last(second, 'joined', ben)
  await client.ask('ping')
  assert.equal(told(client, ben), [])
  await gone(client, second, ben1)
})

test('a hidden socket is not counted, appears when shown, and disappears when hidden again', async () => {
  const client = await watching(other)
  const hidden = await world.open('news', eve, {}, '?presence=invisible')
  const sign = await world.open('news', kim)
  await last(client, 'joined', kim)
  assert.equal(told(client, eve), [])
  await hidden.ask('setPresence', { visible: true })
  await last(client, 'joined', eve)
  await hidden.ask('setPresence', { visible: false })
  await last(client, 'left', eve)
  assert.is((await hidden.ask('setPresence', { visible: 'no' })).data['statusCode'], 400)
  assert.is((await hidden.ask('setPresence', { hidden: true })).data['statusCode'], 400)
  await gone(client, hidden, sign)
})

test('an invisible member stays invisible on every socket and process and after reconnecting, until the setting changes', async () => {
  const client = await watching(other)
  const [phone, desk] = [await world.open('notification', ida), await other.open('news', ida)]
  await last(client, 'joined', ida)
  ida.isInvisible = true
  world.rightsChanged([ida.memberId])
  await last(client, 'left', ida)
  await gone(phone)
  const back = await world.open('hotel', ida)
  const shown = await other.open('news', ida)
  await shown.ask('setPresence', { visible: true })
  const sign = await world.open('news', uma)
  await last(client, 'joined', uma)
  assert.equal(told(client, ida), ['presence:joined', 'presence:left'])
  await online(other, uma)
  ida.isInvisible = false
  world.rightsChanged([ida.memberId])
  await last(client, 'joined', ida)
  await gone(client, desk, back, shown, sign)
})

test('a new token applies changes since the last one', async () => {
  const client = await watching()
  const socket = await world.open('news', ned)
  await last(client, 'joined', ned)
  ned.isInvisible = true
  // No event reports this change: the cached rights must expire.
  await eventually(async () => (await world.host.rights.ofUser(ned.userId))?.isInvisible === true)
  assert.is((await socket.ask('auth', world.tokenOf(ned))).event, 'ack')
  await last(client, 'left', ned)
  await gone(client, socket)
})

test('rights that change while a new token is checked are applied', async () => {
  const client = await watching()
  const socket = await world.open('news', kim)
  await last(client, 'joined', kim)
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  kim.beforeAnswer = () => {
    asked.resolve()
    return released.promise
  }
  world.host.rights.evict()
  const renewed = socket.ask('auth', world.tokenOf(kim))
  await asked.promise
  delete kim.beforeAnswer
  const before = kim.workspaces
  kim.workspaces = [{ workspaceId: there, ecosystemId: otherHotel }]
  world.rightsChanged([kim.memberId])
  await last(client, 'left', kim)
  released.resolve()
  assert.is((await renewed).event, 'ack')
  await client.ask('ping')
  await last(client, 'left', kim)
  kim.workspaces = before
  await gone(client, socket)
})

test('a member removed from the workspace disappears from its presence and can no longer watch it', async () => {
  const client = await watching()
  const leaver = await other.open('news', eve)
  await leaver.ask('joinPresence', here)
  await last(client, 'joined', eve)
  const before = eve.workspaces
  eve.workspaces = [{ workspaceId: there, ecosystemId: otherHotel }]
  world.rightsChanged([eve.memberId])
  await last(client, 'left', eve)
  const rooms = [await leaver.next('room:left'), await leaver.next('room:left')].map(({ data }) => data['room'])
  assert.ok(rooms.includes(`workspace:${here}:presence`))
  eve.workspaces = before
  world.rightsChanged([eve.memberId])
  await last(client, 'joined', eve)
  await gone(client, leaver)
})

test('a silent process is dropped with its people, and one that reports its life is kept', async () => {
  const short = { ...limits, presenceBeatMs: 200, presenceLostMs: 1_000 }
  const [near, alive] = [await world.anotherEdge(short), await world.anotherEdge(short)]
  const client = await watching(near)
  const far = await alive.open('news', ana)
  await last(client, 'joined', ana)
  const say = (report: object) => world.host.bus.publishCore('live.presence', JSON.stringify(report))
  const entry = { owner: zoe.memberId, workspaceIds: [here], sockets: 2, visible: true, newest: '0' }
  say({ edge: 'dead', number: '1', complete: true, entries: [entry] })
  await eventually(() => told(client, zoe).length === 2)
  assert.equal(told(client, zoe), ['presence:joined', 'presence:left'])
  // Reported before the other one: without its heartbeat it would be gone by now, for good.
  await last(client, 'joined', ana)
  say({ edge: 'dead', number: '1', leaving: true })
  await gone(client, far)
  await Promise.all([near.end(), alive.end()])
})

test('a missed report is requested again, and an invalid one is ignored', async () => {
  const client = await watching()
  world.host.bus.publishCore('live.presence', 'nonsense')
  const asked: string[] = []
  const stop = world.host.bus.subscribeCore('live.presence', bytes => {
    const { wanted } = JSON.parse(Buffer.from(bytes).toString()) as { wanted?: string }
    if (wanted) asked.push(wanted)
  })
  world.host.bus.publishCore('live.presence', JSON.stringify({ edge: 'gap', number: '1', complete: true }))
  const entry = { owner: lou.memberId, workspaceIds: [here], sockets: 1, visible: true, newest: '0' }
  world.host.bus.publishCore('live.presence', JSON.stringify({ edge: 'gap', number: '3', entries: [entry] }))
  await eventually(() => asked.includes('gap'))
  world.host.bus.publishCore(
    'live.presence',
    JSON.stringify({ edge: 'gap', number: '4', complete: true, entries: [entry] }),
  )
  await last(client, 'joined', lou)
  world.host.bus.publishCore('live.presence', JSON.stringify({ edge: 'gap', number: '4', leaving: true }))
  await last(client, 'left', lou)
  stop()
  await gone(client)
})

test('a complete report in parts drops only people whom none of its parts names', async () => {
  const client = await watching()
  const say = (report: object) =>
    world.host.bus.publishCore('live.presence', JSON.stringify({ edge: 'parts', ...report }))
  const of = ({ memberId }: LivePerson) => ({ owner: memberId, workspaceIds: [here], sockets: 1, visible: true })
  say({ number: '1', complete: true, more: true, entries: [of(zoe)] })
  say({ number: '2', entries: [of(kim)] })
  await last(client, 'joined', zoe)
  await last(client, 'joined', kim)
  say({ number: '3', complete: true, more: true, entries: [of(zoe), of(lou)] })
  // Longer than the grace of people who leave.
  const between = await world.open('news', ben)
  await last(client, 'joined', ben)
  await gone(between)
  await last(client, 'left', ben)
  assert.equal(told(client, kim), ['presence:joined'])
  say({ number: '4', entries: [of(eve)] })
  await last(client, 'left', kim)
  say({ number: '4', leaving: true })
  for (const person of [zoe, lou, eve]) await last(client, 'left', person)
  assert.equal(
    [zoe, lou, eve].map(person => told(client, person).length),
    [2, 2, 2],
  )
  await gone(client)
})

test('a process that starts asks all others for the number of their last report, and only unknown ones for everything', async () => {
  type Report = { edge: string; number: string; complete: boolean; wanted: string; entries: object[] }
  const reports: Report[] = []
  const stop = world.host.bus.subscribeCore('live.presence', bytes => {
    reports.push(JSON.parse(Buffer.from(bytes).toString()) as Report)
  })
  const say = (report: object) =>
    world.host.bus.publishCore('live.presence', JSON.stringify({ edge: 'new', ...report }))
  const near = await world.open('news', ana)
  await eventually(() => reports.some(({ entries }) => entries.length > 0))
  say({ number: '0', wanted: '*' })
  const answers = () => reports.filter(({ edge, wanted }) => edge !== 'new' && wanted === '')
  await eventually(() => new Set(answers().map(({ edge }) => edge)).size === 2)
  assert.equal(
    reports.filter(({ complete, wanted }) => complete || wanted === 'new'),
    [],
  )
  const [busy] = answers().filter(({ entries }) => entries.length > 0)
  say({ number: '0', wanted: busy?.edge })
  await eventually(() => reports.some(({ edge, complete }) => edge === busy?.edge && complete))
  say({ number: '0', leaving: true })
  stop()
  await gone(near)
})

test('a report of many people in many workspaces is cut into messages that the broker takes', async () => {
  const workspaceIds = Array.from({ length: 50 }, newId)
  const personIds = Array.from({ length: 2_000 }, newId)
  const sockets = new Set([{ identity: { workspaceIds, isInvisible: false }, isHidden: false, openedAt: 1 }])
  const hub = { host: world.host, socketsByPerson: new Map(personIds.map(id => [id, sockets])) } as unknown as Hub
  const named = new Set<string>()
  const stop = world.host.bus.subscribeCore('live.presence', bytes => {
    const { edge, entries } = JSON.parse(Buffer.from(bytes).toString()) as {
      edge: string
      entries: { owner: string }[]
    }
    if (edge === 'large') for (const { owner } of entries) named.add(owner)
  })
  const reporter = createReporter(hub, 'large')
  reporter.reportAllSoon()
  await eventually(() => named.size === personIds.length)
  reporter.stop()
  stop()
})

test('a reconnected broker loses nobody who is online', async () => {
  const client = await watching()
  const far = await other.open('news', ana)
  await last(client, 'joined', ana)
  await world.bus.kill()
  await eventually(() => !world.host.bus.status().connected)
  await world.bus.start()
  await eventually(() => world.host.bus.status().connected)
  const near = await other.open('news', ben)
  await last(client, 'joined', ben)
  assert.is(told(client, ana).at(-1), 'presence:joined')
  await online(world, ana, ben)
  await gone(client, far, near)
})

test('the sockets of a member are counted across processes', async () => {
  // A person without messages in flight: an older socket counted late would cost one of the six.
  const six: Client[] = []
  for (const service of ['news', 'hotel', 'member'])
    for (const edge of [world, other]) six.push(await edge.open(service, lou))
  await eventually(async () => {
    return (await fate(await world.open('news', lou))) === 4429
  })
  await gone(...six)
  await eventually(async () => {
    return (await fate(await world.open('news', lou))) === 'lives'
  })
})

test('when two processes admit one socket too many at once, the newest is closed', async () => {
  const opening = Array.from({ length: 8 }, (_, index) => (index % 2 ? world : other).open('news', ben))
  const clients = await Promise.all(opening)
  await eventually(() => clients.filter(({ ws }) => ws.readyState === ws.OPEN).length <= 6)
  const fates = await Promise.all(clients.map(fate))
  assert.equal(new Set(fates), new Set(['lives', 4429]))
  const living = fates.filter(one => one === 'lives').length
  assert.ok(living >= 3 && living <= 6, `${living} live`)
})

test.run()
