import { sql } from 'kysely'
import { lowestIdAt } from '../../kernel/base/ids.ts'
import { exempt, inTransaction } from '../../kernel/database/database.ts'
import { toChunks } from '../../kernel/database/parts.ts'
import { deleteInParts, deleteOldRows, type RetentionRule, recordCleaning } from '../../kernel/database/retention.ts'
import { countRemoved } from '../counters/sql.ts'
import type { NotificationDb } from '../tables.ts'

/** Notifications and their places in inboxes, read or not. */
export const keptNotifications = (db: NotificationDb, days: number): RetentionRule => ({
  table: 'notifications',
  days,
  async deleteBefore(before) {
    const end = lowestIdAt(before)
    let deletedReceivers = 0
    for await (const memberIds of membersWithOlder(db, end))
      deletedReceivers += await deleteInParts(async maxRows => ({
        numDeletedRows: await deleteReceived(db, memberIds, end, maxRows),
      }))
    await recordCleaning(db, 'receivers', deletedReceivers)
    await deleteOldRows(db, 'notifications', maxRows =>
      exempt(db, 'notifications of all workspaces grow old')
        .deleteFrom('notifications')
        .where('id', '<', end)
        .orderBy('id')
        .limit(maxRows)
        .executeTakeFirst(),
    )
  },
})

const membersAtOnce = 1_000

/** Members after one, each with the oldest entry of their inbox, by one key lookup per member. */
export const oldestOfMembers = async (db: NotificationDb, after: string) =>
  (
    await sql<{ id: string; oldest: string }>`select member_id as id, min(notification_id) as oldest from receivers
      where member_id > ${after} group by member_id order by member_id limit ${membersAtOnce}`.execute(db)
  ).rows

/** Members with entries before an id, some at a time. */
async function* membersWithOlder(db: NotificationDb, end: string): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const rows = await oldestOfMembers(db, after)
    yield* toChunks(
      rows.filter(({ oldest }) => oldest < end).map(({ id }) => id),
      100,
    )
    const lastRow = rows.at(-1)
    if (!lastRow || rows.length < membersAtOnce) return
    after = lastRow.id
  }
}

/** Removes old entries of these members with their counts. @returns how many there were */
const deleteReceived = (db: NotificationDb, memberIds: string[], end: string, maxRows: number): Promise<bigint> =>
  inTransaction(db, async trx => {
    const rows = await trx
      .selectFrom('receivers')
      .select(['member_id', 'notification_id', 'workspace_id', 'type', 'is_read', 'is_dismissed'])
      .where('member_id', 'in', memberIds)
      .where('notification_id', '<', end)
      .orderBy('member_id')
      .orderBy('notification_id')
      .limit(maxRows)
      .forUpdate()
      .execute()
    if (rows.length === 0) return 0n
    const keys = rows.map(row => sql`(${row.member_id}, ${row.notification_id})`)
    await sql`delete from receivers where (member_id, notification_id) in (${sql.join(keys)})`.execute(trx)
    await countRemoved(trx, rows)
    return BigInt(rows.length)
  })
