import { sql } from 'kysely'
import { exempt } from '../../kernel/database/database.ts'
import type { Db, Trx } from '../tables.ts'

export type HierarchyRow = { id: string; superior_id: string; first_name: string; last_name: string }

/** Ids of a member and of everyone above them in a hotel, over any number of levels. A cycle ends where it closes. */
export async function findIdsAbove(db: Db, ecosystemId: string, memberId: string): Promise<Set<string>> {
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

/** Source of the hierarchy: memberships of these workspaces. Deleting a member ends their memberships. */
const inWorkspaces = (workspaceIds: string[]) => ({
  table: sql`workspace_members p force index (workspace_members_below)`,
  id: sql`p.member_id`,
  names: sql`p.sort_first, p.sort_last`,
  isLive: sql`p.workspace_id in (${sql.join(workspaceIds)}) and p.left_at is null`,
})

/** Source of the hierarchy: all members of a hotel. Deleting a member ends their memberships. */
const inHotel = (ecosystemId: string) => ({
  table: sql`ecosystem_memberships p force index (ecosystem_memberships_below) straight_join members n`,
  id: sql`p.member_id`,
  names: sql`n.first_name, n.last_name`,
  isLive: sql`p.ecosystem_id = ${ecosystemId} and n.id = p.member_id`,
})

/**
 * The query for everyone below a member, unordered; with workspaces, only members of one of these. The fixed join order
 * starts at the superiors: with stale statistics the planner would read the whole workspace at each level.
 *
 * `union all` skips the check for duplicates: each member has one superior and the top is excluded, so only a member of
 * several of the workspaces can repeat.
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

/** Everyone below a member in a hotel, unordered; with workspaces, only members of one of these. */
export async function membersBelow(db: Db, memberId: string, place: InHotel): Promise<HierarchyRow[]> {
  if (place.workspaceIds?.length === 0) return []
  return (await walkBelow(memberId, place).execute(db)).rows
}

/**
 * Like findIdsAbove, but locks each member on the way: of concurrent changes that would close a cycle, the last one sees
 * the others. When two wait for each other, the database reports a deadlock and one is retried.
 */
export async function lockAbove(trx: Trx, ecosystemId: string, memberId: string): Promise<Set<string>> {
  const superiorIds = new Set<string>()
  for (let nextId: string | null = memberId; nextId && !superiorIds.has(nextId); ) {
    superiorIds.add(nextId)
    const person: { superior_id: string | null } | undefined = await trx
      .selectFrom('ecosystem_memberships')
      .select('superior_id')
      .where('ecosystem_id', '=', ecosystemId)
      .where('member_id', '=', nextId)
      .forUpdate()
      .executeTakeFirst()
    nextId = person?.superior_id ?? null
  }
  return superiorIds
}

/** Part of the hierarchy of one hotel; without workspaces, all of it. */
export type InHotel = { ecosystemId: string; workspaceIds: string[] | undefined }

/** People of a hotel with the names on its memberships; only those in these workspaces (undefined: all). */
function peopleInHotel(db: Db, { ecosystemId, workspaceIds }: InHotel) {
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

/** One member with names, if visible there. */
export const visibleMember = async (db: Db, id: string, place: InHotel) =>
  place.workspaceIds?.length === 0
    ? undefined
    : peopleInHotel(db, place).where('wm.member_id', '=', id).executeTakeFirst()

/** Members whose superior is this member, by last name. */
export const findSubordinates = async (db: Db, id: string, place: InHotel) =>
  place.workspaceIds?.length === 0
    ? []
    : peopleInHotel(db, place)
        .where('wm.superior_id', '=', id)
        .orderBy('last_name')
        .orderBy('first_name')
        .orderBy('id')
        .execute()
