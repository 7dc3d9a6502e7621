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
  const tell = async (type: string, second: number, fields: Record<string, unknown> = {}, occurrence = newId()) => {
    const body = pageCreated(workspaceId, ada, [bob], { payload: { id: pageId, title: 'Menu', ...fields } })
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
  const listCategories = () =>
    frames
      .filter(each => each.event === 'notification:new' && each.rooms.includes(`member:${bob.id}`))
      .map(each => each.data['category'])
  // Frames arrive in the order of their events: once this one is here, all earlier ones are.
  await eventually(() => listCategories().includes('updated'))
  assert.equal(listCategories(), ['created', 'deleted', 'updated'])
})

test('a comment that arrives after its deletion, or that of its page, notifies no member', async () => {
  const { bob, pageId, tell } = await story()
  const [deletedId, otherId] = [newId(), newId()]
  const comment = (id: string) => ({ id, pageId, content: 'Bon' })
  await tell('comment.deleted', 2, comment(deletedId))
  await tell('comment.created', 1, comment(deletedId))
  const deletionTitle = 'Ada Martin a supprimé un commentaire'
  assert.equal(await titles(bob), [deletionTitle])
  await tell('comment.created', 1, comment(otherId))
  assert.equal(await titles(bob), ['Ada Martin a commenté «\u00a0Menu\u00a0»', deletionTitle])
  await tell('page.deleted', 5)
  await tell('comment.created', 4, comment(newId()))
  await tell('like.created', 4, { id: newId(), pageId, reactionType: 'love' })
  const remainingTitles = ['Ada Martin a supprimé «\u00a0Menu\u00a0»', deletionTitle]
  await eventually(async () => isDeepStrictEqual(await titles(bob), remainingTitles))
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
  const otherWorkspace = await workspace(eve)
  const body = { ...pageCreated(otherWorkspace, eve, [eve]), payload: { id: pageId, title: 'Menu' } }
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
    const message = await bus.read(bus.stream, place)
    const body = message && JSON.parse(Buffer.from(message.data).toString())
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
  const listTitles = () =>
    frames
      .filter(each => each.event === 'notification:new' && each.rooms.includes(`member:${bob.id}`))
      .map(each => each.data['title'])
  await eventually(() => listTitles().length === names.length)
  assert.equal(
    listTitles(),
    names.map(title => `Ada Martin a modifié «\u00a0${title}\u00a0»`),
  )
})

test('an event stored before it was dead-lettered is not stored again when it is redriven, with or without occurrence', async () => {
  const { ada, bob, workspaceId } = await story()
  const id = newId()
  await waitUntilHandled(await publish('page.created', pageCreated(workspaceId, ada, [bob]), id))
  const { bus } = host
  const { last } = await bus.bounds(bus.stream)
  const message = await bus.read(bus.stream, last)
  if (!message) throw new Error('the message is gone')
  assert.is(message.headers[header.id], id)
  // The state after four attempts that each failed after the commit.
  await deadLetter(bus, { stored: message, id, durable: 'notification_queue', reason: 'Error: late', attempts: 4 })
  const dead = await bus.bounds(bus.deadStream)
  const redrive = await redriveDeadLetter(bus, dead.last)
  await waitUntilHandled(redrive?.id ?? '')
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
    const deletedAt = new Date()
    // Later messages get a later stream time.
    await eventually(() => Date.now() > deletedAt.getTime() + 1)
    const subject = 'platform.notification.page.deleted'
    const message = {
      subject,
      headers: {},
      data,
      storedAt: deletedAt,
      sequence: 1_000_000 + (await bus.bounds(bus.deadStream)).last,
    }
    await deadLetter(bus, {
      stored: message,
      id: newId(),
      durable: 'notification_queue',
      reason: 'Error: late',
      attempts: 4,
    })
    return (await bus.bounds(bus.deadStream)).last
  }
  const redrive = async (letter: number) => waitUntilHandled((await redriveDeadLetter(bus, letter))?.id ?? '')
  const publication = { changes: { status: 'published' } }
  const [deletedStory, restoredStory] = [await story(), await story()]
  for (const { tell } of [deletedStory, restoredStory]) {
    await tell('page.created', 1)
    await tell('page.updated', 2, publication)
  }
  const letters = [await deletion(deletedStory), await deletion(restoredStory)]
  await deletedStory.tell('page.updated', 3, { changes: { title: 'Menu' } })
  await restoredStory.tell('page.updated', 4, publication)
  const before = await titles(restoredStory.bob)
  for (const letter of letters) await redrive(letter)
  assert.equal(await titles(restoredStory.bob), before)
  assert.is((await titles(deletedStory.bob))[0], 'Ada Martin a supprimé «\u00a0Menu\u00a0»')
})

test('a message delivered three times with forged receivers and strangers leaves one entry for each actual member', async () => {
  const [ada, bob, suspendedMember, formerMember, erasedMember, stranger] = await Promise.all(
    Array.from({ length: 6 }, () => person()),
  )
  if (!ada || !bob || !suspendedMember || !formerMember || !erasedMember || !stranger) throw new Error('nobody')
  const workspaceId = await workspace(ada, bob, suspendedMember, formerMember, erasedMember)
  await workspace(stranger)
  await world.suspend(workspaceId, suspendedMember)
  await world.leave(workspaceId, formerMember)
  await world.erase(erasedMember)
  const forged = { ...ada, id: newId() }
  const receivers = [bob, bob, ada, suspendedMember, formerMember, erasedMember, stranger, forged]
  const body = during(newId(), pageCreated(workspaceId, ada, receivers))
  const before = await droppedSoFar()
  for (const id of await Promise.all([1, 2, 3].map(() => publish('page.created', body)))) await waitUntilHandled(id)
  const rows = await db
    .selectFrom('receivers')
    .select('member_id')
    .where(
      'member_id',
      'in',
      receivers.map(one => one.id),
    )
    .execute()
  assert.equal(rows.map(row => row.member_id).toSorted(), [ada.id, bob.id].toSorted())
  const notifications = await db
    .selectFrom('notifications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .execute()
  assert.equal(
    notifications.map(row => [row.receiver_count, row.socket_count]),
    [[2, 2]],
  )
  // Five ids that are no members here, three times each.
  assert.is((await droppedSoFar()) - before, 15)
})

const droppedSoFar = async (): Promise<number> => {
  const metrics = await host.metrics.registry.getMetricsAsJSON()
  return metrics.find(one => one.name === 'notification_receivers_dropped_total')?.values[0]?.value ?? 0
}

test.run()
