import { sql } from 'kysely'
import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { assert, eventually, refusal } from '../../../test/kit/kit.ts'
import {
  author,
  type Frame,
  notificationSuite,
  pageCreated,
  type Someone,
} from '../../../test/kit/notification/notification.ts'
import { readWhileChanging } from '../../../test/kit/writes/cursors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { silentLog } from '../../kernel/process/log.ts'
import { unreadAnnouncer } from '../live/unread.ts'

const { test, world, host, db, frames, person, workspace, publish, waitUntilHandled } =
  await notificationSuite('notification inbox')

const as = (one: Someone) => host.as(NotificationService, one.userId)

/** A member with `count` notifications of pages, published in order, and their ids, newest first. */
async function reader(count: number) {
  const ada = await person()
  const workspaceId = await workspace(ada)
  for (let i = 0; i < count; i++)
    await waitUntilHandled(await publish('page.created', pageCreated(workspaceId, author(ada.name), [ada])))
  const { data } = await as(ada).listNotifications({ limit: 100 })
  return { ada, workspaceId, client: as(ada), ids: data.map(item => item.id) }
}
const unreadEverywhere = async (one: Someone) => {
  const client = as(one)
  const { count, byType } = await client.getUnreadCount({})
  const { meta } = await client.listNotifications({})
  assert.is(meta?.unread, count)
  assert.is(
    Object.values(byType).reduce((sum, n) => sum + n, 0),
    count,
  )
  return count
}

test('the inbox is listed newest first, in pages, with totals that depend on the filters and an unread count that does not', async () => {
  const { ada, workspaceId, client, ids } = await reader(5)
  await waitUntilHandled(
    await publish('hotel.updated', {
      ...pageCreated(workspaceId, author(ada.name), [ada]),
      payload: { id: newId(), name: 'Azur' },
    }),
  )
  await client.markRead({ id: ids[0] ?? '' })
  const page = await client.listNotifications({ page: 2, limit: 2, type: 'page' })
  assert.equal(
    page.data.map(item => item.id),
    ids.slice(2, 4),
  )
  const { meta } = page
  assert.equal([meta?.total, meta?.totalPages, meta?.page, meta?.limit, meta?.unread], [5, 3, 2, 2, 5])
  const read = await client.listNotifications({ isRead: true })
  assert.equal([read.meta?.total, read.data.map(item => item.id)], [1, [ids[0]]])
  assert.is((await client.listNotifications({ isRead: false })).meta?.total, 5)
  assert.equal((await client.getUnreadCount({})).byType, { page: 4, hotel: 1 })
  assert.is((await client.listNotifications({ limit: 500 })).meta?.limit, 100)
  assert.is((await client.listNotifications({ type: 'nothing' })).data.length, 0)
})

test('a thousand notifications are read by cursors while others arrive and expire: none twice, none missed', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  const place = { workspace_id: workspaceId, type: 'page' }
  const insert = async (count: number) => {
    const ids = Array.from({ length: count }, () => newId())
    const texts = { title: 't', body: 'b', title_en: 't', body_en: 'b' }
    const columns = {
      ...place,
      ...texts,
      category: 'created',
      actor_type: 'system',
      priority: 1,
      channels: 1,
      created_at: new Date(),
    }
    await db
      .insertInto('notifications')
      .values(ids.map(id => ({ ...columns, id, occurrence_id: id })))
      .execute()
    await db
      .insertInto('receivers')
      .values(ids.map(id => ({ ...place, member_id: ada.id, notification_id: id, channels: 1 })))
      .execute()
    await sql`
      insert into member_counters (member_id, workspace_id, type, lane, total, unread)
      values (${ada.id}, ${workspaceId}, 'page', 0, ${count}, ${count})
      on duplicate key update total = total + ${count}, unread = unread + ${count}
    `.execute(db)
    return ids
  }
  for (const filter of [{}, { isRead: false }]) {
    const earlier = await insert(1_000)
    await readWhileChanging({
      ids: earlier,
      async load(cursor) {
        const { data, meta } = await as(ada).listNotifications({ ...filter, limit: 100, cursor })
        return { ids: data.map(({ id }) => id), nextCursor: meta?.nextCursor }
      },
      insert: () => insert(3),
      remove: ids => db.deleteFrom('receivers').where('notification_id', 'in', ids).execute(),
    })
  }
})

test('a notification is read once, keeps its time, and the other devices are notified', async () => {
  const { ada, client, ids } = await reader(2)
  const [id = ''] = ids
  const first = await client.markRead({ id })
  assert.ok(first.isRead && first.readAt)
  assert.equal((await client.markRead({ id })).readAt, first.readAt)
  const frame = await eventually(() =>
    frames.find(each => each.event === 'notification:read' && each.data['id'] === id),
  )
  assert.equal([frame.rooms, frame.data], [[`member:${ada.id}`], { id, unread: 1 }])
  assert.is(await unreadEverywhere(ada), 1)
  const row = await db.selectFrom('notifications').select('read_count').where('id', '=', id).executeTakeFirstOrThrow()
  assert.is(row.read_count, 1)
  assert.equal(await client.markUnread({ id }).then(({ isRead, readAt }) => [isRead, readAt]), [false, undefined])
  assert.is(await unreadEverywhere(ada), 2)
})

test('all notifications are read at once, and one frame notifies the other devices', async () => {
  const { ada, client } = await reader(3)
  const { updated, unread } = await client.markAllRead({})
  assert.equal([updated, unread], [3, 0])
  assert.equal((await client.markAllRead({})).updated, 0)
  const findReadFrames = () =>
    frames.filter(each => each.event === 'notification:read' && each.rooms[0] === `member:${ada.id}`)
  await eventually(() => findReadFrames().length > 0)
  assert.equal(
    findReadFrames().map(each => each.data),
    [{ id: null, unread: 0 }],
  )
  assert.is(await unreadEverywhere(ada), 0)
})

test('a frame missed because the counts were unavailable is sent when they are available', async () => {
  const { ada, workspaceId } = await reader(1)
  let failures = 0
  const audience = {
    workspacesOf: async (ids: readonly string[]) => new Map(ids.map(id => [id, new Set([workspaceId])])),
  }
  const words = unreadAnnouncer(db, audience, host.bus, { ...silentLog, warn: () => void failures++ })
  const framesOf = (event: string) =>
    frames.filter(each => each.event === event && each.rooms[0] === `member:${ada.id}`)
  await eventually(() => framesOf('notification:count').length > 0)
  const before = framesOf('notification:count').length
  await sql`rename table member_counters to counters_away`.execute(db)
  try {
    words.publishCounts(workspaceId, [ada.id])
    words.read(ada.id, null)
    await eventually(() => failures > 0)
  } finally {
    await sql`rename table counters_away to member_counters`.execute(db)
  }
  await eventually(() => framesOf('notification:read').length > 0 && framesOf('notification:count').length > before)
  assert.equal(
    [framesOf('notification:read')[0]?.data, framesOf('notification:count').at(-1)?.data],
    [
      { id: null, unread: 1 },
      { workspaceId, unread: 1 },
    ],
  )
  await words.settled()
})

test('a dismissed notification leaves list and counts, and returns unchanged', async () => {
  const { ada, client, ids } = await reader(3)
  const [id = ''] = ids
  const first = await client.dismissNotification({ id })
  assert.ok(first.isDismissed)
  assert.equal((await client.dismissNotification({ id })).dismissedAt, first.dismissedAt)
  assert.equal((await client.listNotifications({})).meta?.total, 2)
  assert.is(await unreadEverywhere(ada), 2)
  const archived = await client.listNotifications({ isArchived: true })
  assert.equal([archived.data.map(item => item.id), archived.meta?.total], [[id], 1])
  assert.equal((await client.unarchiveNotification({ id })).isRead, false)
  assert.equal(
    (await client.listNotifications({})).data.map(item => item.id),
    ids,
  )
  assert.is(await unreadEverywhere(ada), 3)
})

test('the first click counts and marks as read', async () => {
  const { ada, client, ids } = await reader(1)
  const [id = ''] = ids
  const first = await client.clickNotification({ id })
  assert.ok(first.isClicked && first.isRead && first.clickedAt)
  assert.equal((await client.clickNotification({ id })).clickedAt, first.clickedAt)
  const row = await db.selectFrom('notifications').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  assert.equal([row.clicked_count, row.read_count], [1, 1])
  assert.is(await unreadEverywhere(ada), 0)
})

test('parallel reads, clicks and dismissals of the same notifications leave exact counts', async () => {
  const { ada, client, ids } = await reader(4)
  const calls = ids.flatMap(id => [
    client.markRead({ id }),
    client.clickNotification({ id }),
    client.markRead({ id }),
    client.dismissNotification({ id }),
  ])
  await Promise.all([...calls, client.markAllRead({})])
  await client.unarchiveNotification({ id: ids[0] ?? '' })
  assert.is(await unreadEverywhere(ada), 0)
  assert.is((await client.listNotifications({})).meta?.total, 1)
  const rows = await db
    .selectFrom('notifications')
    .select(['read_count', 'clicked_count'])
    .where('id', 'in', ids)
    .execute()
  assert.ok(rows.every(row => row.read_count === 1 && row.clicked_count === 1))
})

test('a member’s actions on a notification keep the results of its deliveries, until it is read', async () => {
  const { ada, client, ids } = await reader(1)
  const [id = ''] = ids
  const status = async () => {
    const row = await db.selectFrom('receivers').select('status').where('member_id', '=', ada.id).executeTakeFirst()
    return row?.status
  }
  await db.updateTable('receivers').set({ status: 'failed' }).where('member_id', '=', ada.id).execute()
  await client.dismissNotification({ id })
  assert.is(await status(), 'failed')
  await client.unarchiveNotification({ id })
  await client.markRead({ id })
  assert.is(await status(), 'read')
})

test('another member’s notification is not found, and an unknown caller is refused', async () => {
  const { ids } = await reader(1)
  const [id = ''] = ids
  const stranger = await person()
  await workspace(stranger)
  const client = as(stranger)
  for (const call of [
    () => client.markRead({ id }),
    () => client.markUnread({ id }),
    () => client.clickNotification({ id }),
    () => client.dismissNotification({ id }),
    () => client.unarchiveNotification({ id }),
    () => client.markRead({ id: newId() }),
  ]) {
    const { info, rawMessage } = await refusal(call())
    assert.equal([info.status, rawMessage], [404, 'Notification not found'])
  }
  assert.is((await client.listNotifications({})).data.length, 0)
  assert.is((await refusal(client.markRead({ id: 'x' }))).info.status, 400)
  assert.is((await refusal(host.as(NotificationService).listNotifications({}))).info.status, 401)
  assert.equal((await host.as(NotificationService, newId()).listNotifications({})).data, [])
})

test('a holder of send_notifications writes to members of the workspace, subject to their preferences', async () => {
  const [ada, bob, plain, stranger] = [await person(), await person(), await person(), await person()]
  const workspaceId = await workspace(bob, plain)
  await world.join(workspaceId, ada, ['send_notifications'])
  await workspace(stranger)
  const letter = { workspaceId, receiverIds: [bob.id, stranger.id], title: 'Réunion', body: 'À midi', priority: 3 }
  const { notification } = await as(ada).sendNotification(letter)
  assert.equal(
    [
      notification?.type,
      notification?.category,
      notification?.priority,
      notification?.receiverCount,
      notification?.channels,
    ],
    ['message', 'direct', 3, 1, ['socket', 'app']],
  )
  assert.equal([notification?.actorId, notification?.actorType], [ada.id, 'member'])
  assert.equal(
    (await as(bob).listNotifications({})).data.map(item => [item.title, item.body]),
    [['Réunion', 'À midi']],
  )
  assert.is((await as(stranger).listNotifications({})).data.length, 0)
  const { notification: all } = await as(ada).sendNotification({ workspaceId, toAll: true, title: 'T', body: 'B' })
  assert.is(all?.receiverCount, 3)
  assert.is((await refusal(as(ada).sendNotification({ ...letter, receiverIds: [stranger.id] }))).info.status, 400)
  const long = await refusal(as(ada).sendNotification({ ...letter, data: { text: 'x'.repeat(66_000) } }))
  assert.equal([long.info.status, long.info.violations[0]?.path], [400, 'data'])
})

const readInbox = async (one: Someone, filter: object = {}) => {
  const { data, meta } = await as(one).listNotifications(filter)
  const { count, byType } = await as(one).getUnreadCount({})
  return { listed: data.length, total: meta?.total, unread: meta?.unread, count, byType }
}
const emptyInbox = { listed: 0, total: 0, unread: 0, count: 0, byType: {} }

/** A person in two workspaces with two notifications from each; `formerEntry` is the id of one from the first. */
async function leaver() {
  const [ada, boss] = [await person(), await person({ firstName: 'Bob' })]
  const [formerId, remainingId] = [await workspace(ada, boss), await workspace(ada, boss)]
  for (const workspaceId of [formerId, remainingId])
    for (let i = 0; i < 2; i++)
      await waitUntilHandled(await publish('page.created', pageCreated(workspaceId, boss, [ada])))
  const { data } = await as(ada).listNotifications({})
  assert.is(data.length, 4)
  return { ada, boss, formerId, remainingId, formerEntry: data[3]?.id ?? '' }
}

for (const [ending, end, comeBack] of [
  ['left', world.leave, 'left_at = null'],
  ['is suspended in', world.suspend, "status = 'active'"],
] as const)
  test(`a person who ${ending} a workspace sees nothing of it, and everything again after returning`, async () => {
    const { ada, formerId, formerEntry } = await leaver()
    await end(formerId, ada)
    const rest = { listed: 2, total: 2, unread: 2, count: 2, byType: { page: 2 } }
    assert.equal(await eventually(async () => ((await readInbox(ada)).listed === 2 ? readInbox(ada) : undefined)), rest)
    assert.equal(await readInbox(ada, { isRead: false, type: 'page' }), rest)
    assert.is((await readInbox(ada, { page: 2, limit: 1 })).total, 2)
    for (const call of ['markRead', 'markUnread', 'clickNotification', 'dismissNotification', 'unarchiveNotification'])
      assert.is((await refusal(as(ada)[call as 'markRead']({ id: formerEntry }))).info.status, 404, call)
    assert.equal([(await as(ada).markAllRead({})).updated, (await readInbox(ada)).unread], [2, 0])
    await world.change(formerId, ada, comeBack)
    const fullInbox = { listed: 4, total: 4, unread: 2, count: 2, byType: { page: 2 } }
    assert.equal(
      await eventually(async () => ((await readInbox(ada)).listed === 4 ? readInbox(ada) : undefined)),
      fullInbox,
    )
  })

test('sockets receive the unread count of the current workspaces', async () => {
  const { ada, boss, formerId, remainingId } = await leaver()
  const counts = ({ event, rooms }: Frame) => event === 'notification:count' && rooms.includes(`member:${ada.id}`)
  const lastCount = () => frames.filter(counts).at(-1)?.data['unread']
  await eventually(() => lastCount() === 4)
  await world.leave(formerId, ada)
  await eventually(() => lastCount() === 2)
  await waitUntilHandled(await publish('page.created', pageCreated(remainingId, boss, [ada])))
  await eventually(() => lastCount() === 3)
})

test('a person without a workspace has an empty inbox', async () => {
  const { ada, formerId, remainingId } = await leaver()
  for (const workspaceId of [formerId, remainingId]) await world.leave(workspaceId, ada)
  assert.equal(
    await eventually(async () => ((await readInbox(ada)).total === 0 ? readInbox(ada) : undefined)),
    emptyInbox,
  )
})

test.run()
