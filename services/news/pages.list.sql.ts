import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { likePattern, type Paging } from '../kernel/paging.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { allOfThem } from './page-counters.sql.ts'
import type { PageStatus, Tables } from './tables.ts'

type Sort = 'created_at' | 'published_at' | 'view_count' | 'like_count'

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
  if (searching)
    query = query.where(eb => eb.or([eb('p.title', 'like', slot('search')), eb('p.excerpt', 'like', slot('search'))]))
  return query
}

/** Pages in order. A far page is found by index entries alone, and only its own rows are read. */
function wanted(db: Kysely<Tables>, shape: Shape) {
  const direction = shape.ascending ? 'asc' : 'desc'
  const ordered = matching(db, shape)
    .orderBy(`p.${shape.sort}`, direction)
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

const countStatement = (db: Kysely<Tables>, shape: Shape) =>
  matching(db, shape).select(eb => eb.fn.countAll<number>().as('total'))

function rowsStatement(db: Kysely<Tables>, shape: Shape) {
  return wanted(db, shape)
    .leftJoin('categories as c', join =>
      join
        .onRef('c.id', '=', 'p.category_id')
        .onRef('c.workspace_id', '=', 'p.workspace_id')
        .on('c.deleted_at', 'is', null),
    )
    .select([
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
    ])
    .select(() => (shape.searching ? sql<number>`-1` : totalStatement(db, shape)).as('total'))
}

type Statements = { rows: CompiledQuery<ListRow>; total: CompiledQuery<{ total: number }> }

/**
 * The index that serves a shape. The server would find it by itself, after estimating ten of them for every call, which
 * costs as much as the list; where filters meet it is left to choose.
 */
function indexOf({ status, pageType, categoryId, searching, sort }: Shape): string | undefined {
  if (searching || (pageType && categoryId)) return undefined
  if (pageType || categoryId) {
    if (sort !== 'published_at') return undefined
    return pageType ? 'pages_type' : 'pages_category'
  }
  if (sort === 'published_at') return status ? 'pages_status_published' : 'pages_published'
  if (sort === 'created_at') return status ? 'pages_status_created' : 'pages_created'
  return sort === 'view_count' ? 'pages_viewed' : 'pages_liked'
}

/** The first mention of the table is the one that finds the rows. */
function hinted<R>(query: CompiledQuery<R>, index: string | undefined): CompiledQuery<R> {
  return index ? { ...query, sql: query.sql.replace('from `pages` as `p`', `$& force index (${index})`) } : query
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
    const rows = hinted(rowsStatement(db, shape).compile(), indexOf(shape))
    statements = { rows, total: (searching ? countStatement(db, shape) : totalStatement(db, shape)).compile() }
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

/** Both statements of a list, ready to run; for it and for the test of their plans. */
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

/** One page of pages, and how many there are in all; the total is kept, and counted only for a search. */
export async function listPages(
  db: Kysely<Tables>,
  tenant: Tenant,
  query: PageQuery,
  paging: Paging,
): Promise<{ rows: ListRow[]; total: number }> {
  const statements = pageStatements(db, tenant, query, paging)
  const total = async () => Number((await db.executeQuery(statements.total)).rows[0]?.total ?? 0)
  if (query.search !== undefined) {
    const { rows } = await db.executeQuery(statements.rows)
    const { offset, limit } = paging
    // A page that is not full is the last one, and says itself how many there are.
    const isLast = rows.length < limit && (rows.length > 0 || offset === 0)
    return { rows, total: isLast ? offset + rows.length : await total() }
  }
  if (paging.offset === 0) {
    const { rows } = await db.executeQuery(statements.rows)
    // Without a row there is nothing, and nothing brings the total along.
    return { rows, total: Number(rows[0]?.total ?? 0) }
  }
  const known = await total()
  return { rows: await farRows(db, tenant, query, paging, known), total: known }
}

/** A page in the second half is found from the end. */
async function farRows(
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
