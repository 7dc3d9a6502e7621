import { sql } from 'kysely'
import { idAt } from '../../kernel/base/ids.ts'
import { exempt, inTransaction } from '../../kernel/database/database.ts'
import { deleteInParts, deleteOld, type Kept, noteCleaning } from '../../kernel/database/retention.ts'
import type { Db } from '../tables.ts'
import { countRemoved } from './sql.ts'

/** Notifications and their places in inboxes, read or not. */
export const keptNotifications = (db: Db, days: number): Kept => ({
  days,
  async deleteBefore(before) {
    const end = idAt(before)
    let received = 0
    for (let member = await nextMember(db, ''); member !== undefined; member = await nextMember(db, member)) {
      const memberId = member
      received += await deleteInParts(async most => ({ numDeletedRows: await deleteReceived(db, memberId, end, most) }))
    }
    await noteCleaning(db, 'receivers', received)
    await deleteOld(db, 'notifications', most =>
      exempt(db, 'notifications of all workspaces grow old')
        .deleteFrom('notifications')
        .where('id', '<', end)
        .orderBy('id')
        .limit(most)
        .executeTakeFirst(),
    )
  },
})

/** The member after this one who has an inbox: one look into the key, however long the inboxes are. */
async function nextMember(db: Db, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`
    select min(member_id) as id from receivers where member_id > ${after}`.execute(db)
  return rows[0]?.id ?? undefined
}

/** Removes the oldest entries of an inbox with their counts. @returns how many there were */
const deleteReceived = (db: Db, memberId: string, end: string, most: number): Promise<bigint> =>
  inTransaction(db, async trx => {
    const rows = await trx
      .selectFrom('receivers')
      .select(['notification_id', 'workspace_id', 'type', 'is_read', 'is_dismissed'])
      .where('member_id', '=', memberId)
      .where('notification_id', '<', end)
      .orderBy('notification_id')
      .limit(most)
      .forUpdate()
      .execute()
    if (rows.length === 0) return 0n
    await trx
      .deleteFrom('receivers')
      .where('member_id', '=', memberId)
      .where(
        'notification_id',
        'in',
        rows.map(row => row.notification_id),
      )
      .execute()
    await countRemoved(trx, memberId, rows)
    return BigInt(rows.length)
  })
