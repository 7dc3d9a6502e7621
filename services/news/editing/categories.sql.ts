import type { Insertable } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { exempt } from '../../kernel/database/database.ts'
import { clearCategory } from '../search/texts.sql.ts'
import type { CategoryRow, NewsDb, NewsTables, NewsTrx } from '../tables.ts'
import { allOfThem, type CountScope, countsFor } from '../totals/pages.sql.ts'

const liveCategories = (db: NewsDb, tenant: Tenant) =>
  db.selectFrom('categories').where('workspace_id', '=', tenant.workspaceId).where('deleted_at', 'is', null)

export const lockCategory = (trx: NewsTrx, tenant: Tenant, id: string): Promise<CategoryRow | undefined> =>
  liveCategories(trx, tenant).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export async function insertCategory(db: NewsDb, category: Insertable<NewsTables['categories']>): Promise<void> {
  await db.insertInto('categories').values(category).execute()
}

/** The slugs of live categories that begin with a text. */
export async function slugsBeginning(db: NewsDb, tenant: Tenant, prefix: string): Promise<Set<string>> {
  const rows = await liveCategories(db, tenant).select('slug').where('live_slug', 'like', `${prefix}%`).execute()
  return new Set(rows.map(({ slug }) => slug))
}

/**
 * Categories by order, then name, with the number of live pages that the member sees; one category if an id is given.
 */
export const listCategories = (db: NewsDb, tenant: Tenant, scope: CountScope, id?: string) =>
  db
    .selectFrom('categories as c')
    .selectAll('c')
    .select(eb =>
      eb
        .selectFrom('page_counters as n')
        .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('n.total'), lit(0)).as('total'))
        .where('n.workspace_id', '=', tenant.workspaceId)
        .where('n.page_type', '=', allOfThem)
        .whereRef('n.category_id', '=', 'c.id')
        .where(countsFor(scope))
        .as('page_count'),
    )
    .where('c.workspace_id', '=', tenant.workspaceId)
    .where('c.deleted_at', 'is', null)
    .$if(id !== undefined, query => query.where('c.id', '=', id ?? ''))
    .orderBy('c.sort_order')
    .orderBy('c.name')
    .orderBy('c.id')
    .execute()

/** Removes the category from live and deleted pages. @returns the live ones, locked, as they counted before */
export async function removeFromPages(trx: NewsTrx, tenant: Tenant, categoryId: string) {
  const pages = await trx
    .selectFrom('pages')
    .select(['id', 'status', 'page_type', 'category_id', 'created_by_id'])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('category_id', '=', categoryId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .execute()
  await exempt(trx, 'a restored page must not come back with a category that is gone')
    .updateTable('pages')
    .set({ category_id: null })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('category_id', '=', categoryId)
    .execute()
  await clearCategory(
    trx,
    tenant,
    pages.map(page => page.id),
  )
  return pages
}
