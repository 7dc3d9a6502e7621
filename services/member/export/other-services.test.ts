import { toJsonString } from '@bufbuild/protobuf'
import { ExportMemberDataResponseSchema } from '../../../gen/platform/member/v1/export_pb.ts'
import { CommentService } from '../../../gen/platform/news/v1/comments_pb.ts'
import { PageService } from '../../../gen/platform/news/v1/pages_pb.ts'
import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { PreferenceService } from '../../../gen/platform/notification/v1/preferences_pb.ts'
import { SubscriptionService } from '../../../gen/platform/notification/v1/subscriptions_pb.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { addPerson, comeInto, type HotelWorld, openWorld, type TestPerson } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { newBrowser } from '../../../test/kit/notification/browser.ts'
import { newId } from '../../kernel/base/ids.ts'
import { service as news } from '../../news/service.ts'
import { service as notification } from '../../notification/service.ts'

const test = suite('export of one member from news and notification')
const { host, asUser } = await memberForTest(test, {}, [news, notification])

const fetch = (userId: string, id: string) => asUser(userId).exports.exportMemberData({ id })
/** The export once it holds the mails of this many notifications, which follow their events. */
const fetchWith = (mails: number, userId: string, id: string) =>
  eventually(async () => {
    const data = await fetch(userId, id)
    const emails = data.notification?.deliveries.filter(({ channel }) => channel === 'email')
    return emails?.length === mails ? data : undefined
  })

/** The person comments on the administrator's page, who answers; the person has a device and quiet hours. */
async function converse({ workspaceId, admin }: HotelWorld, clerk: TestPerson): Promise<void> {
  const claims = { workspaceId, memberId: clerk.memberId }
  const by = { workspaceId, memberId: admin.memberId }
  const { page } = await host
    .as(PageService, admin.userId, by)
    .createPage({ title: 'Brunch', content: { blocks: [] }, workspaceId, status: 'published' })
  const pageId = page?.id ?? ''
  await host.as(CommentService, clerk.userId, claims).createComment({ pageId, content: 'At what time?' })
  await host.as(SubscriptionService, clerk.userId, claims).registerDevice({
    deviceToken: `secret-${clerk.memberId}`,
    platform: 'fcm',
    deviceType: 'ios',
    deviceModel: 'iPhone',
    workspaceId,
  })
  await host.as(SubscriptionService, clerk.userId, { ...claims, sessionId: newId() }).subscribeBrowser({
    ...newBrowser('').subscription,
    endpoint: `https://fcm.googleapis.com/secret-${clerk.memberId}`,
  })
  const quietHours = { enabled: false, start: '22:00', end: '07:00', timezone: 'Europe/Paris' }
  await host
    .as(PreferenceService, clerk.userId, claims)
    .updatePreferences({ quietHours, updateMask: { paths: ['quiet_hours'] } })
  await host.as(NotificationService, admin.userId, by).sendNotification({
    workspaceId,
    receiverIds: [clerk.memberId],
    title: 'Your shift',
    body: 'From six',
    channels: ['app', 'email'],
  })
}

test('members get what news and notification store about them, of every workspace', async () => {
  const [world, other] = [await openWorld(host), await openWorld(host)]
  const clerk = await addPerson(host, world, 'viewer')
  await comeInto(host, other, clerk)
  await converse(world, clerk)
  await converse(other, clerk)
  const places = new Set([world.workspaceId, other.workspaceId])

  const data = await fetchWith(2, clerk.userId, clerk.memberId)
  assert.equal(new Set(data.news?.comments.map(({ workspaceId }) => workspaceId)), places)
  const notificationData = data.notification
  assert.equal(notificationData?.preferences?.quietHours?.start, '22:00')
  const shifts = notificationData?.notifications.filter(({ title }) => title === 'Your shift')
  assert.equal(new Set(shifts?.map(({ workspaceId }) => workspaceId)), places)
  assert.equal(new Set(notificationData?.deliveries.map(({ workspaceId }) => workspaceId)), places)
  assert.equal(notificationData?.devices.map(({ platform, deviceModel }) => [platform, deviceModel]).toSorted(), [
    ['fcm', 'iPhone'],
    ['webpush', undefined],
  ])
  assert.not.ok(toJsonString(ExportMemberDataResponseSchema, data).includes('secret-'))
})

test('holders of export_data get the news and notification data of their workspaces alone', async () => {
  const [world, other] = [await openWorld(host), await openWorld(host)]
  const clerk = await addPerson(host, world, 'viewer')
  await comeInto(host, other, clerk)
  await converse(other, clerk)
  await converse(world, clerk)

  const { news: newsData, notification: notificationData } = await fetchWith(1, world.admin.userId, clerk.memberId)
  const lists = [
    newsData?.comments,
    notificationData?.notifications,
    notificationData?.devices,
    notificationData?.deliveries,
  ]
  for (const list of lists)
    assert.equal(new Set(list?.map(({ workspaceId }) => workspaceId)), new Set([world.workspaceId]))
  assert.is(notificationData?.preferences, undefined)
  const root = await fetch(world.root, clerk.memberId)
  assert.is(root.news?.comments.length, 2)
  assert.ok(root.notification?.preferences)
})

test.run()
