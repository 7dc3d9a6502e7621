import { idAt } from '../../kernel/base/ids.ts'
import { exempt } from '../../kernel/database/database.ts'
import { deleteOld, type Kept } from '../../kernel/database/retention.ts'
import type { Db } from '../tables.ts'

/** Single views. Counters, days and who has seen a page stay. */
export const keptViews = (db: Db, days: number): Kept => ({
  table: 'page_views',
  days,
  deleteBefore: before =>
    deleteOld(db, 'page_views', maxRows =>
      exempt(db, 'views of all workspaces grow old')
        .deleteFrom('page_views')
        .where('id', '<', idAt(before))
        .orderBy('id')
        .limit(maxRows)
        .executeTakeFirst(),
    ),
})
