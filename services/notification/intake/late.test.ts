import { isDeepStrictEqual } from 'node:util'
import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { assert, eventually } from '../../../test/kit/kit.ts'
import { during, notificationSuite, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { deadLetter, redriveDeadLetter } from '../../kernel/bus/dead-letters.ts'
import { header } from '../../kernel/bus/message.ts'

const { test, world, host, db, frames, person, workspace, publish, waitUntilHandled } = await notificationSuite(
  'late, repeated and forged events',
)

const titles = async (one: Someone) =>
  (await host.as(NotificationService, one.userId).listNotifications({ limit: 100 })).data.map(item => item.title)

/** Two colleagues and the history of one page, at times that the test sets. */
async function story() {
  const [ada, bob] = [await person(), await person({ firstName: 'Bob' })]
  const workspaceId = await workspace(ada, bob)
  const pageId = newId()
  const tell = async (type: string, second: number, more: Record<string, unknown> = {}, occurrence = newId()) => {
    const body = pageCreated(workspaceId, ada, [bob], { payload: { id: pageId, title: 'Menu', ...more } })
    const timestamp = new Date(Date.UTC(2026, 5, 1, 12, 0, second)).toISOString()
    const event = during(occurrence, { ...body, metadata: { ...body.metadata, timestamp } })
    return waitUntilHandled(await publish(type, event))
  }
  return { ada, bob, workspaceId, pageId, tell }
}

test('a late change of a deleted page restores nothing, and one of a restored page is announced', async () => {
  const { bob, tell } = await story()
  const occurrence = newId()
  await tell('page.created', 1, {}, occurrence)
  await tell('page.deleted', 3)
  const before = ['Ada Martin a supprimé «\u00a0Menu\u00a0»']
  await eventually(async () => isDeepStrictEqual(await titles(bob), before))
  await tell('page.updated', 2)
  await tell('page.updated', 3)
  await tell('page.created', 1, {}, occurrence)
  await tell('page.reminded', 2)
  assert.equal(await titles(bob), before)
  await tell('page.updated', 4)
  assert.equal(await titles(bob), ['Ada Martin a modifié «\u00a0Menu\u00a0»', ...before])
  const told = () =>
    frames
      .filter(each => each.event === 'notification:new' && each.rooms.includes(`member:${bob.id}`))
      .map(each => each.data['category'])
  // Frames arrive in the order of their events: once this one is here, all earlier ones are.
  await eventually(() => told().includes('updated'))
  assert.equal(told(), ['created', 'deleted', 'updated'])
})

test('a comment that arrives after its deletion, or that of its page, notifies no member', async () => {
  const { bob, pageId, tell } = await story()
  const [gone, other] = [newId(), newId()]
  const comment = (id: string) => ({ id, pageId, content: 'Bon' })
  await tell('comment.deleted', 2, comment(gone))
  await tell('comment.created', 1, comment(gone))
  const deleted = 'Ada Martin a supprimé un commentaire'
  assert.equal(await titles(bob), [deleted])
  await tell('comment.created', 1, comment(other))
  assert.equal(await titles(bob), ['Ada Martin a commenté «\u00a0Menu\u00a0»', deleted])
  await tell('page.deleted', 5)
  await tell('comment.created', 4, comment(newId()))
  await tell('like.created', 4, { id: newId(), pageId, reactionType: 'love' })
  const left = ['Ada Martin a supprimé «\u00a0Menu\u00a0»', deleted]
  await eventually(async () => isDeepStrictEqual(await titles(bob), left))
})

test('a late event about a deleted hotel or member notifies no member, because every event declares its entities', async () => {
  const { ada, bob, tell } = await story()
  const [hotelId, memberId] = [newId(), newId()]
  const hotel = { id: hotelId, hotelId, name: 'Mar' }
  await tell('hotel.deleted', 2, hotel)
  await tell('member.deleted', 2, { id: memberId, memberId, memberName: 'Eve' })
  const before = await titles(bob)
  assert.is(before.length, 2)
  await tell('hotel.updated', 1, { ...hotel, changes: {} })
  await tell('workspace.member_joined', 1, { id: ada.id, memberId, memberName: 'Eve' })
  await tell('like.created', 1, { id: newId(), pageId: newId(), memberId, reactionType: 'love' })
  assert.equal(await titles(bob), before)
  await tell('workspace.member_joined', 3, { id: ada.id, memberId, memberName: 'Eve' })
  assert.is((await titles(bob)).length, 3)
})

test('a page of the same id in another workspace is another page', async () => {
  const { pageId, tell } = await story()
  await tell('page.deleted', 5)
  const [eve] = [await person()]
  const elsewhere = await workspace(eve)
  const body = { ...pageCreated(elsewhere, eve, [eve]), payload: { id: pageId, title: 'Menu' } }
  await waitUntilHandled(await publish('page.created', body))
  assert.is((await titles(eve)).length, 1)
})

test('an inbox is in the order of the stream, in whatever order the events were processed', async () => {
  const { ada, bob, workspaceId } = await story()
  const names = Array.from({ length: 60 }, (_, i) => `Page ${i}`)
  // All at once, so that many get their place in the stream within the same millisecond.
  const ids = await Promise.all(
    names.map(title =>
      publish('page.created', pageCreated(workspaceId, ada, [bob], { payload: { id: newId(), title } })),
    ),
  )
  for (const id of ids) await waitUntilHandled(id)
  const { bus } = host
  const { first, last } = await bus.bounds(bus.stream)
  const inStream: string[] = []
  for (let place = first; place <= last; place++) {
    const stored = await bus.read(bus.stream, place)
    const body = stored && JSON.parse(Buffer.from(stored.data).toString())
    if (body?.workspaceId === workspaceId) inStream.push(`Ada Martin a publié «\u00a0${body.payload.title}\u00a0»`)
  }
  assert.is(inStream.length, 60)
  assert.equal(await titles(bob), inStream.toReversed())
})

test('events about one page are announced in order, while others are processed concurrently', async () => {
  const { ada, bob, workspaceId, pageId } = await story()
  const names = Array.from({ length: 40 }, (_, i) => `Menu ${i}`)
  const ids: string[] = []
  for (const title of names) {
    const body = pageCreated(workspaceId, ada, [bob], { payload: { id: pageId, title, changes: {} } })
    ids.push(await publish('page.updated', body))
  }
  for (const id of ids) await waitUntilHandled(id)
  const told = () =>
    frames
      .filter(each => each.event === 'notification:new' && each.rooms.includes(`member:${bob.id}`))
      .map(each => each.data['title'])
  await eventually(() => told().length === names.length)
  assert.equal(
    told(),
    names.map(title => `Ada Martin a modifié «\u00a0${title}\u00a0»`),
  )
})

test('an event stored before it was dead-lettered is not stored again when it is redriven, with or without occurrence', async () => {
  const { ada, bob, workspaceId } = await story()
  const id = newId()
  await waitUntilHandled(await publish('page.created', pageCreated(workspaceId, ada, [bob]), id))
  const { bus } = host
  const { last } = await bus.bounds(bus.stream)
  const stored = await bus.read(bus.stream, last)
  if (!stored) throw new Error('the message is gone')
  assert.is(stored.headers[header.id], id)
  // The state after four attempts that each failed after the commit.
  await deadLetter(bus, { stored, id, durable: 'notification_queue', reason: 'Error: late', attempts: 4 })
  const dead = await bus.bounds(bus.deadStream)
  const again = await redriveDeadLetter(bus, dead.last)
  await waitUntilHandled(again?.id ?? '')
  assert.is((await titles(bob)).length, 1)
  const row = await db
    .selectFrom('notifications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  assert.equal([row?.occurrence_id, row?.receiver_count], [id, 1])
})

test('a redriven deletion is announced, unless its page was restored since', async () => {
  const { bus } = host
  const deletion = async ({ ada, bob, workspaceId, pageId }: Awaited<ReturnType<typeof story>>) => {
    const body = pageCreated(workspaceId, ada, [bob], { payload: { id: pageId, title: 'Menu' } })
    const data = Buffer.from(JSON.stringify({ type: 'page.deleted', ...body }))
    const at = new Date()
    // Later messages get a later stream time.
    await eventually(() => Date.now() > at.getTime() + 1)
    const subject = 'platform.notification.page.deleted'
    const stored = {
      subject,
      headers: {},
      data,
      storedAt: at,
      sequence: 1_000_000 + (await bus.bounds(bus.deadStream)).last,
    }
    await deadLetter(bus, { stored, id: newId(), durable: 'notification_queue', reason: 'Error: late', attempts: 4 })
    return (await bus.bounds(bus.deadStream)).last
  }
  const redrive = async (letter: number) => waitUntilHandled((await redriveDeadLetter(bus, letter))?.id ?? '')
  const back = { changes: { status: 'published' } }
  const [gone, restored] = [await story(), await story()]
  for (const { tell } of [gone, restored]) {
    await tell('page.created', 1)
    await tell('page.updated', 2, back)
  }
  const letters = [await deletion(gone), await deletion(restored)]
  await gone.tell('page.updated', 3, { changes: { title: 'Menu' } })
  await restored.tell('page.updated', 4, back)
  const before = await titles(restored.bob)
  for (const letter of letters) await redrive(letter)
  assert.equal(await titles(restored.bob), before)
  assert.is((await titles(gone.bob))[0], 'Ada Martin a supprimé «\u00a0Menu\u00a0»')
})

test('a message delivered three times with forged receivers and strangers leaves one entry for each actual member', async () => {
  const [ada, bob, suspended, left, gone, stranger] = await Promise.all(Array.from({ length: 6 }, () => person()))
  if (!ada || !bob || !suspended || !left || !gone || !stranger) throw new Error('nobody')
  const workspaceId = await workspace(ada, bob, suspended, left, gone)
  await workspace(stranger)
  await world.suspend(workspaceId, suspended)
  await world.leave(workspaceId, left)
  await world.erase(gone)
  const forged = { ...ada, id: newId() }
  const named = [bob, bob, ada, suspended, left, gone, stranger, forged]
  const body = during(newId(), pageCreated(workspaceId, ada, named))
  const before = await droppedSoFar()
  for (const id of await Promise.all([1, 2, 3].map(() => publish('page.created', body)))) await waitUntilHandled(id)
  const rows = await db
    .selectFrom('receivers')
    .select('member_id')
    .where(
      'member_id',
      'in',
      named.map(one => one.id),
    )
    .execute()
  assert.equal(rows.map(row => row.member_id).toSorted(), [ada.id, bob.id].toSorted())
  const stored = await db.selectFrom('notifications').selectAll().where('workspace_id', '=', workspaceId).execute()
  assert.equal(
    stored.map(row => [row.receiver_count, row.socket_count]),
    [[2, 2]],
  )
  // Five ids that are no members here, three times each.
  assert.is((await droppedSoFar()) - before, 15)
})

const droppedSoFar = async (): Promise<number> => {
  const shown = await host.metrics.registry.getMetricsAsJSON()
  return shown.find(one => one.name === 'notification_receivers_dropped_total')?.values[0]?.value ?? 0
}

test.run()
