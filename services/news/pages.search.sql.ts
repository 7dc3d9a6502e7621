import { type Kysely, sql } from 'kysely'
import { likePattern, type Paging } from '../kernel/paging.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { farRows, isByPublication, listColumns, listPages, type ListRow, type PageQuery } from './pages.list.sql.ts'
import { fold, gramsOfTerm } from './search.fold.ts'
import type { Tables } from './tables.ts'

/** Up to so many texts are looked at one by one; a term in more of them is frequent. */
const mostCandidates = 2_000

/** Texts that a search may find: those with the rarest of its grams, or all of the workspace. */
type Candidates = { gram: number } | 'all'

type Found = { rows: ListRow[]; total: number }

/**
 * One page of the pages that have the text in title or excerpt, and how many do: exact, for each term. A rare one is
 * found by its rarest three characters; a frequent one is counted by one short scan and found in the order of the list.
 */
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
  const candidates = await candidatesOf(db, tenant, search)
  if (candidates === undefined) return { rows: [], total: 0 }
  if (candidates !== 'all') return sorted(db, tenant, folded, candidates, paging)
  const total = await count(db, tenant, folded, 'all')
  if (total <= mostCandidates) return total === 0 ? { rows: [], total } : sorted(db, tenant, folded, 'all', paging)
  return { rows: await farRows(db, tenant, folded, paging, total), total }
}

/** Where to look for a folded term; undefined when nobody has it. */
async function candidatesOf(db: Kysely<Tables>, tenant: Tenant, term: string): Promise<Candidates | undefined> {
  const grams = gramsOfTerm(tenant.workspaceId, term)
  if (grams.length === 0) return 'all'
  const counts = grams.map(
    gram => sql`
      select ${gram} as gram, count(*) as texts
      from (select number from page_grams where gram = ${gram} limit ${mostCandidates + 1}) few`,
  )
  const { rows } = await sql<{ gram: number; texts: number }>`
    ${sql.join(counts, sql` union all `)} order by texts limit 1
  `.execute(db)
  const [rarest] = rows
  if (!rarest || Number(rarest.texts) === 0) return undefined
  return Number(rarest.texts) > mostCandidates ? 'all' : { gram: Number(rarest.gram) }
}

/** Texts of live pages that have the term and pass the filters, as far as the caller may see them. */
function matchingTexts(db: Kysely<Tables>, tenant: Tenant, query: PageQuery, candidates: Candidates) {
  const { seesAll, memberId, status, pageType, categoryId, search = '' } = query
  let texts = db
    .selectFrom('page_texts as t')
    .where('t.workspace_id', '=', tenant.workspaceId)
    .where(sql<boolean>`t.body like ${likePattern(search)}`)
  if (candidates !== 'all')
    texts = texts.where(
      't.number',
      'in',
      db.selectFrom('page_grams').select('number').where('gram', '=', candidates.gram),
    )
  if (status) texts = texts.where('t.status', '=', status)
  if (!seesAll && status !== 'published')
    texts = texts.where(eb => eb.or([eb('t.status', '=', 'published'), eb('t.created_by_id', '=', memberId)]))
  if (pageType) texts = texts.where('t.page_type', '=', pageType)
  if (categoryId) texts = texts.where('t.category_id', '=', categoryId)
  return texts
}

async function count(db: Kysely<Tables>, tenant: Tenant, query: PageQuery, candidates: Candidates): Promise<number> {
  const { total } = await matchingTexts(db, tenant, query, candidates)
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** All that match, put in order: there are not many. */
export function sortedStatement(
  db: Kysely<Tables>,
  tenant: Tenant,
  query: PageQuery,
  candidates: Candidates,
  { limit, offset }: Paging,
) {
  const direction = query.ascending ? 'asc' : 'desc'
  const page = matchingTexts(db, tenant, query, candidates)
    .innerJoin('pages as p', join =>
      join
        .onRef('p.id', '=', 't.page_id')
        .onRef('p.workspace_id', '=', 't.workspace_id')
        .on('p.deleted_at', 'is', null),
    )
    .select(['p.id', sql<number>`count(*) over ()`.as('total')])
    .orderBy(`p.${query.sort}`, direction)
    .$if(isByPublication(query), rows => rows.orderBy('p.created_at', direction))
    .orderBy('p.id', direction)
    .limit(limit)
    .offset(offset)
  return db
    .selectFrom(page.as('k'))
    .innerJoin('pages as p', 'p.id', 'k.id')
    .leftJoin('categories as c', join =>
      join
        .onRef('c.id', '=', 'p.category_id')
        .onRef('c.workspace_id', '=', 'p.workspace_id')
        .on('c.deleted_at', 'is', null),
    )
    .where('p.workspace_id', '=', tenant.workspaceId)
    .where('p.deleted_at', 'is', null)
    .select(listColumns)
    .select('k.total')
    .orderBy(`p.${query.sort}`, direction)
    .$if(isByPublication(query), rows => rows.orderBy('p.created_at', direction))
    .orderBy('p.id', direction)
}

async function sorted(
  db: Kysely<Tables>,
  tenant: Tenant,
  query: PageQuery,
  candidates: Candidates,
  paging: Paging,
): Promise<Found> {
  const rows = await sortedStatement(db, tenant, query, candidates, paging).execute()
  const [first] = rows
  if (first) return { rows, total: Number(first.total) }
  return { rows, total: paging.offset === 0 ? 0 : await count(db, tenant, query, candidates) }
}
