import { sql } from 'kysely'
import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { assert } from '../../../test/kit/kit.ts'
import { author, notificationSuite, pageCreated } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { deleteExpired } from '../../kernel/database/retention.ts'
import { keptDeliveries } from '../delivery/retention.ts'
import { keptNotifications } from './retention.ts'

const { test, host, db, person, workspace, publish, waitUntilHandled } = await notificationSuite(
  'retention of notifications and deliveries',
)

const longAgo = Math.floor(Date.now() / 1000 - 31 * 86_400).toString(16)
const aged = (id: string) => longAgo + id.slice(8)

/** Makes notifications a month old. */
async function age(ids: string[]): Promise<void> {
  for (const id of ids) {
    await sql`update notifications set id = ${aged(id)} where id = ${id}`.execute(db)
    await sql`update receivers set notification_id = ${aged(id)} where notification_id = ${id}`.execute(db)
  }
}

test('notifications older than NOTIFICATIONS_KEPT_DAYS leave the inbox and its counts, whatever their state', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  const client = host.as(NotificationService, ada.userId)
  for (let i = 0; i < 5; i++)
    await waitUntilHandled(await publish('page.created', pageCreated(workspaceId, author(ada.name), [ada])))
  const ids = (await client.listNotifications({})).data.map(({ id }) => id)
  const [first = '', second = '', third = ''] = ids
  await client.markRead({ id: first })
  await client.dismissNotification({ id: second })
  await age([first, second, third])
  const counts = async () => {
    const { meta } = await client.listNotifications({})
    const archived = await client.listNotifications({ isArchived: true })
    return [meta?.total, meta?.unread, archived.meta?.total, (await client.getUnreadCount({})).count]
  }
  assert.equal(await counts(), [4, 3, 1, 3])
  await deleteExpired(db, [keptNotifications(db, 32)])
  assert.equal(await counts(), [4, 3, 1, 3])
  await sql`delete from cleanings`.execute(db)
  await deleteExpired(db, [keptNotifications(db, 30)])
  assert.equal(await counts(), [2, 2, 0, 2])
  assert.equal(
    (await client.listNotifications({})).data.map(({ id }) => id),
    ids.slice(3),
  )
  const rest = await sql`select 1 from notifications where id like ${`${longAgo}%`}`.execute(db)
  assert.is(rest.rows.length, 0)
  const { rows } = await sql<{ name: string; n: number }>`
    select table_name as name, deleted_rows as n from cleanings where table_name in ('notifications', 'receivers')
    order by table_name`.execute(db)
  assert.equal(
    rows.map(({ name, n }) => [name, Number(n)]),
    [
      ['notifications', 3],
      ['receivers', 3],
    ],
  )
})

test('deliveries older than DELIVERIES_KEPT_DAYS go with their attempts; those still to be sent stay', async () => {
  const [sentId, waitingId, recentId] = [aged(newId()), aged(newId()), newId()]
  for (const id of [sentId, waitingId, recentId]) {
    const dueAt = id === waitingId ? sql`now(3) + interval 1 hour` : sql`null`
    await sql`insert into deliveries (id, workspace_id, lane, due_at, created_at)
      values (${id}, '', 'email', ${dueAt}, now(3))`.execute(db)
    await sql`insert into delivery_attempts (id, delivery_id, channel, status, sent_at)
      values (${id}, ${id}, 'email', 'success', now(3))`.execute(db)
  }
  await deleteExpired(db, [keptDeliveries(db, 30)])
  const ids = async (table: string) =>
    (
      await sql<{ id: string }>`
      select id from ${sql.table(table)} where id in (${sentId}, ${waitingId}, ${recentId}) order by id`.execute(db)
    ).rows.map(({ id }) => id)
  assert.equal(await ids('deliveries'), [waitingId, recentId])
  assert.equal(await ids('delivery_attempts'), [recentId])
})

test.run()
