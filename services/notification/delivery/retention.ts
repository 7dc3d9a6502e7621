import { idAt } from '../../kernel/base/ids.ts'
import { exempt } from '../../kernel/database/database.ts'
import { deleteOld, type Kept } from '../../kernel/database/retention.ts'
import type { Db } from '../tables.ts'

/** The delivery log. What still waits to be sent stays, and so do the counts by hour. */
export const keptDeliveries = (db: Db, days: number): Kept => ({
  table: 'deliveries',
  days,
  async deleteBefore(before) {
    const free = exempt(db, 'deliveries of all workspaces grow old')
    await deleteOld(db, 'delivery_attempts', maxRows =>
      free
        .deleteFrom('delivery_attempts')
        .where('id', '<', idAt(before))
        .orderBy('id')
        .limit(maxRows)
        .executeTakeFirst(),
    )
    await deleteOld(db, 'deliveries', maxRows =>
      free
        .deleteFrom('deliveries')
        .where('id', '<', idAt(before))
        .where('due_at', 'is', null)
        .orderBy('id')
        .limit(maxRows)
        .executeTakeFirst(),
    )
  },
})
