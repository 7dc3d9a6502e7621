import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { byIndex } from '../kernel/index-hint.ts'
import { likePattern, type Paging } from '../kernel/paging.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { allOfThem } from './page-counters.sql.ts'
import type { PageStatus, Tables } from './tables.ts'

export type Sort = 'created_at' | 'published_at' | 'view_count' | 'like_count'

/** Which pages to list, and how. */
export type PageQuery = {
  /** Whose unpublished pages are among them: everybody's, or this member's. */
  seesAll: boolean
  memberId: string
  status?: PageStatus | undefined
  pageType?: string | undefined
  categoryId?: string | undefined
  search?: string | undefined
  sort: Sort
  ascending: boolean
}

type Shape = Omit<PageQuery, 'memberId' | 'search'> & { searching: boolean; deep: boolean }

/** Values of a running call, in the place of their names in a compiled statement. */
type Values = Record<'workspaceId' | 'memberId' | 'status' | 'pageType' | 'categoryId' | 'search', string> &
  Record<'limit' | 'offset', number>

const slot = (name: keyof Values): string => `:${name}`
const number = (name: 'limit' | 'offset') => sql<number>`${slot(name)}`

/** A page as a list shows it. */
export type ListRow = Awaited<ReturnType<ReturnType<typeof rowsStatement>['execute']>>[number]

function matching(db: Kysely<Tables>, shape: Shape) {
  const { seesAll, status, pageType, categoryId, searching } = shape
  let query = db
    .selectFrom('pages as p')
    .where('p.workspace_id', '=', slot('workspaceId'))
    .where('p.deleted_at', 'is', null)
  if (status) query = query.where('p.status', '=', status)
  if (!seesAll && status && status !== 'published') query = query.where('p.created_by_id', '=', slot('memberId'))
  if (!seesAll && !status)
    query = query.where(eb => eb.or([eb('p.status', '=', 'published'), eb('p.created_by_id', '=', slot('memberId'))]))
  if (pageType) query = query.where('p.page_type', '=', slot('pageType'))
  if (categoryId) query = query.where('p.category_id', '=', slot('categoryId'))
  // A scalar per page, in the order of the list: no server makes a join of it that reads all texts first.
  if (searching)
    query = query.where(eb =>
      eb(
        eb
          .selectFrom('page_texts as t')
          .select(sql<number>`t.body like ${slot('search')}`.as('has'))
          .where('t.workspace_id', '=', slot('workspaceId'))
          .whereRef('t.page_id', '=', 'p.id'),
        '=',
        1,
      ),
    )
  return query
}

/** Pages that were never published stand in the order of their creation (R37). */
export const isByPublication = ({ sort }: Pick<PageQuery, 'sort'>): boolean => sort === 'published_at'

/** Pages in order. A far page is found by index entries alone, and only its own rows are read. */
function wanted(db: Kysely<Tables>, shape: Shape) {
  const direction = shape.ascending ? 'asc' : 'desc'
  const ordered = matching(db, shape)
    .orderBy(`p.${shape.sort}`, direction)
    .$if(isByPublication(shape), query => query.orderBy('p.created_at', direction))
    .orderBy('p.id', direction)
    .limit(number('limit'))
    .offset(number('offset'))
  if (!shape.deep) return ordered
  return db
    .selectFrom(ordered.select('p.id').as('k'))
    .innerJoin('pages as p', 'p.id', 'k.id')
    .where('p.workspace_id', '=', slot('workspaceId'))
    .where('p.deleted_at', 'is', null)
    .orderBy(`p.${shape.sort}`, direction)
    .$if(isByPublication(shape), query => query.orderBy('p.created_at', direction))
    .orderBy('p.id', direction)
}

/** The kept total of a list: one row for editors with a status, a few otherwise. */
function totalStatement(db: Kysely<Tables>, { seesAll, status, pageType, categoryId }: Shape) {
  let query = db
    .selectFrom('page_counters as n')
    .select(eb => eb.fn.coalesce(eb.fn.sum<number>('n.total'), eb.lit(0)).as('total'))
    .where('n.workspace_id', '=', slot('workspaceId'))
    .where('n.page_type', '=', pageType ? slot('pageType') : allOfThem)
    .where('n.category_id', '=', categoryId ? slot('categoryId') : allOfThem)
  if (status) query = query.where('n.status', '=', status)
  if (seesAll || status === 'published') return query.where('n.author_id', '=', allOfThem)
  if (status) return query.where('n.author_id', '=', slot('memberId'))
  return query.where(eb =>
    eb.or([
      eb.and([eb('n.author_id', '=', allOfThem), eb('n.status', '=', 'published')]),
      eb('n.author_id', '=', slot('memberId')),
    ]),
  )
}

/** What lists show of a page p and its category c. */
export const listColumns = [
  'p.id',
  'p.title',
  'p.excerpt',
  'p.page_type',
  'p.status',
  'p.published_at',
  'p.scheduled_at',
  'p.created_at',
  'p.created_by_id',
  'p.medias',
  'p.view_count',
  'p.like_count',
  'p.comment_count',
  'p.pinned_until',
  'c.id as category_id',
  'c.name as category_name',
  'c.icon as category_icon',
  'c.color as category_color',
] as const

const rowsStatement = (db: Kysely<Tables>, shape: Shape) =>
  wanted(db, shape)
    .leftJoin('categories as c', join =>
      join
        .onRef('c.id', '=', 'p.category_id')
        .onRef('c.workspace_id', '=', 'p.workspace_id')
        .on('c.deleted_at', 'is', null),
    )
    .select(listColumns)
    .select(() => (shape.searching ? sql<number>`-1` : totalStatement(db, shape)).as('total'))

type Statements = { rows: CompiledQuery<ListRow>; total: CompiledQuery<{ total: number }> }

/**
 * The index that serves a shape. The server would find it by itself, after estimating ten of them for every call, which
 * costs as much as the list; where a filter meets another order it is left to choose.
 */
function indexOf({ status, pageType, categoryId, sort }: Shape): string | undefined {
  if (pageType || categoryId) {
    if (sort !== 'published_at') return undefined
    if (pageType && categoryId) return 'pages_type_category'
    return pageType ? 'pages_type' : 'pages_category'
  }
  if (sort === 'published_at') return status ? 'pages_status_published' : 'pages_published'
  if (sort === 'created_at') return status ? 'pages_status_created' : 'pages_created'
  return sort === 'view_count' ? 'pages_viewed' : 'pages_liked'
}

/** Statements are put together once per shape: that costs as much as a third of running one. */
const compiled = new WeakMap<Kysely<Tables>, Map<string, Statements>>()

function statementsOf(db: Kysely<Tables>, shape: Shape): Statements {
  let known = compiled.get(db)
  if (!known) compiled.set(db, (known = new Map()))
  const { seesAll, status, pageType, categoryId, searching, sort, ascending, deep } = shape
  const key = `${seesAll} ${status} ${!!pageType} ${!!categoryId} ${searching} ${sort} ${ascending} ${deep}`
  let statements = known.get(key)
  if (!statements) {
    // The first mention of the table is the one that finds the rows.
    const rows = byIndex(rowsStatement(db, shape).compile(), 'from `pages` as `p`', indexOf(shape))
    statements = { rows, total: totalStatement(db, shape).compile() }
    known.set(key, statements)
  }
  return statements
}

const bind = <R>(query: CompiledQuery<R>, values: Values): CompiledQuery<R> => ({
  ...query,
  parameters: query.parameters.map(value =>
    typeof value === 'string' && value[0] === ':' ? values[value.slice(1) as keyof Values] : value,
  ),
})

/** Both statements of a list, ready to run; for it and for the test of their plans. `search` is folded. */
export function pageStatements(db: Kysely<Tables>, tenant: Tenant, query: PageQuery, { limit, offset }: Paging) {
  const { memberId, search, ...rest } = query
  const statements = statementsOf(db, { ...rest, searching: search !== undefined, deep: offset > 0 })
  const values: Values = {
    workspaceId: tenant.workspaceId,
    memberId,
    status: query.status ?? '',
    pageType: query.pageType ?? '',
    categoryId: query.categoryId ?? '',
    search: search === undefined ? '' : likePattern(search),
    limit,
    offset,
  }
  return { rows: bind(statements.rows, values), total: bind(statements.total, values) }
}

/** Up to here a page is found by one statement, its total included. */
const nearRows = 2_000

/** One page of pages without a search, and how many there are in all by the kept total. */
export async function listPages(
  db: Kysely<Tables>,
  tenant: Tenant,
  query: PageQuery,
  paging: Paging,
): Promise<{ rows: ListRow[]; total: number }> {
  const statements = pageStatements(db, tenant, query, paging)
  if (paging.offset <= nearRows) {
    const { rows } = await db.executeQuery(statements.rows)
    // Without a row nothing brings the total along; on the first page that means there is nothing.
    if (rows.length > 0 || paging.offset === 0) return { rows, total: Number(rows[0]?.total ?? 0) }
  }
  const total = Number((await db.executeQuery(statements.total)).rows[0]?.total ?? 0)
  return { rows: await farRows(db, tenant, query, paging, total), total }
}

/** A page of which the total is known; one in the second half is found from the end. */
export async function farRows(
  db: Kysely<Tables>,
  tenant: Tenant,
  query: PageQuery,
  paging: Paging,
  total: number,
): Promise<ListRow[]> {
  const { limit, offset } = paging
  if (offset >= total) return []
  if (offset <= total / 2) return (await db.executeQuery(pageStatements(db, tenant, query, paging).rows)).rows
  const after = Math.max(0, total - offset - limit)
  const turned = { ...query, ascending: !query.ascending }
  const slice = { ...paging, offset: after, limit: total - offset - after }
  return (await db.executeQuery(pageStatements(db, tenant, turned, slice).rows)).rows.toReversed()
}
