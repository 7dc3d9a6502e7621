import { exempt } from '../../kernel/database/database.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { Db, Trx } from '../rows.ts'

type Filter = { isActive?: boolean | undefined; pattern?: string | undefined }

/** Live workspaces of these ecosystems; undefined means of all, for platform administrators. */
export function listWorkspaces(db: Db, ecosystemIds: string[] | undefined, { isActive, pattern }: Filter) {
  const from = ecosystemIds ? db : exempt(db, 'a platform administrator sees all workspaces')
  let query = from.selectFrom('workspaces').where('deleted_at', 'is', null)
  if (ecosystemIds) query = query.where('ecosystem_id', 'in', ecosystemIds)
  if (isActive === true) query = query.where('is_active', '=', 1).where('closed_at', 'is', null)
  if (isActive === false) query = query.where(eb => eb.or([eb('is_active', '=', 0), eb('closed_at', 'is not', null)]))
  return pattern ? query.where('name', 'like', pattern) : query
}

/** Locks the workspaces of an ecosystem, so that two new ones cannot both become its default. */
export const lockEcosystem = (trx: Trx, ecosystemId: string) =>
  trx
    .selectFrom('workspaces')
    .select(['id', 'closed_at'])
    .where('ecosystem_id', '=', ecosystemId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .execute()

/** No workspace of the ecosystem is its default any more. */
export const clearDefault = (trx: Trx, ecosystemId: string) =>
  trx
    .updateTable('workspaces')
    .set({ is_default: 0 })
    .where('ecosystem_id', '=', ecosystemId)
    .where('is_default', '=', 1)
    .where('deleted_at', 'is', null)
    .execute()

/** Changes a live workspace. */
export const updateWorkspace = (
  trx: Trx,
  tenant: Tenant,
  set: Partial<{
    name: string
    description: string | null
    logo_url: string | null
    settings: string | null
    is_active: number
  }>,
) =>
  trx.updateTable('workspaces').set(set).where('id', '=', tenant.workspaceId).where('deleted_at', 'is', null).execute()

/** Teams of a workspace by name, with how many members of the workspace they have. */
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

/** Departments of a workspace by name, with how many members of the workspace they have themselves. */
export const departmentsWithCounts = (db: Db, tenant: Tenant) =>
  db
    .selectFrom('departments as d')
    .selectAll('d')
    .select(eb =>
      eb
        .selectFrom('department_members as dm')
        .innerJoin('workspace_members as wm', 'wm.member_id', 'dm.member_id')
        .select(one => one.fn.countAll<number>().as('count'))
        .whereRef('dm.department_id', '=', 'd.id')
        .where('dm.workspace_id', '=', tenant.workspaceId)
        .where('wm.workspace_id', '=', tenant.workspaceId)
        .where('wm.left_at', 'is', null)
        .as('members_count'),
    )
    .where('d.workspace_id', '=', tenant.workspaceId)
    .where('d.deleted_at', 'is', null)
    .orderBy('d.name')
    .orderBy('d.id')

/** Roles of a workspace: the system's in the order of their making, then the others by name. */
export const rolesOf = (db: Db, tenant: Tenant) =>
  db
    .selectFrom('workspace_roles')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('deleted_at', 'is', null)
    .orderBy('is_system', 'desc')
    .orderBy('name')
    .orderBy('id')
