import type { Tenant } from '../../kernel/access/tenant.ts'
import type { Db } from '../tables.ts'

/** Team names of these members, by name. */
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

/** Department names of these members, by name. */
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
