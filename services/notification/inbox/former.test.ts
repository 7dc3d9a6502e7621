import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { assert, eventually, refusal } from '../../../test/kit/kit.ts'
import {
  type Frame,
  notificationSuite,
  pageCreated,
  type Someone,
} from '../../../test/kit/notification/notification.ts'

const { test, world, host, frames, person, workspace, publish, done } =
  await notificationSuite('inboxes of former members')

const inbox = (one: Someone) => host.as(NotificationService, one.userId)
const shown = async (one: Someone, more: object = {}) => {
  const { data, meta } = await inbox(one).listNotifications(more)
  const { count, byType } = await inbox(one).getUnreadCount({})
  return { listed: data.length, total: meta?.total, unread: meta?.unread, count, byType }
}
const empty = { listed: 0, total: 0, unread: 0, count: 0, byType: {} }

/** A person in two workspaces with two notifications from each; `ofLeft` is the id of one from the first. */
async function scene() {
  const [ada, boss] = [await person(), await person({ firstName: 'Bob' })]
  const [left, kept] = [await workspace(ada, boss), await workspace(ada, boss)]
  for (const workspaceId of [left, kept])
    for (let i = 0; i < 2; i++) await done(await publish('page.created', pageCreated(workspaceId, boss, [ada])))
  const { data } = await inbox(ada).listNotifications({})
  assert.is(data.length, 4)
  return { ada, boss, left, kept, ofLeft: data[3]?.id ?? '' }
}

for (const [how, end, comeBack] of [
  ['left', world.leave, 'left_at = null'],
  ['is suspended in', world.suspend, "status = 'active'"],
] as const)
  test(`a person who ${how} a workspace sees nothing of it, and everything again after returning`, async () => {
    const { ada, left, ofLeft } = await scene()
    await end(left, ada)
    const rest = { listed: 2, total: 2, unread: 2, count: 2, byType: { page: 2 } }
    assert.equal(await eventually(async () => ((await shown(ada)).listed === 2 ? shown(ada) : undefined)), rest)
    assert.equal(await shown(ada, { isRead: false, type: 'page' }), rest)
    assert.is((await shown(ada, { page: 2, limit: 1 })).total, 2)
    for (const call of ['markRead', 'markUnread', 'clickNotification', 'dismissNotification', 'unarchiveNotification'])
      assert.is((await refusal(inbox(ada)[call as 'markRead']({ id: ofLeft }))).info.status, 404, call)
    assert.equal([(await inbox(ada).markAllRead({})).updated, (await shown(ada)).unread], [2, 0])
    await world.change(left, ada, comeBack)
    const back = { listed: 4, total: 4, unread: 2, count: 2, byType: { page: 2 } }
    assert.equal(await eventually(async () => ((await shown(ada)).listed === 4 ? shown(ada) : undefined)), back)
  })

test('sockets receive the unread count of the current workspaces', async () => {
  const { ada, boss, left, kept } = await scene()
  await world.leave(left, ada)
  await eventually(async () => (await shown(ada)).unread === 2)
  await done(await publish('page.created', pageCreated(kept, boss, [ada])))
  const counts = ({ event, rooms }: Frame) => event === 'notification:count' && rooms.includes(`member:${ada.id}`)
  await eventually(() => frames.filter(counts).at(-1)?.data['unread'] === 3)
})

test('a person without a workspace has an empty inbox', async () => {
  const { ada, left, kept } = await scene()
  for (const workspaceId of [left, kept]) await world.leave(workspaceId, ada)
  assert.equal(await eventually(async () => ((await shown(ada)).total === 0 ? shown(ada) : undefined)), empty)
})

test.run()
