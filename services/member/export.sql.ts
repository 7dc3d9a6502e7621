import type { Tenant } from '../kernel/tenant.ts'
import type { Db } from './rows.ts'

/** The members of a workspace by last name, as a stream that holds a few hundred at a time. */
export const streamMembers = (db: Db, tenant: Tenant, chunk: number) =>
  db
    .selectFrom('workspace_members as wm')
    .innerJoin('members as m', 'm.id', 'wm.member_id')
    .select(['m.id', 'm.first_name', 'm.last_name', 'm.email', 'm.phone'])
    .select(['wm.workspace_role', 'wm.status', 'wm.permission_slugs', 'wm.joined_at'])
    .where('wm.workspace_id', '=', tenant.workspaceId)
    .where('wm.left_at', 'is', null)
    .where('m.deleted_at', 'is', null)
    .orderBy('wm.sort_last')
    .orderBy('wm.sort_first')
    .orderBy('wm.member_id')
    .stream(chunk)

/** Names of the teams of these members, by name. */
export const teamNames = (db: Db, tenant: Tenant, memberIds: string[]) =>
  db
    .selectFrom('team_members as tm')
    .innerJoin('teams as t', 't.id', 'tm.team_id')
    .select(['tm.member_id', 't.name'])
    .where('tm.workspace_id', '=', tenant.workspaceId)
    .where('t.workspace_id', '=', tenant.workspaceId)
    .where('tm.member_id', 'in', memberIds)
    .where('t.deleted_at', 'is', null)
    .orderBy('t.name')
    .execute()

/** Names of the departments of these members, by name. */
export const departmentNames = (db: Db, tenant: Tenant, memberIds: string[]) =>
  db
    .selectFrom('department_members as dm')
    .innerJoin('departments as d', 'd.id', 'dm.department_id')
    .select(['dm.member_id', 'd.name'])
    .where('dm.workspace_id', '=', tenant.workspaceId)
    .where('d.workspace_id', '=', tenant.workspaceId)
    .where('dm.member_id', 'in', memberIds)
    .where('d.deleted_at', 'is', null)
    .orderBy('d.name')
    .execute()
