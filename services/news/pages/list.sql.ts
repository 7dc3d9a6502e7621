import { type CompiledQuery, type JoinBuilder, type Kysely, sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { type CursorPaging, followsCursor, type ListOrder, rowsToRead } from '../../kernel/rpc/cursor.ts'
import { likePattern } from '../../kernel/rpc/paging.ts'
import { countTexts, foldSearch, matchingTexts } from '../search/texts.sql.ts'
import type { NewsTables, PageStatus } from '../tables.ts'
import { allOfThem } from '../totals/pages.sql.ts'

type Sort = 'created_at' | 'published_at' | 'scheduled_at' | 'view_count' | 'like_count'

/** Which pages to list, and how. */
export type PageQuery = {
  /** Whose unpublished pages are included: all of them, or this member's. */
  seesAll: boolean
  memberId: string
  status?: PageStatus | undefined
  pageType?: string | undefined
  categoryId?: string | undefined
  search?: string | undefined
  /** Only pages that this member hasn't viewed. */
  unreadBy?: string | undefined
  /** Only drafts with a publication time. */
  isScheduled?: boolean
  sort: Sort
  ascending: boolean
}

type QueryValues = Pick<PageQuery, 'memberId' | 'pageType' | 'categoryId' | 'search' | 'unreadBy'> & {
  workspaceId: string
  page: CursorPaging
}

/** The part of a query that selects the statement's text; the rest are bound values. */
type QueryShape = Pick<PageQuery, 'seesAll' | 'status' | 'isScheduled' | 'sort' | 'ascending'> & { isDeep: boolean }

/** A page as a list shows it. */
export type ListRow = Awaited<ReturnType<ReturnType<typeof rowsQuery>['execute']>>[number]

function matchingPages(db: Kysely<NewsTables>, values: QueryValues, { seesAll, status, isScheduled }: QueryShape) {
  const { workspaceId, memberId, pageType, categoryId, search, unreadBy } = values
  let query = db.selectFrom('pages as p').where('p.workspace_id', '=', workspaceId).where('p.deleted_at', 'is', null)
  if (status) query = query.where('p.status', '=', status)
  if (!seesAll && status && status !== 'published') query = query.where('p.created_by_id', '=', memberId)
  if (!seesAll && !status)
    query = query.where(eb => eb.or([eb('p.status', '=', 'published'), eb('p.created_by_id', '=', memberId)]))
  if (isScheduled) query = query.where('p.scheduled_at', 'is not', null)
  if (pageType) query = query.where('p.page_type', '=', pageType)
  if (categoryId) query = query.where('p.category_id', '=', categoryId)
  // A scalar subquery per page, in list order. A join would let some servers read all texts first.
  if (search)
    query = query.where(eb =>
      eb(
        eb
          .selectFrom('page_texts as t')
          .select(sql<number>`t.body like ${search}`.as('has'))
          .where('t.workspace_id', '=', workspaceId)
          .whereRef('t.page_id', '=', 'p.id'),
        '=',
        1,
      ),
    )
  // One lookup in the primary key per page, in list order.
  if (unreadBy)
    query = query.where(eb =>
      eb(
        eb
          .selectFrom('page_viewers as w')
          .select('w.page_id')
          .where('w.workspace_id', '=', workspaceId)
          .whereRef('w.page_id', '=', 'p.id')
          .where('w.member_id', '=', unreadBy),
        'is',
        null,
      ),
    )
  return query
}

/** Pages that were never published are ordered by creation. */
const isByPublication = ({ sort }: Pick<PageQuery, 'sort'>): boolean => sort === 'published_at'

/** The order of a list, for its cursors. */
export const orderOf = ({ sort, ascending }: Pick<PageQuery, 'sort' | 'ascending'>): ListOrder => ({
  name: `pages ${sort} ${ascending}`,
  columns: {
    [sort]: sort.endsWith('_count') ? 'number' : 'time',
    ...(isByPublication({ sort }) ? { created_at: 'time' } : {}),
    id: 'id',
  },
  isAscending: ascending,
})

/** Pages in order. With an offset, index entries alone find the page of the list, and only its rows are read. */
function selectPages(db: Kysely<NewsTables>, values: QueryValues, shape: QueryShape) {
  const direction = shape.ascending ? 'asc' : 'desc'
  const { page } = values
  const orderedPages = matchingPages(db, values, shape)
    .where(followsCursor(page, 'p'))
    .orderBy(`p.${shape.sort}`, direction)
    .$if(isByPublication(shape), query => query.orderBy('p.created_at', direction))
    .orderBy('p.id', direction)
    .limit(sql<number>`${rowsToRead(page)}`)
    .offset(sql<number>`${page.offset}`)
  if (!shape.isDeep) return orderedPages
  return db
    .selectFrom(orderedPages.select('p.id').as('k'))
    .innerJoin('pages as p', 'p.id', 'k.id')
    .where('p.workspace_id', '=', values.workspaceId)
    .where('p.deleted_at', 'is', null)
    .orderBy(`p.${shape.sort}`, direction)
    .$if(isByPublication(shape), query => query.orderBy('p.created_at', direction))
    .orderBy('p.id', direction)
}

/** The kept total of a list: one counter row for editors who filter by status, a few rows otherwise. */
function totalQuery(
  db: Kysely<NewsTables>,
  { workspaceId, memberId, pageType, categoryId }: QueryValues,
  shape: QueryShape,
) {
  const { seesAll, status } = shape
  let query = db
    .selectFrom('page_counters as n')
    .select(eb => eb.fn.coalesce(eb.fn.sum<number>('n.total'), eb.lit(0)).as('total'))
    .where('n.workspace_id', '=', workspaceId)
    .where('n.page_type', '=', pageType ?? allOfThem)
    .where('n.category_id', '=', categoryId ?? allOfThem)
  if (status) query = query.where('n.status', '=', status)
  if (seesAll || status === 'published') return query.where('n.author_id', '=', allOfThem)
  if (status) return query.where('n.author_id', '=', memberId)
  return query.where(eb =>
    eb.or([
      eb.and([eb('n.author_id', '=', allOfThem), eb('n.status', '=', 'published')]),
      eb('n.author_id', '=', memberId),
    ]),
  )
}

type PageAndCategory = { p: NewsTables['pages']; c: NewsTables['categories'] }

/** Joins the live category c of page p. */
export const categoryOfPage = (join: JoinBuilder<PageAndCategory, 'p' | 'c'>) =>
  join.onRef('c.id', '=', 'p.category_id').onRef('c.workspace_id', '=', 'p.workspace_id').on('c.deleted_at', 'is', null)

/** Columns in lists, of page p and its category c. */
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
  'p.event_starts_at',
  'c.id as category_id',
  'c.name as category_name',
  'c.icon as category_icon',
  'c.color as category_color',
] as const

/** Whether the total is counted by a query: no counter exists for a person's unread pages or for scheduled ones. */
const isCounted = (
  { unreadBy }: Pick<QueryValues, 'unreadBy'>,
  { isScheduled }: Pick<QueryShape, 'isScheduled'>,
): boolean => unreadBy !== undefined || isScheduled === true

const rowsQuery = (db: Kysely<NewsTables>, values: QueryValues, shape: QueryShape) =>
  selectPages(db, values, shape)
    .leftJoin('categories as c', categoryOfPage)
    .select(listColumns)
    .select(() =>
      (values.search || isCounted(values, shape) ? sql<number>`-1` : totalQuery(db, values, shape)).as('total'),
    )

type Statements = { rows: CompiledQuery<ListRow>; total: CompiledQuery<{ total: number }> }

/** Both statements of a list, also for the test of their plans. `search` is folded. */
export function pageStatements(
  db: Kysely<NewsTables>,
  { workspaceId }: Tenant,
  { memberId, pageType, categoryId, search, unreadBy, ...rest }: PageQuery,
  page: CursorPaging,
): Statements {
  const pattern = search === undefined ? undefined : likePattern(search)
  const values: QueryValues = { workspaceId, memberId, pageType, categoryId, search: pattern, unreadBy, page }
  const shape: QueryShape = { ...rest, isDeep: page.offset > 0 }
  const total = isCounted(values, shape)
    ? matchingPages(db, values, shape).select(eb => eb.fn.countAll<number>().as('total'))
    : totalQuery(db, values, shape)
  return { rows: rowsQuery(db, values, shape).compile(), total: total.compile() }
}

/** One page of the list without a search, with the kept total. */
export async function listPages(
  db: Kysely<NewsTables>,
  tenant: Tenant,
  query: PageQuery,
  page: CursorPaging,
): Promise<{ rows: ListRow[]; total: number }> {
  const statements = pageStatements(db, tenant, query, page)
  const { rows } = await db.executeQuery(statements.rows)
  const [first] = rows
  // Each row carries the total. Without rows it is 0 on the first page and unknown on later ones.
  if (first || (page.offset === 0 && !page.after)) return { rows, total: Number(first?.total ?? 0) }
  return { rows, total: Number((await db.executeQuery(statements.total)).rows[0]?.total ?? 0) }
}

/** One page of the pages that a member hasn't viewed, or that are scheduled, also with a search, and their number. */
export async function listCounted(
  db: Kysely<NewsTables>,
  tenant: Tenant,
  query: PageQuery,
  page: CursorPaging,
): Promise<{ rows: ListRow[]; total: number }> {
  // A search for nothing but accents matches every text.
  const search = foldSearch(query.search ?? '') || undefined
  const statements = pageStatements(db, tenant, { ...query, search }, page)
  const [{ rows }, totalResult] = await Promise.all([
    db.executeQuery(statements.rows),
    db.executeQuery(statements.total),
  ])
  return { rows, total: Number(totalResult.rows[0]?.total ?? 0) }
}

/** Up to this many matches are sorted; with more, reading the list in order finds enough of them soon. */
const mostSorted = 2_000

/** One page of the pages whose title or excerpt contains the text, and the number of matches. */
export async function searchPages(
  db: Kysely<NewsTables>,
  tenant: Tenant,
  query: PageQuery & { search: string },
  page: CursorPaging,
): Promise<{ rows: ListRow[]; total: number }> {
  const search = foldSearch(query.search)
  // The search was nothing but accents, which every text matches.
  if (search === '') return listPages(db, tenant, { ...query, search: undefined }, page)
  const foldedQuery = { ...query, search }
  const total = await countTexts(db, tenant, foldedQuery)
  if (page.offset >= total) return { rows: [], total }
  if (total <= mostSorted) return { rows: await sortedPages(db, tenant, foldedQuery, page), total }
  return { rows: (await db.executeQuery(pageStatements(db, tenant, foldedQuery, page).rows)).rows, total }
}

function sortedPages(db: Kysely<NewsTables>, tenant: Tenant, query: PageQuery, page: CursorPaging) {
  const direction = query.ascending ? 'asc' : 'desc'
  return matchingTexts(db, tenant, query)
    .innerJoin('pages as p', join =>
      join
        .onRef('p.id', '=', 't.page_id')
        .onRef('p.workspace_id', '=', 't.workspace_id')
        .on('p.deleted_at', 'is', null),
    )
    .leftJoin('categories as c', categoryOfPage)
    .select(listColumns)
    .select(sql<number>`-1`.as('total'))
    .where(followsCursor(page, 'p'))
    .orderBy(`p.${query.sort}`, direction)
    .$if(isByPublication(query), rows => rows.orderBy('p.created_at', direction))
    .orderBy('p.id', direction)
    .limit(rowsToRead(page))
    .offset(page.offset)
    .execute()
}
