import { sql } from 'kysely'
import type { Db, Trx } from './rows.ts'

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

/** Memberships in these workspaces as the people of a hierarchy. Deletion ends every membership. */
const inWorkspaces = (workspaceIds: string[]) => ({
  table: sql`workspace_members p force index (workspace_members_below)`,
  id: sql`p.member_id`,
  names: sql`p.sort_first, p.sort_last`,
  isLive: sql`p.workspace_id in (${sql.join(workspaceIds)}) and p.left_at is null`,
})

const everywhere = {
  table: sql`members p force index (members_below)`,
  id: sql`p.id`,
  names: sql`p.first_name, p.last_name`,
  isLive: sql`p.deleted_at is null`,
}

/**
 * The statement that finds everybody below a member, in no order; with workspaces, who is a member of one of these. The
 * order of the joins is fixed, from the superiors down: a planner with old statistics would read the whole workspace at
 * each level.
 *
 * Who has one superior is met once, unless the top stands below itself, which is left out. So the walk need not look
 * for repetitions, a third of its cost, unless somebody may stand in several of the workspaces.
 */
export function walkBelow(memberId: string, workspaceIds: string[] | undefined) {
  const { table, id, names, isLive } = workspaceIds ? inWorkspaces(workspaceIds) : everywhere
  const union = workspaceIds && workspaceIds.length > 1 ? sql`union` : sql`union all`
  return sql<HierarchyRow>`
    with recursive below (id, superior_id, first_name, last_name) as (
      select ${id}, p.superior_id, ${names} from ${table}
        where p.superior_id = ${memberId} and ${id} <> ${memberId} and ${isLive}
      ${union}
      select ${id}, p.superior_id, ${names} from below b straight_join ${table} on p.superior_id = b.id
        where ${id} <> ${memberId} and ${isLive}
    )
    select id, superior_id, first_name, last_name from below`
}

/** Everybody below a member, in no order; with workspaces, only who is a member of one of these. */
export async function membersBelow(db: Db, memberId: string, workspaceIds?: string[]): Promise<HierarchyRow[]> {
  if (workspaceIds?.length === 0) return []
  return (await walkBelow(memberId, workspaceIds).execute(db)).rows
}

/**
 * The same as idsAbove, each of them locked on the way: of changes that would close a cycle together, the last one sees
 * the others. Two that wait for each other are a deadlock, and one of them runs again.
 */
export async function lockAbove(trx: Trx, memberId: string): Promise<Set<string>> {
  const above = new Set<string>()
  for (let at: string | null = memberId; at && !above.has(at); ) {
    above.add(at)
    const person: { superior_id: string | null } | undefined = await trx
      .selectFrom('members')
      .select('superior_id')
      .where('id', '=', at)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    at = person?.superior_id ?? null
  }
  return above
}
