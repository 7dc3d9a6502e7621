import { sql } from 'kysely'
import type { Trx } from '../tables.ts'

/**
 * Gives memberships the next revision of their workspace, by which synchronisation finds changes: all current ones of
 * these members, without those that wait for acceptance, or, with a workspace, those there, ended ones included. The revision is locked until commit, so
 * revisions become visible in order: a reader of one has seen all before it.
 */
export async function markChanged(trx: Trx, memberIds: string[], workspaceId?: string): Promise<void> {
  if (memberIds.length === 0) return
  const place = workspaceId ? sql`wm.workspace_id = ${workspaceId}` : sql`wm.left_at is null and wm.is_veiled = 0`
  const changedRows = sql`wm.member_id in (${sql.join(memberIds)}) and ${place}`
  await sql`insert into workspace_revisions (workspace_id, revision)
    select distinct wm.workspace_id, 1 from workspace_members wm where ${changedRows} order by wm.workspace_id
    on duplicate key update revision = workspace_revisions.revision + 1`.execute(trx)
  await sql`update workspace_members wm join workspace_revisions r on r.workspace_id = wm.workspace_id
    set wm.revision = r.revision where ${changedRows}`.execute(trx)
}
