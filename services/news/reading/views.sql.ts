import { sql, type Updateable } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { NewsDb, NewsTables, NewsTrx, ViewRow } from '../tables.ts'

/** Time of a member's latest view of each of these pages; null when the view itself is gone. */
export async function latestViews(
  db: NewsDb,
  { workspaceId }: Tenant,
  memberId: string,
  pageIds: string[],
): Promise<ReadonlyMap<string, Date | null>> {
  const rows = await db
    .selectFrom('page_viewers as w')
    .select('w.page_id')
    .select(eb =>
      eb
        .selectFrom('page_views as v')
        .select('v.created_at')
        .where('v.workspace_id', '=', workspaceId)
        .whereRef('v.page_id', '=', 'w.page_id')
        .where('v.member_id', '=', memberId)
        .orderBy('v.created_at', 'desc')
        .orderBy('v.id', 'desc')
        .limit(1)
        .as('viewed_at'),
    )
    .where('w.workspace_id', '=', workspaceId)
    .where('w.member_id', '=', memberId)
    .where('w.page_id', 'in', pageIds)
    .execute()
  return new Map(rows.map(row => [row.page_id, row.viewed_at]))
}

/** A member's latest view of a page, locked. */
export const lockLatestView = (
  trx: NewsTrx,
  tenant: Tenant,
  pageId: string,
  memberId: string,
): Promise<ViewRow | undefined> =>
  trx
    .selectFrom('page_views')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .where('member_id', '=', memberId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()

export async function writeView(
  trx: NewsTrx,
  tenant: Tenant,
  id: string,
  set: Updateable<NewsTables['page_views']>,
): Promise<void> {
  await trx
    .updateTable('page_views')
    .set(set)
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Updates the sums behind the mean reading time of a live page. */
export async function moveReadingTime(
  trx: NewsTrx,
  tenant: Tenant,
  pageId: string,
  views: number,
  seconds: number,
): Promise<void> {
  await trx
    .updateTable('pages')
    .set({ timed_views: sql`timed_views + ${views}`, timed_seconds: sql`timed_seconds + ${seconds}` })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', pageId)
    .where('deleted_at', 'is', null)
    .execute()
}
