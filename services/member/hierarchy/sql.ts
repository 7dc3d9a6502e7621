import { sql } from 'kysely'
import { exempt } from '../../kernel/database/database.ts'
import type { Db, Trx } from '../rows.ts'

export type HierarchyRow = { id: string; superior_id: string; first_name: string; last_name: string }

/** Ids of a member and of everybody above them in a hotel, over any number of levels; a cycle ends where it closes. */
export async function idsAbove(db: Db, ecosystemId: string, memberId: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with recursive above (id, superior_id) as (
      select member_id, superior_id from ecosystem_memberships
        where member_id = ${memberId} and ecosystem_id = ${ecosystemId}
      union
      select e.member_id, e.superior_id from ecosystem_memberships e join above a on e.member_id = a.superior_id
        where e.ecosystem_id = ${ecosystemId}
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

/** Everybody in a hotel. Deletion ends every membership. */
const inHotel = (ecosystemId: string) => ({
  table: sql`ecosystem_memberships p force index (ecosystem_memberships_below) straight_join members n`,
  id: sql`p.member_id`,
  names: sql`n.first_name, n.last_name`,
  isLive: sql`p.ecosystem_id = ${ecosystemId} and n.id = p.member_id`,
})

/**
 * The statement that finds everybody below a member, in no order; with workspaces, who is a member of one of these. The
 * order of the joins is fixed, from the superiors down: a planner with old statistics would read the whole workspace at
 * each level.
 *
 * Who has one superior is met once, unless the top stands below itself, which is left out. So the walk need not look
 * for repetitions, a third of its cost, unless somebody may stand in several of the workspaces.
 */
export function walkBelow(memberId: string, { ecosystemId, workspaceIds }: InHotel) {
  const { table, id, names, isLive } = workspaceIds ? inWorkspaces(workspaceIds) : inHotel(ecosystemId)
  const union = workspaceIds && workspaceIds.length > 1 ? sql`union` : sql`union all`
  return sql<HierarchyRow>`
    with recursive below (id, superior_id, first_name, last_name) as (
      select ${id}, p.superior_id, ${names} from ${table}
        where p.superior_id = ${memberId} and ${id} <> ${memberId} and ${isLive}
      ${union}
      select ${id}, p.superior_id, ${names} from below b straight_join ${table}
        where p.superior_id = b.id and ${id} <> ${memberId} and ${isLive}
    )
    select id, superior_id, first_name, last_name from below`
}

/** Everybody below a member in a hotel, in no order; with workspaces, only who is a member of one of these. */
export async function membersBelow(db: Db, memberId: string, where: InHotel): Promise<HierarchyRow[]> {
  if (where.workspaceIds?.length === 0) return []
  return (await walkBelow(memberId, where).execute(db)).rows
}

/**
 * The same as idsAbove, each of them locked on the way: of changes that would close a cycle together, the last one sees
 * the others. Two that wait for each other are a deadlock, and one of them runs again.
 */
export async function lockAbove(trx: Trx, ecosystemId: string, memberId: string): Promise<Set<string>> {
  const above = new Set<string>()
  for (let at: string | null = memberId; at && !above.has(at); ) {
    above.add(at)
    const person: { superior_id: string | null } | undefined = await trx
      .selectFrom('ecosystem_memberships')
      .select('superior_id')
      .where('ecosystem_id', '=', ecosystemId)
      .where('member_id', '=', at)
      .forUpdate()
      .executeTakeFirst()
    at = person?.superior_id ?? null
  }
  return above
}

/** A place in the hierarchy of one hotel; without workspaces, all of it. */
export type InHotel = { ecosystemId: string; workspaceIds: string[] | undefined }

/** People of a hotel in short, as its memberships show them: those seen in these workspaces (undefined: all). */
function peopleOf(db: Db, { ecosystemId, workspaceIds }: InHotel) {
  let query = exempt(db, 'the hotel is named, or its workspaces are')
    .selectFrom('workspace_members as wm')
    .innerJoin('workspaces as w', 'w.id', 'wm.workspace_id')
    .select(['wm.member_id as id', 'wm.sort_first as first_name', 'wm.sort_last as last_name'])
    .distinct()
    .where('w.ecosystem_id', '=', ecosystemId)
    .where('w.deleted_at', 'is', null)
    .where('wm.left_at', 'is', null)
  if (workspaceIds) query = query.where('wm.workspace_id', 'in', workspaceIds)
  return query
}

/** One member in short, if they may be seen. */
export const visibleMember = async (db: Db, id: string, where: InHotel) =>
  where.workspaceIds?.length === 0 ? undefined : peopleOf(db, where).where('wm.member_id', '=', id).executeTakeFirst()

/** Those who have the member as their manager, by last name. */
export const directSubordinates = async (db: Db, id: string, where: InHotel) =>
  where.workspaceIds?.length === 0
    ? []
    : peopleOf(db, where)
        .where('wm.superior_id', '=', id)
        .orderBy('last_name')
        .orderBy('first_name')
        .orderBy('id')
        .execute()
