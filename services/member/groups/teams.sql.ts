import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { newId } from '../../kernel/base/ids.ts'
import { exempt } from '../../kernel/database/database.ts'
import type { Db, Trx } from '../tables.ts'

type TeamColumns = {
  name: string
  description: string | null
  color: string | null
  icon: string | null
  leader_id: string | null
}

/** Workspace of a live team. */
export const locateTeam = (db: Db, id: string) =>
  exempt(db, 'locates the tenant of a record')
    .selectFrom('teams')
    .select('workspace_id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** A live team with the number of its members. */
export const findTeam = (db: Db, tenant: Tenant, id: string) =>
  teamsWithCounts(db, tenant).where('t.id', '=', id).executeTakeFirst()

export async function insertTeam(trx: Trx, tenant: Tenant, columns: TeamColumns): Promise<string> {
  const id = newId()
  await trx
    .insertInto('teams')
    .values({ ...columns, id, workspace_id: tenant.workspaceId, deleted_at: null })
    .execute()
  return id
}

export const updateTeam = (
  trx: Trx,
  tenant: Tenant,
  id: string,
  set: Partial<TeamColumns & { is_active: number; deleted_at: Date }>,
) =>
  trx
    .updateTable('teams')
    .set(set)
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()

/** Adds a member to a team, or changes their role there. */
export const putIntoTeam = (trx: Trx, tenant: Tenant, teamId: string, memberId: string, role: 'leader' | 'member') =>
  trx
    .insertInto('team_members')
    .values({
      team_id: teamId,
      member_id: memberId,
      workspace_id: tenant.workspaceId,
      role,
      joined_at: sql<Date>`current_timestamp(3)`,
    })
    .onDuplicateKeyUpdate({ role })
    .execute()

/** Makes the team's leader an ordinary member. */
export const demoteLeader = (trx: Trx, tenant: Tenant, teamId: string) =>
  trx
    .updateTable('team_members')
    .set({ role: 'member' })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('team_id', '=', teamId)
    .where('role', '=', 'leader')
    .execute()

/** One membership of a team. */
export const findTeamMember = (db: Db, tenant: Tenant, teamId: string, memberId: string) =>
  db
    .selectFrom('team_members')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('team_id', '=', teamId)
    .where('member_id', '=', memberId)
    .executeTakeFirst()

/** Removes one member, or all, from a team. */
export function removeFromTeam(trx: Trx, tenant: Tenant, teamId: string, memberId?: string) {
  const query = trx
    .deleteFrom('team_members')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('team_id', '=', teamId)
  return (memberId ? query.where('member_id', '=', memberId) : query).execute()
}

/** Members of the workspace who are in a team, by last name. */
export const listTeamMembers = (db: Db, tenant: Tenant, teamId: string) =>
  db
    .selectFrom('team_members as tm')
    .innerJoin('workspace_members as wm', 'wm.member_id', 'tm.member_id')
    .innerJoin('members as m', 'm.id', 'tm.member_id')
    .select(['m.id', 'm.first_name', 'm.last_name', 'm.email', 'm.photo_url', 'tm.role'])
    .select(['wm.is_veiled', 'wm.sort_first', 'wm.sort_last', 'wm.typed_email'])
    .where('tm.workspace_id', '=', tenant.workspaceId)
    .where('tm.team_id', '=', teamId)
    .where('wm.workspace_id', '=', tenant.workspaceId)
    .where('wm.left_at', 'is', null)
    .where('m.deleted_at', 'is', null)
    .orderBy('wm.sort_last')
    .orderBy('wm.sort_first')
    .orderBy('m.id')
    .execute()

/** Teams of a workspace by name, with the number of members who are in the workspace. */
export const teamsWithCounts = (db: Db, tenant: Tenant) =>
  db
    .selectFrom('teams as t')
    .selectAll('t')
    .select(eb =>
      eb
        .selectFrom('team_members as tm')
        .innerJoin('workspace_members as wm', 'wm.member_id', 'tm.member_id')
        .select(one => one.fn.countAll<number>().as('count'))
        .whereRef('tm.team_id', '=', 't.id')
        .where('tm.workspace_id', '=', tenant.workspaceId)
        .where('wm.workspace_id', '=', tenant.workspaceId)
        .where('wm.left_at', 'is', null)
        .as('members_count'),
    )
    .where('t.workspace_id', '=', tenant.workspaceId)
    .where('t.deleted_at', 'is', null)
    .orderBy('t.name')
    .orderBy('t.id')

/** Teams of a member in these workspaces, by name. */
export const teamsOf = (db: Db, memberId: string, workspaceIds: string[]) =>
  db
    .selectFrom('team_members as tm')
    .innerJoin('teams as t', 't.id', 'tm.team_id')
    .select(['t.id', 't.name', 'tm.role'])
    .where('tm.member_id', '=', memberId)
    .where('tm.workspace_id', 'in', workspaceIds)
    .where('t.workspace_id', 'in', workspaceIds)
    .where('t.deleted_at', 'is', null)
    .orderBy('t.name')
    .orderBy('t.id')
    .execute()
