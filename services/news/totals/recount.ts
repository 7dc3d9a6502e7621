import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { RecountPagesRequest } from '../../../gen/platform/news/v1/pages_pb.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Context } from '../context.ts'
import { recountTexts } from '../search/recount.ts'
import type { NewsTables } from '../tables.ts'
import { allOfThem } from './pages.sql.ts'

// Raw statements: unlike the rest of the service, these compare whole workspaces, deleted rows included.

type WrongCounters = { id: string; likes: number; comments: number; views: number }

/** Compares the kept counters with what they count; `repair` corrects them (`platform recount`). */
export async function recountPages({ db }: Context, { workspaceId, repair }: RecountPagesRequest) {
  const pages = await recountColumns(db, workspaceId, repair)
  const comments = await recountCommentLikes(db, workspaceId, repair)
  const totals = await recountTotals(db, workspaceId, repair)
  const texts = await recountTexts(db, workspaceId, repair)
  const recounts = [pages, comments, totals, texts]
  const sum = (key: 'checked' | 'wrong') => recounts.reduce((total, one) => total + one[key], 0)
  return { checked: sum('checked'), wrong: sum('wrong'), repaired: repair ? sum('wrong') : 0 }
}

/** Counters of pages: reactions, comments and views. */
async function recountColumns(db: Kysely<NewsTables>, workspaceId: string, repair: boolean): Promise<CounterRecount> {
  return inTransaction(db, async trx => {
    const scope = inWorkspace(workspaceId, 'p.workspace_id')
    if (repair) await sql`select id from pages p where ${scope} for update`.execute(trx)
    const { rows: pageCounts } = await sql<{
      total: number
    }>`select count(*) as total from pages p where ${scope}`.execute(trx)
    const { rows: wrongPages } = await sql<WrongCounters>`
      select n.id, n.likes, n.comments, n.views from (${trueCounters} where ${scope}) n join pages p on p.id = n.id
      where p.like_count <> n.likes or p.comment_count <> n.comments or p.view_count <> n.views
    `.execute(trx)
    if (repair)
      for (const { id, likes, comments, views } of wrongPages)
        await sql`
          update pages set like_count = ${likes}, comment_count = ${comments}, view_count = ${views} where id = ${id}
        `.execute(trx)
    return { checked: 3 * Number(pageCounts[0]?.total ?? 0), wrong: wrongPages.length }
  })
}

/** Counters of comments: their likes. */
async function recountCommentLikes(
  db: Kysely<NewsTables>,
  workspaceId: string,
  repair: boolean,
): Promise<CounterRecount> {
  const scope = inWorkspace(workspaceId, 'c.workspace_id')
  const likes = sql`(select count(*) from comment_likes l where l.comment_id = c.id)`
  return inTransaction(db, async trx => {
    if (repair) await sql`select c.id from comments c where ${scope} for update`.execute(trx)
    const { rows } = await sql<{ checked: number; wrong: number | null }>`
      select count(*) as checked, sum(c.like_count <> ${likes}) as wrong from comments c where ${scope}
    `.execute(trx)
    if (repair) await sql`update comments c set c.like_count = ${likes} where ${scope}`.execute(trx)
    return { checked: Number(rows[0]?.checked ?? 0), wrong: Number(rows[0]?.wrong ?? 0) }
  })
}

const zeroAndOne = sql`(select 0 as chosen union all select 1)`

/** What page_counters must hold; see cellsOf in pages.sql.ts. */
const cells = (scope: RawBuilder<unknown>) => sql`
  select p.workspace_id as workspace_id, if(t.chosen, p.page_type, ${allOfThem}) as page_type,
    if(k.chosen, p.category_id, ${allOfThem}) as category_id, if(a.chosen, p.created_by_id, ${allOfThem}) as author_id,
    p.status as status, count(*) as total
  from pages p join ${zeroAndOne} t join ${zeroAndOne} k join ${zeroAndOne} a
  where ${scope} and p.deleted_at is null
    and (k.chosen = 0 or p.category_id is not null) and (a.chosen = 0 or p.status <> 'published')
  group by 1, 2, 3, 4, 5`

/**
 * Recounts the totals of lists. A writer whose page isn't visible here waits for the deleted rows and adds its page
 * later.
 */
async function recountTotals(db: Kysely<NewsTables>, workspaceId: string, repair: boolean): Promise<CounterRecount> {
  const pages = inWorkspace(workspaceId, 'p.workspace_id')
  const counters = inWorkspace(workspaceId, 'n.workspace_id')
  return inTransaction(db, async trx => {
    const storedCells = await sql<Cell>`select n.* from page_counters n where ${counters} and n.total <> 0`.execute(trx)
    const trueCells = await sql<Cell>`${cells(pages)}`.execute(trx)
    const trueTotals = new Map(trueCells.rows.map(row => [keyOf(row), Number(row.total)]))
    const storedTotals = new Map(storedCells.rows.map(row => [keyOf(row), row.total]))
    const keys = new Set([...trueTotals.keys(), ...storedTotals.keys()])
    const wrongCount = [...keys].filter(key => trueTotals.get(key) !== storedTotals.get(key)).length
    if (repair && wrongCount > 0) {
      await sql`delete n from page_counters n where ${counters}`.execute(trx)
      await sql`
        insert into page_counters (workspace_id, page_type, category_id, author_id, status, total) ${cells(pages)}
      `.execute(trx)
    }
    return { checked: keys.size, wrong: wrongCount }
  })
}

type Cell = Selectable<NewsTables['page_counters']>

const keyOf = ({ workspace_id, page_type, category_id, author_id, status }: Cell): string =>
  [workspace_id, page_type, category_id, author_id, status].join(' ')

/** Number of compared counters and of wrong ones. */
type CounterRecount = { checked: number; wrong: number }

/** A predicate on a workspace id column; always true for an empty id. */
const inWorkspace = (workspaceId: string, column: string): RawBuilder<unknown> =>
  workspaceId ? sql`${sql.ref(column)} = ${workspaceId}` : sql`1 = 1`

/** The true counters of each page. */
const trueCounters = sql`
  select p.id,
    (select count(*) from likes l where l.page_id = p.id) as likes,
    (select count(*) from comments c where c.page_id = p.id and c.deleted_at is null) as comments,
    (select coalesce(sum(d.views), 0) from page_days d where d.page_id = p.id) as views
  from pages p`
