import { rpcsOfPackage } from '../../test/contract/descriptors.ts'
import { assert, suite } from '../../test/kit/kit.ts'
import { databaseWithPlans, scansIn, sortsIn } from '../../test/kit/plans.ts'
import { systemTenant } from '../kernel/access/tenant.ts'
import { newId } from '../kernel/base/ids.ts'
import { attemptsOf } from './delivery/log.ts'
import { loadNextDue } from './delivery/sql.ts'
import { loadDigestItems, loadNextDue as nextDigest } from './digests/sql.ts'
import * as exported from './export/data.sql.ts'
import { inboxOrder, inboxPage } from './inbox/page.sql.ts'
import { oldestOfMembers } from './inbox/retention.ts'
import { countsByType } from './inbox/sql.ts'
import { devicesOf, devicesOfMember } from './settings/subscriptions.sql.ts'
import type { NotificationTables } from './tables.ts'
import { webhookDeliveriesOf, webhooksDue } from './webhooks/deliveries.sql.ts'
import { webhooksOf } from './webhooks/endpoints.sql.ts'

const test = suite('query plans of notification lists')
const { db, fill, plansOf, end } = await databaseWithPlans<NotificationTables>(
  new URL('./migrations/', import.meta.url),
)
test.after(end)

const count = 3_000
const people = Array.from({ length: 50 }, () => newId())
const workspaceIds = Array.from({ length: 20 }, () => newId())
const notifications = Array.from({ length: count }, () => newId())
const [memberId = '', workspaceId = '', notificationId = ''] = [people[3], workspaceIds[3], notifications[3]]
const deliveries = notifications.map(() => newId())
const timeOf = (i: number) => new Date(Date.UTC(2026, 0, 1) + i * 60_000)
const receiverOf = (i: number) => ({ workspace_id: workspaceIds[i % 20], member_id: people[i % 50] })

await fill('notifications', count, i => ({
  id: notifications[i],
  workspace_id: workspaceIds[i % 20],
  occurrence_id: newId(),
  type: 'page',
  category: 'created',
  ...{ title: 't', body: 'b', title_en: 't', body_en: 'b' },
  actor_type: 'member',
  channels: 15,
  created_at: timeOf(i),
}))
await fill('receivers', count, i => ({
  ...receiverOf(i),
  notification_id: notifications[i],
  type: 'page',
  channels: 15,
}))
await fill('member_counters', count, i => ({ ...receiverOf(i), type: `t${i}`, lane: 1, total: 1_000, unread: 500 }))
await fill('subscriptions', count, i => ({
  ...receiverOf(i),
  id: newId(),
  device_token: newId(),
  device_type: 'ios',
  platform: 'fcm',
  last_used_at: timeOf(i),
  created_at: timeOf(i),
}))
await fill('deliveries', count, i => ({
  ...receiverOf(i),
  id: deliveries[i],
  notification_id: i % 2 ? notifications[i] : null,
  lane: i % 2 ? 'email' : 'fcm',
  due_at: i % 100 ? null : timeOf(i),
  created_at: timeOf(i),
}))
await fill('delivery_attempts', count, i => ({
  id: newId(),
  delivery_id: deliveries[i],
  notification_id: notifications[i % 100],
  channel: 'email',
  status: 'success',
  sent_at: timeOf(i),
}))
await fill('digests', count, i => ({ member_id: newId(), frequency: 'daily', due_at: i % 100 ? null : timeOf(i) }))
await fill('digest_items', count, i => ({
  member_id: people[i % 50],
  notification_id: notifications[i],
  delivery_id: deliveries[i],
  created_at: timeOf(i),
}))

const webhookId = newId()
await fill('webhooks', 500, i => ({
  id: i === 3 ? webhookId : newId(),
  workspace_id: workspaceIds[i % 20],
  ...{ url: 'https://pms.example/', event_types: '[]', secret: 's' },
  created_at: timeOf(i),
}))
await fill('webhook_deliveries', count, i => ({
  id: newId(),
  workspace_id: workspaceIds[i % 20],
  webhook_id: i % 10 ? newId() : webhookId,
  event_type: 'page.created',
  occurrence_id: newId(),
  body: '{}',
  status: i % 20 ? 'pending' : 'delivered',
  due_at: i % 100 ? null : timeOf(i),
  created_at: timeOf(i),
}))

const tenant = systemTenant(workspaceId, newId(), 'a test')
const slice = { page: 1, limit: 20, offset: 0 }
const inbox = { memberId, openWorkspaceIds: ['', ...workspaceIds] }
const person = { memberId, workspaceIds: undefined }
const newest = { isArchived: false }

/** Each list with the indexes by which its statements begin. */
const lists: Record<string, [run: () => Promise<unknown>, keys: string[], rpc?: string]> = {
  'attempts to deliver a notification': [
    () => attemptsOf(db, notificationId, {}, slice),
    ['delivery_attempts_log', 'delivery_attempts_log'],
    'ListDeliveries',
  ],
  'devices of a member': [() => devicesOfMember(db, memberId), ['subscriptions_member'], 'ListDevices'],
  'exported inbox': [() => exported.receivedBy(db, person).limit(slice.limit).execute(), ['PRIMARY']],
  'exported devices': [() => exported.devicesOf(db, person).limit(slice.limit).execute(), ['subscriptions_member']],
  'exported deliveries': [() => exported.deliveriesTo(db, person).limit(slice.limit).execute(), ['deliveries_member']],
  'endpoints of webhooks': [() => webhooksOf(db, tenant).execute(), ['webhooks_workspace'], 'ListWebhooks'],
  'deliveries to an endpoint': [
    () => webhookDeliveriesOf(db, tenant, { webhookId }, slice),
    ['webhook_deliveries_latest'],
    'ListWebhookDeliveries',
  ],
  'deliveries to an endpoint in a state': [
    () => webhookDeliveriesOf(db, tenant, { webhookId, status: 'pending' }, slice),
    ['webhook_deliveries_status'],
  ],
  'next digest': [() => nextDigest(db), ['digests_due']],
  'next delivery of a lane': [() => loadNextDue(db, 'email'), ['deliveries_due']],
}

for (const [name, [run, keys]] of Object.entries(lists))
  test(`the list of ${name} is found by an index in its order`, async () => {
    const plans = await plansOf(run)
    assert.equal(
      plans.map(([first]) => first?.key),
      keys,
      JSON.stringify(plans),
    )
    for (const plan of plans) assert.equal([scansIn(plan), sortsIn(plan)], [[], false], JSON.stringify(plan))
  })

test('the inbox is read in its order, with its totals, by indexes alone', async () => {
  const filters = [
    newest,
    { ...newest, isRead: false },
    { ...newest, type: 'page' },
    { isArchived: true, isRead: true },
  ]
  const afterCursor = { ...slice, order: inboxOrder, after: [notificationId] }
  for (const filter of filters)
    for (const page of [slice, afterCursor])
      for (const plan of await plansOf(() => inboxPage(db, inbox, filter, page)))
        assert.equal([scansIn(plan), sortsIn(plan)], [[], false], JSON.stringify(plan))
})

/** Queries beside the lists: they may sort what they find, but read no table whole. */
const lookups: Record<string, () => Promise<unknown>> = {
  'counts of an inbox by type': () => countsByType(db, inbox),
  'devices of some members': () => devicesOf(db, workspaceId, people.slice(0, 5)),
  'oldest entries of inboxes': () => oldestOfMembers(db, ''),
  'endpoints with due deliveries': () => webhooksDue(db, timeOf(50), [], 10),
  'notifications of some digests': () => loadDigestItems(db, deliveries.slice(0, 5)),
}

for (const [name, run] of Object.entries(lookups))
  test(`the ${name} are read by an index`, async () => {
    const plans = await plansOf(run)
    assert.ok(plans.length > 0)
    for (const plan of plans) assert.equal(scansIn(plan), [], JSON.stringify(plan))
  })

test('every list of the service is tested here or is read whole', async () => {
  const exemptions = {
    ListNotifications: 'the inbox, above',
    ListTemplates: 'few rows, which every caller may read: a scan is their best plan',
    ListDeadLetters: 'reads a stream of the broker',
  }
  const rpcNames = (await rpcsOfPackage('platform.notification.v1'))
    .map(({ name }) => name)
    .filter(name => name.startsWith('List'))
  assert.equal(
    rpcNames.toSorted(),
    [...Object.values(lists).flatMap(([, , rpc]) => rpc ?? []), ...Object.keys(exemptions)].toSorted(),
    'Add a new list to `lists`, with its indexes, and rows of its tables.',
  )
})

test.run()
