import type { Tenant } from '../../kernel/access/tenant.ts'
import type { NewsDb } from '../tables.ts'
import { allOfThem, type CountScope, countsFor } from '../totals/pages.sql.ts'

/** Days with views from a given day on, oldest first. */
export const viewDays = (db: NewsDb, tenant: Tenant, pageId: string, since: string) =>
  db
    .selectFrom('page_days')
    .select(['day', 'views'])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .where('day', '>=', since)
    .orderBy('day')
    .execute()

/** Number of members who have seen each page, its author apart. */
export async function viewersOf(db: NewsDb, tenant: Tenant, pageIds: string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('page_viewers as w')
    .innerJoin('pages as p', join => join.onRef('p.id', '=', 'w.page_id').onRef('p.created_by_id', '!=', 'w.member_id'))
    .select(['w.page_id', eb => eb.fn.countAll<number>().as('total')])
    .where('w.workspace_id', '=', tenant.workspaceId)
    .where('p.workspace_id', '=', tenant.workspaceId)
    .where('p.deleted_at', 'is', null)
    .where('w.page_id', 'in', pageIds)
    .groupBy('w.page_id')
    .execute()
  return new Map(rows.map(row => [row.page_id, Number(row.total)]))
}

/** Live pages by status, from the kept totals. */
export const pagesByStatus = (db: NewsDb, tenant: Tenant) =>
  db
    .selectFrom('page_counters')
    .select(['status', 'total'])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_type', '=', allOfThem)
    .where('category_id', '=', allOfThem)
    .where('author_id', '=', allOfThem)
    .execute()

/** Sums over the live pages of a workspace, read from an index alone. */
export async function interactionsOf(db: NewsDb, tenant: Tenant) {
  const row = await db
    .selectFrom('pages')
    .select(({ fn }) => [
      fn.sum<number | null>('view_count').as('views'),
      fn.sum<number | null>('like_count').as('likes'),
      fn.sum<number | null>('comment_count').as('comments'),
    ])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return { views: Number(row?.views ?? 0), likes: Number(row?.likes ?? 0), comments: Number(row?.comments ?? 0) }
}

/** The ten published pages with the most views. */
export const topPages = (db: NewsDb, tenant: Tenant) =>
  db
    .selectFrom('pages')
    .select(['id', 'title', 'view_count', 'like_count', 'comment_count'])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'published')
    .orderBy('view_count', 'desc')
    .orderBy('id', 'desc')
    .limit(10)
    .execute()

/** The ten categories with the most live pages that the member sees. */
export const topCategories = (db: NewsDb, tenant: Tenant, scope: CountScope) =>
  db
    .selectFrom('categories as c')
    .innerJoin('page_counters as n', join =>
      join
        .onRef('n.workspace_id', '=', 'c.workspace_id')
        .onRef('n.category_id', '=', 'c.id')
        .on('n.page_type', '=', allOfThem),
    )
    .where(countsFor(scope))
    .select(['c.id', 'c.name', eb => eb.fn.sum<number>('n.total').as('pages')])
    .where('c.workspace_id', '=', tenant.workspaceId)
    .where('c.deleted_at', 'is', null)
    .groupBy(['c.id', 'c.name'])
    .having(eb => eb(eb.fn.sum<number>('n.total'), '>', 0))
    .orderBy('pages', 'desc')
    .orderBy('c.name')
    .limit(10)
    .execute()
