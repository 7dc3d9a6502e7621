import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { UserSessionsRevokedSchema } from '../../gen/platform/events/v1/auth_pb.ts'
import { CommentCreatedSchema } from '../../gen/platform/events/v1/comment_pb.ts'
import { PageUpdatedSchema } from '../../gen/platform/events/v1/page_pb.ts'
import { ServiceUnavailableError } from '../../services/kernel/base/errors.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { assert, eventually, suite } from '../../test/kit/kit.ts'
import { openClient, startWorld } from '../../test/kit/live/live.ts'
import type { LivePerson, Page } from '../../test/kit/live/services.ts'
import { signalsAreOn } from '../../test/kit/live/signals.ts'

const test = suite('changed rights of a socket')

const [workspace, otherWorkspace, hotel, otherHotel] = [newId(), newId(), newId(), newId()]
const person = (): LivePerson => ({
  userId: newId(),
  memberId: newId(),
  workspaces: [
    { workspaceId: workspace, ecosystemId: hotel },
    { workspaceId: otherWorkspace, ecosystemId: otherHotel },
  ],
})
const [ana, ben, ivo, kim, lou] = [person(), person(), person(), person(), person()]
const [noa, teo, eva, jon] = [person(), person(), person(), person()]
const page: Page = { id: newId(), workspaceId: workspace }
const open: Page = { id: newId(), workspaceId: workspace }
const world = await startWorld([ana, ben, ivo, kim, lou, noa, teo, eva, jon], [page, open])
test.after(() => world.end())
await signalsAreOn(world)

test('a member who leaves a workspace leaves its rooms and stays in the others', async () => {
  const client = await world.open('news', ana)
  const other = await world.open('news', ben)
  for (const { ask } of [client, other]) {
    await ask('joinWorkspace', workspace)
    await ask('joinWorkspace', otherWorkspace)
    await ask('joinPage', page.id)
  }
  ana.workspaces = ana.workspaces.filter(({ workspaceId }) => workspaceId !== workspace)
  world.rightsChanged([ana.memberId])
  const leaveFrames = [await client.next('room:left'), await client.next('room:left'), await client.next('room:left')]
  assert.equal(
    new Set(leaveFrames.map(({ data }) => data['room'])),
    new Set([`ecosystem:${hotel}`, `page:${page.id}`, `workspace:${workspace}`]),
  )
  assert.equal((await client.ask('leaveWorkspace', otherWorkspace)).data['rooms'], [`workspace:${otherWorkspace}`])
  assert.is((await client.ask('joinPage', page.id)).data['statusCode'], 404)
  await other.ask('ping')
  assert.equal(other.frames, [])
  for (const { ws } of [client, other]) ws.close()
})

test('joining a workspace adds its rooms to an open socket', async () => {
  const client = await world.open('notification', ivo)
  const [addedWorkspace, addedHotel] = [newId(), newId()]
  ivo.workspaces = [...ivo.workspaces, { workspaceId: addedWorkspace, ecosystemId: addedHotel }]
  world.rightsChanged()
  await client.ask('ping')
  const frame = {
    rooms: [`workspace:${addedWorkspace}`],
    event: 'notification:count',
    data: { workspaceId: addedWorkspace },
  }
  await eventually(() => {
    world.host.bus.publishCore('live.frames', JSON.stringify(frame))
    return client.frames.some(({ event }) => event === 'notification:count')
  })
  client.ws.close()
})

test('a member who left the last workspace is closed with 4401, and may reconnect', async () => {
  const clients = [await world.open('news', lou), await world.open('notification', lou)]
  const [first, second] = lou.workspaces
  lou.workspaces = second ? [second] : []
  world.rightsChanged([lou.memberId])
  assert.is((await clients[1]?.next('room:left'))?.event, 'room:left')
  lou.workspaces = []
  world.rightsChanged([lou.memberId])
  assert.equal(await Promise.all(clients.map(client => client.closed())), [4401, 4401])
  // Nevertheless admitted: their own room is open, and the next workspace adds its own.
  const newClient = await world.open('news', lou)
  await newClient.ask('ping')
  lou.workspaces = first ? [first] : []
  world.rightsChanged([lou.memberId])
  assert.is((await newClient.ask('joinWorkspace', workspace)).event, 'ack')
  newClient.ws.close()
})

test('revoked sessions close their sockets with 4401, and the requesting one stays open', async () => {
  const [ownSession, otherSession] = [newId(), newId()]
  const open = (sessionId: string) =>
    world.open('news', ben, { headers: { authorization: `Bearer ${world.tokenOf(ben, 900, { sessionId })}` } })
  const [keptClient, revokedClient] = [await open(ownSession), await open(otherSession)]
  const payload = { id: ben.userId, userId: ben.userId, exceptSessionId: ownSession }
  await world.emit(UserSessionsRevokedSchema, payload, {})
  assert.is(await revokedClient.closed(), 4401)
  assert.is((await keptClient.ask('ping')).event, 'ack')
  keptClient.ws.close()
})

/** The status of a handshake's answer. */
const statusOf = (ws: WebSocket): Promise<number> =>
  new Promise(resolve => {
    ws.once('open', () => resolve(101)).once('unexpected-response', (_request, response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
  })

for (const [moment, leaver] of [
  ['in the handshake', noa],
  ['in the first frame', teo],
] as const)
  test(`a session revoked while the token ${moment} is checked opens no socket`, async () => {
    const [lookUp, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    leaver.beforeAnswer = () => {
      lookUp.resolve()
      return release.promise
    }
    const token = world.tokenOf(leaver, 900, { sessionId: newId() })
    const ends = async (): Promise<number> => {
      if (moment === 'in the handshake') return statusOf(new WebSocket(`${world.addressOf('news')}?token=${token}`))
      const client = await openClient(new WebSocket(world.addressOf('news')))
      client.send({ event: 'auth', data: token })
      return client.closed()
    }
    const end = ends()
    await lookUp.promise
    // A frame sent to one person afterwards shows that the first one was processed.
    const witness = await world.open('news', ben)
    for (const { userId } of [leaver, ben]) await world.emit(UserSessionsRevokedSchema, { id: userId, userId }, {})
    assert.is(await witness.closed(), 4401)
    release.resolve()
    assert.is(await end, moment === 'in the handshake' ? 401 : 4401)
  })

test('readers of an archived or unpublished page leave its room, and its author stays', async () => {
  const [author, reader] = [await world.open('news', ben), await world.open('news', kim)]
  for (const { ask } of [author, reader]) await ask('joinPage', page.id)
  page.draftOf = ben.memberId
  const pageUpdate = { id: page.id, title: 'Menu', pageType: 'feed', changes: { status: 'draft' } }
  await world.emit(PageUpdatedSchema, pageUpdate, { workspaceId: workspace })
  assert.equal((await reader.next('room:left')).data['room'], `page:${page.id}`)
  assert.equal(
    reader.frames.map(({ event, data }) => [event, data['id']]),
    [['page.updated', page.id]],
    'told why before it left',
  )
  await author.next('page.updated')
  assert.equal((await author.ask('leavePage', page.id)).data['rooms'], [`page:${page.id}`])
  assert.is((await reader.ask('joinPage', page.id)).data['statusCode'], 404)
  delete page.draftOf
  for (const { ws } of [author, reader]) ws.close()
})

test('frames right after a page is withdrawn reach its author and no reader', async () => {
  const [author, reader] = [await world.open('news', ben), await world.open('news', kim)]
  for (const { ask } of [author, reader]) await ask('joinPage', page.id)
  page.draftOf = ben.memberId
  const pageUpdate = { id: page.id, title: 'Menu', pageType: 'feed', changes: { status: 'draft' } }
  await world.emit(PageUpdatedSchema, pageUpdate, { workspaceId: workspace })
  const member = { id: ben.memberId, firstName: 'Ben', lastName: 'Roca' }
  for (const content of ['one', 'two']) {
    const comment = { id: newId(), pageId: page.id, title: 'Menu', content, member }
    await world.emit(CommentCreatedSchema, comment, { workspaceId: workspace })
  }
  for (const content of ['one', 'two']) assert.is((await author.next('comment.created')).data['content'], content)
  await reader.next('room:left')
  await reader.ask('ping')
  assert.not.ok(reader.frames.some(({ event }) => event === 'comment.created'))
  delete page.draftOf
  for (const { ws } of [author, reader]) ws.close()
})

test('a member who loses the right to drafts leaves the room of a draft and stays in those of other pages', async () => {
  const editor = await world.open('news', kim)
  page.draftOf = kim.memberId
  for (const id of [page.id, open.id]) await editor.ask('joinPage', id)
  page.draftOf = ben.memberId
  world.rightsChanged([kim.memberId])
  assert.is((await editor.next('room:left')).data['room'], `page:${page.id}`)
  assert.equal((await editor.ask('leavePage', open.id)).data['rooms'], [`page:${open.id}`])
  delete page.draftOf
  editor.ws.close()
})

test('a change of a page that stays published removes nobody from its room', async () => {
  const reader = await world.open('news', kim)
  await reader.ask('joinPage', page.id)
  const pageUpdate = { id: page.id, title: 'Menu', pageType: 'feed', changes: { title: 'Menu' } }
  await world.emit(PageUpdatedSchema, pageUpdate, { workspaceId: workspace })
  await reader.next('page.updated')
  assert.equal((await reader.ask('leavePage', page.id)).data['rooms'], [`page:${page.id}`])
  reader.ws.close()
})

test('a socket that closes while its rights are checked enters no room afterwards', async () => {
  const edge = await world.anotherEdge()
  const rooms = async () => (await edge.registry.getSingleMetric('live_rooms')?.get())?.values[0]?.value
  const [leaver, witness] = [await edge.open('news', noa), await edge.open('news', ben)]
  await witness.ask('joinWorkspace', workspace)
  const before = await rooms()
  await leaver.ask('joinPage', open.id)
  const [lookUp, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  open.beforeAnswer = () => {
    lookUp.resolve()
    return release.promise
  }
  noa.workspaces = [...noa.workspaces, { workspaceId: newId(), ecosystemId: newId() }]
  world.rightsChanged([noa.memberId])
  await lookUp.promise
  const ownRoom = 1
  leaver.ws.close()
  await leaver.closed()
  await eventually(async () => (await rooms()) === (before ?? 0) - ownRoom)
  release.resolve()
  delete open.beforeAnswer
  // The next check begins after that one.
  ben.workspaces = ben.workspaces.filter(({ workspaceId }) => workspaceId !== workspace)
  world.rightsChanged([ben.memberId])
  const leaveFrames = [await witness.next('room:left'), await witness.next('room:left')]
  assert.is(await rooms(), (before ?? 0) - ownRoom - leaveFrames.length)
  witness.ws.close()
  await edge.end()
})

test('a change of rights is checked again by the handshakes that it overtakes, and by no later one', async () => {
  const countLookUps = (person: LivePerson) => {
    const [lookUp, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const lookUps = { count: 0, first: lookUp.promise, answer: release.resolve }
    person.beforeAnswer = () => {
      lookUps.count++
      lookUp.resolve()
      return release.promise
    }
    return lookUps
  }
  const witness = await world.open('news', kim)
  const [seenLookUps, earlyLookUps, lateLookUps] = [countLookUps(kim), countLookUps(eva), countLookUps(jon)]
  seenLookUps.answer()
  const openingEarly = world.open('news', eva)
  await earlyLookUps.first
  world.rightsChanged([kim.memberId])
  await eventually(() => seenLookUps.count === 1)
  const openingLate = world.open('news', jon)
  await lateLookUps.first
  earlyLookUps.answer()
  await eventually(() => earlyLookUps.count === 2)
  lateLookUps.answer()
  const clients = [witness, await openingEarly, await openingLate]
  // Checks keep their order, so one of jon's would come first.
  world.rightsChanged([kim.memberId])
  await eventually(() => seenLookUps.count === 2)
  assert.is(lateLookUps.count, 1)
  for (const { ws } of clients) ws.close()
})

test('rights that cannot be looked up are looked up again after a pause', async () => {
  delete eva.beforeAnswer
  const client = await world.open('news', eva)
  let count = 0
  eva.beforeAnswer = async () => {
    count++
    throw new ServiceUnavailableError()
  }
  const startedAt = Date.now()
  world.rightsChanged([eva.memberId])
  await eventually(() => count > 0)
  await sleep(500)
  const seconds = (Date.now() - startedAt) / 1_000
  assert.ok(count <= 4 + 2 * seconds, `${count} look-ups in ${seconds} s`)
  delete eva.beforeAnswer
  eva.workspaces = eva.workspaces.filter(({ workspaceId }) => workspaceId !== workspace)
  assert.is((await client.next('room:left')).data['room'], `ecosystem:${hotel}`)
  client.ws.close()
})

test.run()
