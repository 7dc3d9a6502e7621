import { type ExpressionBuilder, sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { NewsTables, NewsTrx, PageRow, PageStatus } from '../tables.ts'

/** The columns of a live page that select its counters. */
type CountedPage = Pick<PageRow, 'status' | 'page_type' | 'category_id' | 'created_by_id'>

/** Stands for every type, category or author. */
export const allOfThem = '*'

/** Whose unpublished pages are counted: all of them, or this member's. */
export type CountScope = { seesAll: boolean; memberId: string }

/** Selects the counters, as `n`, of the pages that a member sees. */
export const countsFor =
  ({ seesAll, memberId }: CountScope) =>
  (eb: ExpressionBuilder<{ n: NewsTables['page_counters'] }, 'n'>) =>
    seesAll
      ? eb('n.author_id', '=', allOfThem)
      : eb.or([
          eb.and([eb('n.author_id', '=', allOfThem), eb('n.status', '=', 'published')]),
          eb('n.author_id', '=', memberId),
        ])

type Cell = { page_type: string; category_id: string; author_id: string; status: PageStatus }

/**
 * The counters that a page is part of. Unpublished pages also count per author, because only their author and editors
 * see them.
 */
function cellsOf(page: CountedPage): Cell[] {
  const types = [allOfThem, page.page_type]
  const categories = page.category_id === null ? [allOfThem] : [allOfThem, page.category_id]
  const authors = page.status === 'published' ? [allOfThem] : [allOfThem, page.created_by_id]
  return types.flatMap(page_type =>
    categories.flatMap(category_id =>
      authors.map(author_id => ({ page_type, category_id, author_id, status: page.status })),
    ),
  )
}

const keyOf = (cell: Cell) => `${cell.page_type} ${cell.category_id} ${cell.author_id} ${cell.status}`

/**
 * Moves pages from their previous counters to the current ones. Call it last in a transaction: all writers of the
 * workspace wait for the counters.
 */
export async function recountMoved(
  trx: NewsTrx,
  tenant: Tenant,
  changes: { before?: CountedPage; after?: CountedPage }[],
): Promise<void> {
  const deltas = new Map<string, Cell & { total: number }>()
  const add = (page: CountedPage | undefined, by: number) => {
    for (const cell of page ? cellsOf(page) : []) {
      const key = keyOf(cell)
      deltas.set(key, { ...cell, total: (deltas.get(key)?.total ?? 0) + by })
    }
  }
  for (const { before, after } of changes) {
    add(before, -1)
    add(after, 1)
  }
  // The same order for all writers prevents deadlocks.
  const changedCells = [...deltas].filter(([, { total }]) => total !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (changedCells.length === 0) return
  await trx
    .insertInto('page_counters')
    .values(changedCells.map(([, cell]) => ({ ...cell, workspace_id: tenant.workspaceId })))
    .onDuplicateKeyUpdate({ total: sql`page_counters.total + values(total)` })
    .execute()
}
