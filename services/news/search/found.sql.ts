import { type Kysely, sql } from 'kysely'
import { likePattern, type Paging } from '../../kernel/rpc/paging.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import {
  isByPublication,
  listColumns,
  listPages,
  type ListRow,
  type PageQuery,
  pageStatements,
} from '../pages/list.sql.ts'
import { fold } from './fold.ts'
import type { Tables } from '../tables.ts'

/** Up to this many finds are sorted; more are met soon enough by walking the list in its order. */
const mostSorted = 2_000

type Found = { rows: ListRow[]; total: number }

/** One page of the pages that have the text in title or excerpt, and how many do. */
export async function searchPages(
  db: Kysely<Tables>,
  tenant: Tenant,
  query: PageQuery & { search: string },
  paging: Paging,
): Promise<Found> {
  const search = fold(query.search)
  // Nothing but accents: every text has that.
  if (search === '') return listPages(db, tenant, { ...query, search: undefined }, paging)
  const folded = { ...query, search }
  const total = await count(db, tenant, folded)
  if (paging.offset >= total) return { rows: [], total }
  if (total <= mostSorted) return { rows: await sorted(db, tenant, folded, paging), total }
  return { rows: (await db.executeQuery(pageStatements(db, tenant, folded, paging).rows)).rows, total }
}

/** Texts of live pages that have the term and pass the filters, as far as the caller may see them. */
function matchingTexts(db: Kysely<Tables>, tenant: Tenant, query: PageQuery) {
  const { seesAll, memberId, status, pageType, categoryId, search = '' } = query
  let texts = db
    .selectFrom('page_texts as t')
    .where('t.workspace_id', '=', tenant.workspaceId)
    .where(sql<boolean>`t.body like ${likePattern(search)}`)
  if (status) texts = texts.where('t.status', '=', status)
  if (!seesAll && status !== 'published')
    texts = texts.where(eb => eb.or([eb('t.status', '=', 'published'), eb('t.created_by_id', '=', memberId)]))
  if (pageType) texts = texts.where('t.page_type', '=', pageType)
  if (categoryId) texts = texts.where('t.category_id', '=', categoryId)
  return texts
}

async function count(db: Kysely<Tables>, tenant: Tenant, query: PageQuery): Promise<number> {
  const { total } = await matchingTexts(db, tenant, query)
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

function sorted(db: Kysely<Tables>, tenant: Tenant, query: PageQuery, { limit, offset }: Paging) {
  const direction = query.ascending ? 'asc' : 'desc'
  return matchingTexts(db, tenant, query)
    .innerJoin('pages as p', join =>
      join
        .onRef('p.id', '=', 't.page_id')
        .onRef('p.workspace_id', '=', 't.workspace_id')
        .on('p.deleted_at', 'is', null),
    )
    .leftJoin('categories as c', join =>
      join
        .onRef('c.id', '=', 'p.category_id')
        .onRef('c.workspace_id', '=', 'p.workspace_id')
        .on('c.deleted_at', 'is', null),
    )
    .select(listColumns)
    .select(sql<number>`-1`.as('total'))
    .orderBy(`p.${query.sort}`, direction)
    .$if(isByPublication(query), rows => rows.orderBy('p.created_at', direction))
    .orderBy('p.id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
}
