import { sql } from 'kysely'
import { assert, eventually, suite } from '../../test/kit/kit.ts'
import {
  author,
  during,
  notificationsForTest,
  pageCreated,
  type Someone,
} from '../../test/kit/notification/notification.ts'
import { startNotifications } from '../../test/kit/notification/process.ts'
import type { Process } from '../../test/kit/process.ts'
import { newId } from '../kernel/base/ids.ts'

const test = suite('notification processes that die or have different clocks')
const world = await notificationsForTest({ DELIVERY_TIMEOUT_MS: '30000' }, [], false)
const { host, db, sandbox, frames, person, workspace, publish, waitUntilHandled } = world
const processes: Process[] = []
test.after(async () => {
  await Promise.all(processes.map(one => one.stop()))
  await world.end()
})

const start = async (options: Parameters<typeof startNotifications>[1] = {}) => {
  const one = await startNotifications(host.env, options)
  processes.push(one)
  return one
}
/** A killed process holds its deliveries for a minute; this ends the lease now. */
const endClaims = () => sql`update deliveries set due_at = utc_timestamp(3) where status = 'pending'`.execute(db)
const device = (one: Someone, workspaceId: string) =>
  db
    .insertInto('subscriptions')
    .values({
      id: newId(),
      member_id: one.id,
      workspace_id: workspaceId,
      device_token: `fcm-${one.id}`,
      device_type: 'ios',
      platform: 'fcm',
      app_version: null,
      device_model: null,
      os_version: null,
      last_used_at: new Date(),
      created_at: new Date(),
    })
    .execute()
const unreadOf = async (one: Someone) => {
  const { rows } = await sql<{ total: string; unread: string }>`
    select sum(total) as total, sum(unread) as unread from member_counters where member_id = ${one.id}
  `.execute(db)
  return [Number(rows[0]?.total), Number(rows[0]?.unread)]
}

test('kill -9 at each step leaves one notification, one row per receiver, exact counters and a row for every attempt', async () => {
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(ada, bob)
  await device(bob, workspaceId)
  const channels = ['push', 'email', 'socket']
  const steps = ['notification-storing', 'notification-stored', 'consumer-handled', 'deliveries-tried']
  const ids: string[] = []
  for (const failpoint of steps) {
    ids.push(await publish('page.created', pageCreated(workspaceId, author(), [ada, bob], { channels })))
    const dying = await start({ failpoint })
    assert.is(await dying.exitStatus, 'SIGKILL', failpoint)
  }
  await start()
  for (const id of ids) await waitUntilHandled(id)
  await endClaims()
  await eventually(async () => {
    const open = await db.selectFrom('deliveries').select('id').where('status', '=', 'pending').execute()
    const all = await db.selectFrom('deliveries').select('id').execute()
    return open.length === 0 && all.length === 3 * steps.length
  }, 60_000)

  const notifications = await db
    .selectFrom('notifications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .execute()
  assert.equal(
    notifications.map(row => [
      row.receiver_count,
      row.socket_count,
      row.sent_count,
      row.delivered_count,
      row.failed_count,
    ]),
    steps.map(() => [2, 2, 2, 2, 0]),
  )
  for (const one of [ada, bob]) {
    const rows = await db.selectFrom('receivers').selectAll().where('member_id', '=', one.id).execute()
    assert.is(rows.length, steps.length)
    assert.equal(await unreadOf(one), [steps.length, steps.length])
  }
  const deliveries = await db.selectFrom('deliveries').selectAll().execute()
  assert.ok(deliveries.some(({ attempts }) => attempts > 1))
  for (const { id, attempts, status } of deliveries) {
    const rows = await db.selectFrom('delivery_attempts').selectAll().where('delivery_id', '=', id).execute()
    const tries = rows.toSorted((a, b) => a.attempt_number - b.attempt_number)
    assert.equal(
      tries.map(row => [row.attempt_number, row.status]),
      tries.map((_, i) => [i + 1, i + 1 < attempts ? 'failed' : 'success']),
    )
    assert.equal([tries.length, status], [attempts, 'success'])
  }
  const lostAttempts = await db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('error_code', '=', 'INTERRUPTED')
    .execute()
  assert.ok(lostAttempts.length > 0)
  const hasFrame = (id: string) => frames.some(each => each.event === 'notification:new' && each.id === id)
  await eventually(() => notifications.every(({ id }) => hasFrame(id)))
})

test('a delivery that kills every process is dead-lettered, with its attempts recorded', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  await waitUntilHandled(
    await publish('page.created', pageCreated(workspaceId, author(), [ada], { channels: ['email'] })),
  )
  const deliveryQuery = db.selectFrom('deliveries').selectAll().where('member_id', '=', ada.id)
  await eventually(async () => (await deliveryQuery.executeTakeFirst())?.status === 'success')
  // As if four processes had died with the delivery, without recording an attempt.
  await db.deleteFrom('delivery_attempts').where('member_id', '=', ada.id).execute()
  await db
    .updateTable('deliveries')
    .set({ status: 'pending', attempts: 4, due_at: sql<Date>`utc_timestamp(3)` })
    .where('member_id', '=', ada.id)
    .execute()
  const delivery = await eventually(async () => {
    const row = await deliveryQuery.executeTakeFirst()
    return row?.status === 'pending' ? undefined : row
  })
  assert.equal([delivery.status, delivery.attempts], ['failed', 5])
  const rows = await db.selectFrom('delivery_attempts').selectAll().where('member_id', '=', ada.id).execute()
  assert.equal(
    rows.map(row => [row.attempt_number, row.error_code]).toSorted(),
    [1, 2, 3, 4].map(number => [number, 'INTERRUPTED']),
  )
})

test('a process whose clock is five minutes ahead shortens no silence and takes over no claim', async () => {
  await start({ skewMs: 300_000 })
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(ada, bob)
  await sql`
    insert into preferences (member_id, do_not_disturb, dnd_until, category_prefs)
    values (${bob.id}, 1, utc_timestamp(3) + interval 2 minute, '{}')
  `.execute(db)
  await sql`insert into preference_changes (id, changes) values (1, 1) on duplicate key update changes = changes + 1`.execute(
    db,
  )
  // Each mail takes longer than the other process's poll interval.
  await sandbox.control({ provider: 'email', mode: 'delay', delayMs: 1_500, times: 3 })
  const event = (channels: string[], occurrence = newId()) =>
    during(occurrence, pageCreated(workspaceId, author(), [ada, bob], { channels }))
  const mailed = await Promise.all([1, 2, 3].map(() => publish('page.created', event(['email']))))
  const halves = Array.from({ length: 30 }, () => newId())
  const both = await Promise.all(
    halves.flatMap(one =>
      [['socket'], ['push', 'socket']].map(channels => publish('page.created', event(channels, one))),
    ),
  )
  for (const id of [...mailed, ...both]) await waitUntilHandled(id)
  await eventually(async () => {
    const rows = await db.selectFrom('deliveries').selectAll().where('member_id', '=', ada.id).execute()
    return rows.length === 3 && rows.every(row => row.status === 'success')
  }, 60_000)
  const { json } = await sandbox.call('GET', `/_inbox?to=${ada.email}`)
  const rows = await db.selectFrom('delivery_attempts').selectAll().where('member_id', '=', ada.id).execute()
  assert.equal([json.data.length, rows.length], [3, 3])
  assert.equal(await unreadOf(ada), [33, 33])
  const bobs = await db.selectFrom('receivers').selectAll().where('member_id', '=', bob.id).execute()
  assert.is(bobs.length, 0)
  const storedNotifications = await db
    .selectFrom('notifications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .execute()
  assert.equal([storedNotifications.length, storedNotifications.every(row => row.receiver_count === 1)], [33, true])
})

test('quiet hours follow local time in the night of a change to and from daylight saving time', async () => {
  await Promise.all(processes.map(one => one.stop()))
  await start({ databaseTime: '2018-03-25T03:30:00Z' })
  const cases: [timezone: string, start: string, end: string, isTold: boolean][] = [
    // 05:30 now; with yesterday's UTC offset it would be 04:30.
    ['Europe/Paris', '22:00', '05:00', true],
    ['Europe/Paris', '04:15', '04:45', true],
    ['Europe/Paris', '05:15', '07:00', false],
    // The second 23:30 of the day; with the UTC offset of an hour ago it would be 00:30.
    ['America/Asuncion', '00:00', '06:00', true],
    ['America/Asuncion', '23:45', '06:00', true],
    ['America/Asuncion', '23:15', '23:45', false],
  ]
  const people = await Promise.all(cases.map(() => person()))
  const [ada] = people
  if (!ada) throw new Error('nobody')
  const workspaceId = await workspace(...people)
  for (const [i, [timezone, start, end]] of cases.entries()) {
    const hours = JSON.stringify({ enabled: true, timezone, start, end })
    await sql`
      insert into preferences (member_id, dnd_until, quiet_hours, category_prefs)
      values (${people[i]?.id}, null, ${hours}, '{}')
    `.execute(db)
  }
  await sql`update preference_changes set changes = changes + 1`.execute(db)
  await waitUntilHandled(
    await publish('page.created', pageCreated(workspaceId, author(), people, { channels: ['push'] })),
  )
  const receiverRows = await db
    .selectFrom('receivers')
    .select('member_id')
    .where(
      'member_id',
      'in',
      people.map(({ id }) => id),
    )
    .execute()
  assert.equal(
    people.map(({ id }) => receiverRows.some(row => row.member_id === id)),
    cases.map(([, , , isTold]) => isTold),
  )
})

test.run()
