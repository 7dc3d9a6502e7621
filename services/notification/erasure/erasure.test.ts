import { sql } from 'kysely'
import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { PreferenceService } from '../../../gen/platform/notification/v1/preferences_pb.ts'
import { SubscriptionService } from '../../../gen/platform/notification/v1/subscriptions_pb.ts'
import { assert, eventually } from '../../../test/kit/kit.ts'
import { newBrowser } from '../../../test/kit/notification/browser.ts'
import { notificationSuite, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'

const { test, world, host, db, sandbox, person, workspace, publish, waitUntilHandled } =
  await notificationSuite('erased members')

/** More than one statement deletes. */
const many = 2_300
/** What has no personal data but ids and results stays in the log of what was sent. */
const logs = ['deliveries', 'delivery_attempts']

/** The number of a member's rows in each table that names members. */
async function rowsOf({ id }: Someone): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = database() and column_name = 'member_id' order by 1
  `.execute(db)
  const counts: Record<string, number> = {}
  for (const { name } of rows) {
    const { rows: memberRows } = await sql`select 1 from ${sql.table(name)} where member_id = ${id}`.execute(db)
    counts[name] = memberRows.length
  }
  return counts
}

/** Fills every table with rows of a member. */
async function fill(one: Someone, author: Someone, workspaceId: string) {
  const device = { deviceToken: `fcm-${one.id}`, platform: 'fcm', deviceType: 'ios', workspaceId }
  await host.as(SubscriptionService, one.userId).registerDevice(device)
  await host
    .as(SubscriptionService, one.userId, { sessionId: newId() })
    .subscribeBrowser(newBrowser(sandbox.url).subscription)
  await host
    .as(PreferenceService, one.userId)
    .updatePreferences({ emailDigest: 'daily', updateMask: { paths: ['email_digest'] } })
  for (const [type, channels] of [
    ['page.created', ['push', 'socket', 'email']],
    ['page.reminded', ['push', 'email']],
  ] as const)
    await waitUntilHandled(await publish(type, pageCreated(workspaceId, author, [one], { channels })))
  await sql`
    insert into deliveries (id, workspace_id, member_id, notification_id, lane, due_at, created_at)
    select concat(${one.id.slice(0, 20)}, lpad(hex(seq), 4, '0')), ${workspaceId}, ${one.id}, ${one.id}, 'email',
      utc_timestamp(3) + interval 1 hour, utc_timestamp(3)
    from seq_1_to_2300
  `.execute(db)
  for (const table of ['receivers', 'digest_items'])
    await sql`
      insert into ${sql.table(table)} (member_id, notification_id, ${sql.raw(table === 'receivers' ? 'workspace_id, type, channels' : 'created_at')})
      select ${one.id}, concat(${one.id.slice(0, 20)}, lpad(hex(seq), 4, '0')),
        ${table === 'receivers' ? sql`${workspaceId}, 'page', 1` : sql`utc_timestamp(3)`}
      from seq_1_to_2300
    `.execute(db)
}

test('an erasure deletes all rows of the person, however many, what waits for them, and nothing of others', async () => {
  const [ada, bob, author] = [await person(), await person(), await person({ firstName: 'Max' })]
  const workspaceId = await workspace(ada, bob, author)
  for (const one of [ada, bob]) await fill(one, author, workspaceId)
  await eventually(async () => {
    for (const one of [ada, bob]) assert.ok(Object.values(await rowsOf(one)).every(count => count > 0))
    return true
  })
  const before = await rowsOf(bob)
  for (const table of ['receivers', 'digest_items', 'deliveries']) assert.ok((before[table] ?? 0) > many, table)
  const memberFields = { id: ada.id, memberId: ada.id, memberName: 'Ada', changes: {} }
  const body = pageCreated(workspaceId, author, [bob], { channels: ['app'] })
  await waitUntilHandled(await publish('member.updated', { ...body, payload: memberFields }))

  await world.erase(ada)
  const erased = { type: 'member.erased', workspaceId, payload: { ...memberFields, userIds: [] } }
  await host.bus.publish('platform.member.erased', JSON.stringify(erased), { id: newId() })
  const names = db.selectFrom('notifications').select('id').where('named_member_id', '=', ada.id)
  const pending = db.selectFrom('deliveries').select('id').where('status', '=', 'pending')
  const answers = db.selectFrom('delivery_attempts').select('id').where('provider_response', 'is not', null)
  await eventually(async () => {
    const remainingRows = Object.entries(await rowsOf(ada)).filter(
      ([table, count]) => count > 0 && !logs.includes(table),
    )
    assert.equal(remainingRows, [])
    assert.equal(await names.execute(), [])
    assert.equal(await pending.where('member_id', '=', ada.id).execute(), [], 'nothing waits')
    assert.equal(await answers.where('member_id', '=', ada.id).execute(), [])
    return true
  })
  const inbox = await host.as(NotificationService, bob.userId).listNotifications({ type: 'member' })
  assert.equal(inbox.data, [], 'nobody has to read about the person any more')
  const { member_counters: _, delivery_attempts: __, ...after } = await rowsOf(bob)
  assert.equal(after, Object.fromEntries(Object.keys(after).map(table => [table, before[table]])))
})

test('names that come after an erasure are removed, also while another person’s cannot be', async () => {
  const [ada, bob, author, reader] = [await person(), await person(), await person(), await person()]
  const workspaceId = await workspace(author, reader)
  const naming = (one: Someone) => db.selectFrom('notifications').select('id').where('named_actor_id', '=', one.id)
  const body = () => pageCreated(workspaceId, author, [reader], { channels: ['app'] })
  for (const page of [body(), body()]) await waitUntilHandled(await publish('page.created', page))
  const [first, second] = (await naming(author).execute()).map(({ id }) => id)
  const unreadable = { named_actor_id: ada.id, data: '{' }
  await db
    .updateTable('notifications')
    .set(unreadable)
    .where('id', '=', first ?? '')
    .execute()
  await db
    .updateTable('notifications')
    .set({ named_actor_id: bob.id })
    .where('id', '=', second ?? '')
    .execute()
  const erased_at = new Date()
  await db
    .insertInto('erased_members')
    .values([ada, bob].map(({ id }) => ({ id, erased_at })))
    .execute()
  await eventually(async () => (await naming(bob).execute()).length === 0)
  assert.is((await naming(ada).execute()).length, 1)
})

test.run()
