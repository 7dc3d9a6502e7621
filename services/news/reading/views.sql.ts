import { sql, type Updateable } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { Tables, Trx, ViewRow } from '../tables.ts'

/** A member's latest view of a page, locked. */
export const lockLatestView = (
  trx: Trx,
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
  trx: Trx,
  tenant: Tenant,
  id: string,
  set: Updateable<Tables['page_views']>,
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
  trx: Trx,
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
