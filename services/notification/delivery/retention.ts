import { lowestIdAt } from '../../kernel/base/ids.ts'
import { exempt } from '../../kernel/database/database.ts'
import { deleteOldRows, type RetentionRule } from '../../kernel/database/retention.ts'
import type { NotificationDb } from '../tables.ts'

/** The delivery log. What still waits to be sent stays, and so do the counts by hour. */
export const keptDeliveries = (db: NotificationDb, days: number): RetentionRule => ({
  table: 'deliveries',
  days,
  async deleteBefore(before) {
    const allTenants = exempt(db, 'deliveries of all workspaces grow old')
    await deleteOldRows(db, 'delivery_attempts', maxRows =>
      allTenants
        .deleteFrom('delivery_attempts')
        .where('id', '<', lowestIdAt(before))
        .orderBy('id')
        .limit(maxRows)
        .executeTakeFirst(),
    )
    await deleteOldRows(db, 'deliveries', maxRows =>
      allTenants
        .deleteFrom('deliveries')
        .where('id', '<', lowestIdAt(before))
        .where('due_at', 'is', null)
        .orderBy('id')
        .limit(maxRows)
        .executeTakeFirst(),
    )
  },
})
