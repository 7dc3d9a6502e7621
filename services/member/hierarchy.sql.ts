import { sql } from 'kysely'
import type { Db } from './rows.ts'

export type HierarchyRow = { id: string; superior_id: string; first_name: string; last_name: string }

/** Ids of a member and of everybody above them, over any number of levels; a cycle ends where it closes. */
export async function idsAbove(db: Db, memberId: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with recursive above (id, superior_id) as (
      select id, superior_id from members where id = ${memberId} and deleted_at is null
      union
      select m.id, m.superior_id from members m join above a on m.id = a.superior_id where m.deleted_at is null
    )
    select id from above`.execute(db)
  return new Set(rows.map(row => row.id))
}

/**
 * Everybody below a member, in no order; with workspaces, only who is a member of one of these. The order of the joins
 * is fixed, from the superiors down: a planner with old statistics would read the whole workspace at each level.
 */
export async function membersBelow(db: Db, memberId: string, workspaceIds?: string[]): Promise<HierarchyRow[]> {
  if (workspaceIds?.length === 0) return []
  const seen = workspaceIds
    ? sql`straight_join workspace_members wm
        on wm.member_id = m.id and wm.left_at is null and wm.workspace_id in (${sql.join(workspaceIds)})`
    : sql``
  const { rows } = await sql<HierarchyRow>`
    with recursive below (id, superior_id, first_name, last_name) as (
      select m.id, m.superior_id, m.first_name, m.last_name from members m ${seen}
        where m.superior_id = ${memberId} and m.deleted_at is null
      union
      select m.id, m.superior_id, m.first_name, m.last_name
        from below b straight_join members m on m.superior_id = b.id ${seen} where m.deleted_at is null
    )
    select id, superior_id, first_name, last_name from below`.execute(db)
  return rows
}
