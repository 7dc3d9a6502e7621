import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { Db, PageRow, Trx } from '../tables.ts'

export type Interactions = { views: number; likes: number; comments: number }

const none: Interactions = { views: 0, likes: 0, comments: 0 }

/** The row of sums that a page adds to: ids end in random digits. */
export const partOf = (pageId: string): number => Number.parseInt(pageId.slice(-1), 16)

/** Changes the sums of a workspace, each part once and in order. Call it after the pages themselves are written. */
export async function moveTotals(
  trx: Trx,
  workspaceId: string,
  moves: ({ pageId: string } & Partial<Interactions>)[],
): Promise<void> {
  const parts = new Map<number, Interactions>()
  for (const { pageId, views = 0, likes = 0, comments = 0 } of moves) {
    const sum = parts.get(partOf(pageId)) ?? none
    parts.set(partOf(pageId), {
      views: sum.views + views,
      likes: sum.likes + likes,
      comments: sum.comments + comments,
    })
  }
  const rows = [...parts]
    .toSorted(([a], [b]) => a - b)
    .map(([part, sums]) => ({ workspace_id: workspaceId, part, ...sums }))
  if (rows.length === 0) return
  await trx
    .insertInto('interaction_totals')
    .values(rows)
    .onDuplicateKeyUpdate({
      views: sql`interaction_totals.views + values(views)`,
      likes: sql`interaction_totals.likes + values(likes)`,
      comments: sql`interaction_totals.comments + values(comments)`,
    })
    .execute()
}

type Counted = Pick<PageRow, 'id' | 'workspace_id' | 'view_count' | 'like_count' | 'comment_count'>

/** Adds a locked page to the sums when it becomes live, or removes it. */
export const movePage = (trx: Trx, page: Counted, by: 1 | -1): Promise<void> =>
  moveTotals(trx, page.workspace_id, [
    { pageId: page.id, views: by * page.view_count, likes: by * page.like_count, comments: by * page.comment_count },
  ])

/** Sums over the live pages of a workspace. */
export async function interactions(db: Db, tenant: Tenant): Promise<Interactions> {
  const row = await db
    .selectFrom('interaction_totals')
    .select(eb => [
      eb.fn.sum<number | null>('views').as('views'),
      eb.fn.sum<number | null>('likes').as('likes'),
      eb.fn.sum<number | null>('comments').as('comments'),
    ])
    .where('workspace_id', '=', tenant.workspaceId)
    .executeTakeFirst()
  return { views: Number(row?.views ?? 0), likes: Number(row?.likes ?? 0), comments: Number(row?.comments ?? 0) }
}
