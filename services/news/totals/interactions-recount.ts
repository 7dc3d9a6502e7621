import { type Kysely, sql } from 'kysely'
import { inTransaction } from '../../kernel/database/database.ts'
import { trueCounters, type Found, inWorkspace } from './recount.sql.ts'
import type { Tables } from '../tables.ts'

type Sums = { workspace_id: string; part: number; views: number; likes: number; comments: number }

const keyOf = ({ workspace_id, part, views, likes, comments }: Sums): string =>
  [workspace_id, part, views, likes, comments].map(String).join(' ')

/** Compares the kept sums of workspaces with those of their pages; whoever moves one holds its page, so all are held. */
export async function recountSums(db: Kysely<Tables>, workspaceId: string, repair: boolean): Promise<Found> {
  const scope = inWorkspace(workspaceId, 'workspace_id')
  const due = sql`
    select p.workspace_id as workspace_id, conv(right(p.id, 1), 16, 10) as part, sum(n.views) as views,
      sum(n.likes) as likes, sum(n.comments) as comments
    from (${trueCounters} where ${inWorkspace(workspaceId, 'p.workspace_id')}) n join pages p on p.id = n.id
    where p.deleted_at is null group by 1, 2`
  return inTransaction(db, async trx => {
    if (repair) await sql`select id from pages where ${scope} for update`.execute(trx)
    const kept = await sql<Sums>`
      select workspace_id, part, views, likes, comments from interaction_totals
      where ${scope} and (views <> 0 or likes <> 0 or comments <> 0)`.execute(trx)
    const expected = await sql<Sums>`
      select * from (${due}) s where views <> 0 or likes <> 0 or comments <> 0`.execute(trx)
    const [found, right] = [kept.rows, expected.rows].map(rows => new Set(rows.map(keyOf)))
    const wrong = [...(right ?? [])].filter(key => !found?.has(key)).length
    const stray = [...(found ?? [])].filter(key => !right?.has(key)).length
    if (repair) {
      await sql`delete from interaction_totals where ${scope}`.execute(trx)
      await sql`insert into interaction_totals (workspace_id, part, views, likes, comments) ${due}`.execute(trx)
    }
    return { checked: expected.rows.length, wrong: Math.max(wrong, stray) }
  })
}
