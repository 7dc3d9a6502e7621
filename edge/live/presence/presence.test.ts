import { newId } from '../../../services/kernel/base/ids.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { type Client, startWorld } from '../../../test/kit/live/live.ts'
import type { LivePerson } from '../../../test/kit/live/services.ts'
import type { Hub } from '../hub.ts'
import { createReporter } from './presence-reports.ts'

const test = suite('presence')

const [workspace, otherWorkspace, hotel, otherHotel] = [newId(), newId(), newId(), newId()]
const person = (workspaceId = workspace, ecosystemId = hotel): LivePerson => ({
  userId: newId(),
  memberId: newId(),
  workspaces: [{ workspaceId, ecosystemId }],
})
const [watcher, ana, ben, eve, kim] = [person(), person(), person(), person(), person()]
const [lou, ida, ned, uma, zoe] = [person(), person(), person(), person(), person()]
const people = [watcher, ana, ben, eve, kim, lou, ida, ned, uma, zoe]
const stranger = person(otherWorkspace, otherHotel)
const root: LivePerson = { userId: newId(), memberId: newId(), workspaces: [], isSuperAdmin: true }
// Long limits, so that a stalled machine makes no process a lost one. The tests of lost processes start their own.
const limits = { presenceBeatMs: 20_000, presenceLostMs: 60_000, presenceGraceMs: 50, socketsPerMember: 6, sweepMs: 50 }
const world = await startWorld([...people, stranger, root], [], limits)
const other = await world.anotherEdge()
test.after(() => world.end())

async function closeClients(...clients: Client[]): Promise<void> {
  for (const { ws } of clients) ws.close()
  await Promise.all(clients.map(client => client.closed()))
}

/** The close code of a new socket, or 'lives'; closes it afterwards. */
async function fate(client: Client): Promise<number | 'lives'> {
  let code: number | undefined
  const closing = client.closed().then(closeCode => (code = closeCode))
  client.send({ event: 'ping' })
  await eventually(() => code !== undefined || client.frames.some(({ event }) => event === 'ack'))
  if (code !== undefined) return code
  client.ws.close()
  await closing
  return 'lives'
}

/** The presence frames about a member that a socket received, in order. */
const presenceEventsOf = ({ frames }: Client, { memberId }: LivePerson): string[] =>
  frames
    .filter(({ event, data }) => /^presence:(joined|left)$/.test(event) && data['memberId'] === memberId)
    .map(f => f.event)

/** Waits for the last presence frame about a member. */
const waitForLast = (client: Client, event: 'joined' | 'left', member: LivePerson) =>
  eventually(() => presenceEventsOf(client, member).at(-1) === `presence:${event}`)

async function watching(
  edge: Pick<typeof world, 'open'> = world,
  service = 'news',
): Promise<Client & { list: unknown }> {
  const client = await edge.open(service, watcher)
  assert.equal((await client.ask('joinPresence', workspace)).data['rooms'], [`workspace:${workspace}:presence`])
  const { data } = await client.next('presence:list')
  assert.is(data['workspaceId'], workspace)
  return { ...client, list: data['memberIds'] }
}

/** Waits until a list contains exactly these people. */
const waitUntilOnline = (edge: Pick<typeof world, 'open'>, ...expectedPeople: LivePerson[]) =>
  eventually(async () => {
    const client = await edge.open('member', watcher)
    await client.ask('joinPresence', workspace)
    const { data } = await client.next('presence:list')
    await closeClients(client)
    return (
      JSON.stringify(data['memberIds']) === JSON.stringify([watcher, ...expectedPeople].map(one => one.memberId).sort())
    )
  })

test('many sockets, devices and processes are one person, who joins with the first and leaves after the last', async () => {
  const client = await watching()
  assert.equal(client.list, [watcher.memberId])
  const phone = await other.open('notification', ana)
  await waitForLast(client, 'joined', ana)
  assert.equal(client.frames.at(-1)?.data, { workspaceId: workspace, memberId: ana.memberId })
  const desk = await world.open('hotel', ana)
  const tab = await world.open('news', ana)
  await waitUntilOnline(other, ana)
  await closeClients(phone, tab)
  const ben1 = await other.open('news', ben)
  await waitForLast(client, 'joined', ben)
  await closeClients(desk)
  await waitForLast(client, 'left', ana)
  assert.equal(presenceEventsOf(client, ana), ['presence:joined', 'presence:left'])
  await waitUntilOnline(world, ben)
  await closeClients(ben1)
  await waitForLast(client, 'left', ben)
  await closeClients(client)
})

test('a member who reloads the page stays online', async () => {
  const calm = await startWorld(people, [], { ...limits, presenceGraceMs: 60_000 })
  const client = await calm.open('news', watcher)
  await client.ask('joinPresence', workspace)
  for (let round = 0; round < 3; round++) await closeClients(await calm.open('news', ana))
  await closeClients(await calm.open('news', ben))
  await waitForLast(client, 'joined', ben)
  assert.equal(presenceEventsOf(client, ana), ['presence:joined'])
  await closeClients(client)
  await calm.end()
})

test('presence is refused to anyone outside the workspace; a platform administrator watches without appearing', async () => {
  const outsider = await world.open('news', stranger)
  assert.is((await outsider.ask('joinPresence', workspace)).data['statusCode'], 403)
  assert.is((await outsider.ask('joinPresence', newId())).data['statusCode'], 403)
  assert.is((await outsider.ask('joinPresence', 'x')).data['statusCode'], 400)
  const client = await watching()
  const admin = await world.open('news', root)
  assert.is((await admin.ask('joinPresence', workspace)).event, 'ack')
  assert.is((await admin.ask('joinPresence', newId())).data['statusCode'], 404)
  const ana1 = await world.open('news', ana)
  await waitForLast(client, 'joined', ana)
  assert.equal([presenceEventsOf(client, root), presenceEventsOf(client, stranger)], [[], []])
  await outsider.ask('ping')
  assert.equal(outsider.frames, [])
  await closeClients(outsider, client, admin, ana1)
})

test('presence rooms send nothing after they were left', async () => {
  const client = await watching()
  assert.equal((await client.ask('leavePresence', workspace)).data['rooms'], [`workspace:${workspace}:presence`])
  const second = await watching(world, 'hotel')
  const ben1 = await world.open('news', ben)
  await waitForLast(second, 'joined', ben)
  await client.ask('ping')
  assert.equal(presenceEventsOf(client, ben), [])
  await closeClients(client, second, ben1)
})

test('a hidden socket is not counted, appears when shown, and disappears when hidden again', async () => {
  const client = await watching(other)
  const hiddenClient = await world.open('news', eve, {}, '?presence=invisible')
  const sign = await world.open('news', kim)
  await waitForLast(client, 'joined', kim)
  assert.equal(presenceEventsOf(client, eve), [])
  await hiddenClient.ask('setPresence', { visible: true })
  await waitForLast(client, 'joined', eve)
  await hiddenClient.ask('setPresence', { visible: false })
  await waitForLast(client, 'left', eve)
  assert.is((await hiddenClient.ask('setPresence', { visible: 'no' })).data['statusCode'], 400)
  assert.is((await hiddenClient.ask('setPresence', { hidden: true })).data['statusCode'], 400)
  await closeClients(client, hiddenClient, sign)
})

test('an invisible member stays invisible on every socket and process and after reconnecting, until the setting changes', async () => {
  const client = await watching(other)
  const [phone, desk] = [await world.open('notification', ida), await other.open('news', ida)]
  await waitForLast(client, 'joined', ida)
  ida.isInvisible = true
  world.rightsChanged([ida.memberId])
  await waitForLast(client, 'left', ida)
  await closeClients(phone)
  const returnedClient = await world.open('hotel', ida)
  const visibleClient = await other.open('news', ida)
  await visibleClient.ask('setPresence', { visible: true })
  const sign = await world.open('news', uma)
  await waitForLast(client, 'joined', uma)
  assert.equal(presenceEventsOf(client, ida), ['presence:joined', 'presence:left'])
  await waitUntilOnline(other, uma)
  ida.isInvisible = false
  world.rightsChanged([ida.memberId])
  await waitForLast(client, 'joined', ida)
  await closeClients(client, desk, returnedClient, visibleClient, sign)
})

test('a new token applies changes since the last one', async () => {
  const client = await watching()
  const socket = await world.open('news', ned)
  await waitForLast(client, 'joined', ned)
  ned.isInvisible = true
  // No event reports this change: the cached rights must expire.
  await eventually(async () => (await world.host.rights.ofUser(ned.userId))?.isInvisible === true)
  assert.is((await socket.ask('auth', world.tokenOf(ned))).event, 'ack')
  await waitForLast(client, 'left', ned)
  await closeClients(client, socket)
})

test('rights that change while a new token is checked are applied', async () => {
  const client = await watching()
  const socket = await world.open('news', kim)
  await waitForLast(client, 'joined', kim)
  const [lookUp, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  kim.beforeAnswer = () => {
    lookUp.resolve()
    return release.promise
  }
  world.host.rights.evict()
  const renewed = socket.ask('auth', world.tokenOf(kim))
  await lookUp.promise
  delete kim.beforeAnswer
  const before = kim.workspaces
  kim.workspaces = [{ workspaceId: otherWorkspace, ecosystemId: otherHotel }]
  world.rightsChanged([kim.memberId])
  await waitForLast(client, 'left', kim)
  release.resolve()
  assert.is((await renewed).event, 'ack')
  await client.ask('ping')
  await waitForLast(client, 'left', kim)
  kim.workspaces = before
  await closeClients(client, socket)
})

test('a member removed from the workspace disappears from its presence and can no longer watch it', async () => {
  const client = await watching()
  const leaver = await other.open('news', eve)
  await leaver.ask('joinPresence', workspace)
  await waitForLast(client, 'joined', eve)
  const before = eve.workspaces
  eve.workspaces = [{ workspaceId: otherWorkspace, ecosystemId: otherHotel }]
  world.rightsChanged([eve.memberId])
  await waitForLast(client, 'left', eve)
  const rooms = [await leaver.next('room:left'), await leaver.next('room:left')].map(({ data }) => data['room'])
  assert.ok(rooms.includes(`workspace:${workspace}:presence`))
  eve.workspaces = before
  world.rightsChanged([eve.memberId])
  await waitForLast(client, 'joined', eve)
  await closeClients(client, leaver)
})

test('a silent process is dropped with its people, and one that reports its life is kept', async () => {
  const short = { ...limits, presenceBeatMs: 200, presenceLostMs: 1_000 }
  const [nearEdge, aliveEdge] = [await world.anotherEdge(short), await world.anotherEdge(short)]
  const client = await watching(nearEdge)
  const farClient = await aliveEdge.open('news', ana)
  await waitForLast(client, 'joined', ana)
  const say = (report: object) => world.host.bus.publishCore('live.presence', JSON.stringify(report))
  const entry = { owner: zoe.memberId, workspaceIds: [workspace], sockets: 2, visible: true, newest: '0' }
  say({ edge: 'dead', number: '1', complete: true, entries: [entry] })
  await eventually(() => presenceEventsOf(client, zoe).length === 2)
  assert.equal(presenceEventsOf(client, zoe), ['presence:joined', 'presence:left'])
  // Reported before the other one: without its heartbeat it would be gone by now, for good.
  await waitForLast(client, 'joined', ana)
  say({ edge: 'dead', number: '1', leaving: true })
  await closeClients(client, farClient)
  await Promise.all([nearEdge.end(), aliveEdge.end()])
})

test('a missed report is requested again, and an invalid one is ignored', async () => {
  const client = await watching()
  world.host.bus.publishCore('live.presence', 'nonsense')
  const requestedEdges: string[] = []
  const stop = world.host.bus.subscribeCore('live.presence', bytes => {
    const { wanted } = JSON.parse(Buffer.from(bytes).toString()) as { wanted?: string }
    if (wanted) requestedEdges.push(wanted)
  })
  world.host.bus.publishCore('live.presence', JSON.stringify({ edge: 'gap', number: '1', complete: true }))
  const entry = { owner: lou.memberId, workspaceIds: [workspace], sockets: 1, visible: true, newest: '0' }
  world.host.bus.publishCore('live.presence', JSON.stringify({ edge: 'gap', number: '3', entries: [entry] }))
  await eventually(() => requestedEdges.includes('gap'))
  world.host.bus.publishCore(
    'live.presence',
    JSON.stringify({ edge: 'gap', number: '4', complete: true, entries: [entry] }),
  )
  await waitForLast(client, 'joined', lou)
  world.host.bus.publishCore('live.presence', JSON.stringify({ edge: 'gap', number: '4', leaving: true }))
  await waitForLast(client, 'left', lou)
  stop()
  await closeClients(client)
})

test('a complete report in parts drops only people whom none of its parts names', async () => {
  const client = await watching()
  const say = (report: object) =>
    world.host.bus.publishCore('live.presence', JSON.stringify({ edge: 'parts', ...report }))
  const entryOf = ({ memberId }: LivePerson) => ({
    owner: memberId,
    workspaceIds: [workspace],
    sockets: 1,
    visible: true,
  })
  say({ number: '1', complete: true, more: true, entries: [entryOf(zoe)] })
  say({ number: '2', entries: [entryOf(kim)] })
  await waitForLast(client, 'joined', zoe)
  await waitForLast(client, 'joined', kim)
  say({ number: '3', complete: true, more: true, entries: [entryOf(zoe), entryOf(lou)] })
  // Longer than the grace of people who leave.
  const between = await world.open('news', ben)
  await waitForLast(client, 'joined', ben)
  await closeClients(between)
  await waitForLast(client, 'left', ben)
  assert.equal(presenceEventsOf(client, kim), ['presence:joined'])
  say({ number: '4', entries: [entryOf(eve)] })
  await waitForLast(client, 'left', kim)
  say({ number: '4', leaving: true })
  for (const person of [zoe, lou, eve]) await waitForLast(client, 'left', person)
  assert.equal(
    [zoe, lou, eve].map(person => presenceEventsOf(client, person).length),
    [2, 2, 2],
  )
  await closeClients(client)
})

test('a process that starts asks all others for the number of their last report, and only unknown ones for everything', async () => {
  type Report = { edge: string; number: string; complete: boolean; wanted: string; entries: object[] }
  const reports: Report[] = []
  const stop = world.host.bus.subscribeCore('live.presence', bytes => {
    reports.push(JSON.parse(Buffer.from(bytes).toString()) as Report)
  })
  const say = (report: object) =>
    world.host.bus.publishCore('live.presence', JSON.stringify({ edge: 'new', ...report }))
  const nearClient = await world.open('news', ana)
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
  await closeClients(nearClient)
})

test('a report of many people in many workspaces is cut into messages that the broker takes', async () => {
  const workspaceIds = Array.from({ length: 50 }, newId)
  const personIds = Array.from({ length: 2_000 }, newId)
  const sockets = new Set([{ identity: { workspaceIds, isInvisible: false }, isHidden: false, openedAt: 1 }])
  const hub = { host: world.host, socketsByPerson: new Map(personIds.map(id => [id, sockets])) } as unknown as Hub
  const reportedOwners = new Set<string>()
  const stop = world.host.bus.subscribeCore('live.presence', bytes => {
    const { edge, entries } = JSON.parse(Buffer.from(bytes).toString()) as {
      edge: string
      entries: { owner: string }[]
    }
    if (edge === 'large') for (const { owner } of entries) reportedOwners.add(owner)
  })
  const reporter = createReporter(hub, 'large')
  reporter.reportAllSoon()
  await eventually(() => reportedOwners.size === personIds.length)
  reporter.stop()
  stop()
})

test('a reconnected broker loses nobody who is online', async () => {
  const client = await watching()
  const farClient = await other.open('news', ana)
  await waitForLast(client, 'joined', ana)
  await world.bus.kill()
  await eventually(() => !world.host.bus.status().connected)
  await world.bus.start()
  await eventually(() => world.host.bus.status().connected)
  const nearClient = await other.open('news', ben)
  await waitForLast(client, 'joined', ben)
  assert.is(presenceEventsOf(client, ana).at(-1), 'presence:joined')
  await waitUntilOnline(world, ana, ben)
  await closeClients(client, farClient, nearClient)
})

test('the sockets of a member are counted across processes', async () => {
  // A person without messages in flight: an older socket counted late would cost one of the six.
  const six: Client[] = []
  for (const service of ['news', 'hotel', 'member'])
    for (const edge of [world, other]) six.push(await edge.open(service, lou))
  await eventually(async () => {
    return (await fate(await world.open('news', lou))) === 4429
  })
  await closeClients(...six)
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
