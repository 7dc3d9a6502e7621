import { sql } from 'kysely'
import { AnalyticsService } from '../../../gen/platform/notification/v1/analytics_pb.ts'
import { DeadLetterService } from '../../../gen/platform/notification/v1/dead_letters_pb.ts'
import { DeliveryService } from '../../../gen/platform/notification/v1/deliveries_pb.ts'
import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { TemplateService } from '../../../gen/platform/notification/v1/templates_pb.ts'
import { assert, eventually, refusal } from '../../../test/kit/kit.ts'
import {
  author,
  notificationSuite,
  notifyingEvents,
  pageCreated,
  type Someone,
} from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { slugOf } from '../texts/default-templates.ts'

const { test, world, host, db, sandbox, person, workspace, publish, waitUntilHandled } =
  await notificationSuite('notification administration')

const status = async (call: Promise<unknown>) => (await refusal(call)).info.status

async function team(...permissions: string[]) {
  const [boss, plain] = [await person({ language: 'en' }), await person()]
  const workspaceId = await workspace(plain)
  await world.join(workspaceId, boss, permissions)
  return { boss, plain, workspaceId }
}
const mailTo = async (one: Someone) => (await sandbox.call('GET', `/_inbox?to=${one.email}&wait=25000`)).json.data

test('every type that is emitted for notifications has a template in both languages', async () => {
  const keys = (await notifyingEvents()).map(({ type }) => slugOf(type))
  const { boss, workspaceId } = await team('send_notifications')
  const { data } = await host.as(TemplateService, boss.userId).listTemplates({ workspaceId })
  const slugs = data.map(each => `${each.slug} ${each.language}`)
  for (const slug of keys) for (const language of ['fr', 'en']) assert.ok(slugs.includes(`${slug} ${language}`), slug)
  const template = data.find(each => each.slug === 'page_created' && each.language === 'fr')
  assert.equal(
    [template?.type, template?.category, template?.variables],
    ['page', 'created', ['actorName', 'pageTitle', 'workspaceName', 'pageSummary']],
  )
})

test('a preview equals the delivery, with values escaped in HTML and inserted once', async () => {
  const { boss, plain, workspaceId } = await team('send_notifications')
  const client = host.as(TemplateService, boss.userId)
  const variables = { actorName: '<i>{{pageTitle}}</i>', pageTitle: 'Menu' }
  const preview = await client.previewTemplate({ slug: 'page_created', workspaceId, language: 'fr', variables })
  assert.is(preview.title, '<i>{{pageTitle}}</i> a publié «\u00a0Menu\u00a0»')
  assert.match(preview.emailBody, '&lt;i&gt;{{pageTitle}}&lt;/i&gt; a publié «\u00a0Menu\u00a0»')
  assert.equal([preview.emailSubject, preview.missingVariables], [preview.title, ['workspaceName', 'pageSummary']])
  assert.match(preview.body, '{{pageSummary}}')
  assert.match(
    (await client.previewTemplate({ slug: 'page_created', workspaceId, variables })).title,
    'published “Menu”',
  )
  assert.is(await status(client.previewTemplate({ slug: 'nothing', workspaceId })), 404)
  assert.is(
    await status(host.as(TemplateService, plain.userId).previewTemplate({ slug: 'page_created', workspaceId })),
    403,
  )
})

test('a test is sent to the caller only, ignoring their preferences', async () => {
  const { boss, plain, workspaceId } = await team('send_notifications')
  const client = host.as(TemplateService, boss.userId)
  await db
    .insertInto('preferences')
    .values({ member_id: boss.id, is_global_silent: 1, dnd_until: null, quiet_hours: null, category_prefs: '{}' })
    .execute()
  const testResult = await client.testTemplate({
    slug: 'page_deleted',
    workspaceId,
    variables: { actorName: 'Bob', pageTitle: 'Menu' },
  })
  assert.equal([testResult.title, testResult.channels], ['Bob deleted “Menu”', ['push', 'email', 'socket', 'app']])
  assert.is((await mailTo(boss))[0].subject, 'Bob deleted “Menu”')
  const inbox = (one: Someone) => host.as(NotificationService, one.userId).listNotifications({})
  assert.equal([(await inbox(boss)).meta?.total, (await inbox(plain)).meta?.total], [1, 0])
})

test('the delivery log of a notification is visible only to senders of its workspace', async () => {
  const { boss, plain, workspaceId } = await team('send_notifications')
  await waitUntilHandled(
    await publish('page.created', pageCreated(workspaceId, boss, [plain], { channels: ['email'] })),
  )
  const { id } = await db
    .selectFrom('notifications')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const client = host.as(DeliveryService, boss.userId)
  const log = await eventually(async () => {
    const answer = await client.listDeliveries({ notificationId: id })
    return answer.data.length > 0 ? answer : undefined
  })
  const [attempt] = log.data
  assert.equal(
    [attempt?.memberId, attempt?.channel, attempt?.status, attempt?.attemptNumber, log.meta?.total],
    [plain.id, 'email', 'success', 1, 1],
  )
  assert.is((await client.listDeliveries({ notificationId: id, status: 'failed' })).data.length, 0)
})

test('the statistics sum up what was sent, delivered, read and clicked in the period', async () => {
  const { boss, plain, workspaceId } = await team('view_analytics')
  await waitUntilHandled(
    await publish('page.created', pageCreated(workspaceId, author(), [boss, plain], { channels: ['email', 'socket'] })),
  )
  await waitUntilHandled(await publish('like.created', pageCreated(workspaceId, plain, [boss])))
  await mailTo(plain)
  await mailTo(boss)
  const inbox = host.as(NotificationService, plain.userId)
  await inbox.clickNotification({ id: (await inbox.listNotifications({})).data[0]?.id ?? '' })
  const client = host.as(AnalyticsService, boss.userId)
  const analytics = await eventually(async () => {
    const now = await client.getNotificationAnalytics({ workspaceId })
    return now.byChannel?.email?.delivered === 2 ? now : undefined
  })
  assert.equal(
    [analytics.period, analytics.sent, analytics.delivered, analytics.read, analytics.clicked],
    ['7d', 3, 2, 1, 1],
  )
  assert.equal([analytics.byChannel?.email?.sent, analytics.byChannel?.email?.rate], [2, 1])
  // One of the three frames counts as delivered, because its notification was read.
  assert.equal([analytics.byChannel?.socket?.sent, analytics.byChannel?.socket?.delivered], [3, 1])
  assert.equal([analytics.byChannel?.push?.sent, analytics.byChannel?.push?.rate], [0, 0])
  assert.equal(analytics.byType, { page: 1, like: 1 })
  assert.ok(Math.abs(analytics.engagementRate - 1 / 2) < 1e-9)
  // A notification sent by socket only counts as delivered while it is read.
  const ownInbox = host.as(NotificationService, boss.userId)
  const like = (await ownInbox.listNotifications({ type: 'like' })).data[0]?.id ?? ''
  const totals = async () => {
    const { delivered, read, engagementRate } = await client.getNotificationAnalytics({ workspaceId })
    return [delivered, read, engagementRate]
  }
  await ownInbox.markRead({ id: like })
  assert.equal(await totals(), [3, 2, 2 / 3])
  await ownInbox.markUnread({ id: like })
  assert.equal(await totals(), [2, 1, 1 / 2])
  await ownInbox.markAllRead({})
  assert.equal(await totals(), [3, 3, 1])
  assert.is((await client.getNotificationAnalytics({ workspaceId, period: '24h' })).period, '24h')
  assert.is(await status(client.getNotificationAnalytics({ workspaceId, period: 'month' })), 400)
})

test('a platform administrator lists dead letters, fixes their cause, redrives or discards them', async () => {
  const { boss, plain, workspaceId } = await team()
  await sql`update members set is_super_admin = 1 where id = ${boss.id}`.execute(world.members)
  const client = host.as(DeadLetterService, boss.userId)
  for (let i = 0; i < 3; i++) await publish('spa.booked', pageCreated(workspaceId, boss, [plain]))
  const deadLetters = await eventually(async () => {
    const answer = await client.listDeadLetters({ type: 'spa.booked', consumer: 'notification_queue' })
    return answer.data.length === 3 ? answer : undefined
  })
  const [first, second] = deadLetters.data
  assert.equal(
    [first?.reason, first?.attempts, first?.workspaceId, first?.key],
    ['Template not found: spa_booked', 1, workspaceId, 'platform.notification.spa.booked'],
  )
  const one = await client.getDeadLetter({ id: first?.id ?? '' })
  assert.is(one.message?.['type'], 'spa.booked')
  assert.is((await client.discardDeadLetter({ id: first?.id ?? '' })).id, first?.id)
  assert.is(await status(client.getDeadLetter({ id: first?.id ?? '' })), 404)
  assert.is(await status(client.discardDeadLetter({ id: first?.id ?? '' })), 404)

  await db
    .insertInto('templates')
    .values({
      id: newId(),
      slug: 'spa_booked',
      language: 'fr',
      type: 'spa',
      category: 'booked',
      title: 'Spa',
      body: 'B',
      email_subject: null,
      email_body: null,
      variables: '[]',
      default_data: null,
    })
    .execute()
  assert.ok((await client.redriveDeadLetter({ id: second?.id ?? '' })).messageId)
  assert.equal((await client.redriveDeadLetters({ type: 'spa.booked' })).redriven, 1)
  await eventually(
    async () => (await host.as(NotificationService, plain.userId).listNotifications({})).meta?.total === 2,
  )
  assert.is((await client.listDeadLetters({ type: 'spa.booked' })).meta?.total, 0)
  assert.is(await status(client.redriveDeadLetter({ id: second?.id ?? '' })), 404)
})

test.run()
