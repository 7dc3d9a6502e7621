import { lowestIdAt } from '../../kernel/base/ids.ts'
import { exempt } from '../../kernel/database/database.ts'
import { deleteOldRows, type RetentionRule } from '../../kernel/database/retention.ts'
import type { NewsDb } from '../tables.ts'

/** Single views. Counters, days and who has seen a page stay. */
export const keptViews = (db: NewsDb, days: number): RetentionRule => ({
  table: 'page_views',
  days,
  deleteBefore: before =>
    deleteOldRows(db, 'page_views', maxRows =>
      exempt(db, 'views of all workspaces grow old')
        .deleteFrom('page_views')
        .where('id', '<', lowestIdAt(before))
        .orderBy('id')
        .limit(maxRows)
        .executeTakeFirst(),
    ),
})
