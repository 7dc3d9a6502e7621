import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { newId } from '../../kernel/base/ids.ts'
import { exempt } from '../../kernel/database/database.ts'
import type { Db, Trx } from '../tables.ts'

export type DepartmentColumns = {
  name: string
  description: string | null
  code: string | null
  parent_id: string | null
  manager_id: string | null
}

/** Workspace of a live department. */
export const locateDepartment = (db: Db, id: string) =>
  exempt(db, 'locates the tenant of a record')
    .selectFrom('departments')
    .select('workspace_id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** A live department with the number of its direct members. */
export const findDepartment = (db: Db, tenant: Tenant, id: string) =>
  departmentsWithCounts(db, tenant).where('d.id', '=', id).executeTakeFirst()

/** Every live department of the workspace with its manager, by name. */
export const departmentsWithManagers = (db: Db, tenant: Tenant) =>
  departmentsWithCounts(db, tenant)
    .leftJoin('workspace_members as manager', join =>
      join
        .on('manager.workspace_id', '=', tenant.workspaceId)
        .onRef('manager.member_id', '=', 'd.manager_id')
        .on('manager.left_at', 'is', null),
    )
    .select(['manager.member_id as m_id', 'manager.sort_first as m_first_name', 'manager.sort_last as m_last_name'])
    .execute()

export async function insertDepartment(trx: Trx, tenant: Tenant, columns: DepartmentColumns): Promise<string> {
  const id = newId()
  await trx
    .insertInto('departments')
    .values({ ...columns, id, workspace_id: tenant.workspaceId, deleted_at: null })
    .execute()
  return id
}

export const updateDepartment = (
  trx: Trx,
  tenant: Tenant,
  id: string,
  set: Partial<DepartmentColumns & { is_active: number; deleted_at: Date }>,
) =>
  trx
    .updateTable('departments')
    .set(set)
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()

/** Moves the child departments to another parent. */
export const moveChildren = (trx: Trx, tenant: Tenant, from: string, to: string | null) =>
  trx
    .updateTable('departments')
    .set({ parent_id: to })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('parent_id', '=', from)
    .where('deleted_at', 'is', null)
    .execute()

/** Adds a member to a department, or changes their role there. */
export const putIntoDepartment = (trx: Trx, tenant: Tenant, departmentId: string, memberId: string, role: string) =>
  trx
    .insertInto('department_members')
    .values({
      department_id: departmentId,
      member_id: memberId,
      workspace_id: tenant.workspaceId,
      role,
      joined_at: sql<Date>`current_timestamp(3)`,
    })
    .onDuplicateKeyUpdate({ role })
    .execute()

/** Makes the department's manager an ordinary member. */
export const demoteManager = (trx: Trx, tenant: Tenant, departmentId: string) =>
  trx
    .updateTable('department_members')
    .set({ role: 'member' })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('department_id', '=', departmentId)
    .where('role', '=', 'manager')
    .execute()

/** One membership of a department. */
export const findDepartmentMember = (db: Db, tenant: Tenant, departmentId: string, memberId: string) =>
  db
    .selectFrom('department_members')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('department_id', '=', departmentId)
    .where('member_id', '=', memberId)
    .executeTakeFirst()

/** Removes one member, or all, from a department. */
export function removeFromDepartment(trx: Trx, tenant: Tenant, departmentId: string, memberId?: string) {
  const query = trx
    .deleteFrom('department_members')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('department_id', '=', departmentId)
  return (memberId ? query.where('member_id', '=', memberId) : query).execute()
}

/** Members of the workspace who are in a department, by last name. */
export const listDepartmentMembers = (db: Db, tenant: Tenant, departmentId: string) =>
  db
    .selectFrom('department_members as dm')
    .innerJoin('workspace_members as wm', 'wm.member_id', 'dm.member_id')
    .innerJoin('members as m', 'm.id', 'dm.member_id')
    .select(['m.id', 'm.first_name', 'm.last_name', 'm.email', 'm.photo_url', 'dm.role'])
    .select(['wm.is_veiled', 'wm.sort_first', 'wm.sort_last', 'wm.typed_email'])
    .where('dm.workspace_id', '=', tenant.workspaceId)
    .where('dm.department_id', '=', departmentId)
    .where('wm.workspace_id', '=', tenant.workspaceId)
    .where('wm.left_at', 'is', null)
    .where('m.deleted_at', 'is', null)
    .orderBy('wm.sort_last')
    .orderBy('wm.sort_first')
    .orderBy('m.id')
    .execute()

/** Every live department of the workspace with its parent. */
export const placesOfDepartments = (db: Db, tenant: Tenant) =>
  db
    .selectFrom('departments')
    .select(['id', 'parent_id'])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('deleted_at', 'is', null)
    .execute()

/** Departments of a workspace by name, with the number of direct members who are in the workspace. */
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

/** Departments of a member in these workspaces, by name. */
export const departmentsOf = (db: Db, memberId: string, workspaceIds: string[]) =>
  db
    .selectFrom('department_members as dm')
    .innerJoin('departments as d', 'd.id', 'dm.department_id')
    .select(['d.id', 'd.name', 'dm.role'])
    .where('dm.member_id', '=', memberId)
    .where('dm.workspace_id', 'in', workspaceIds)
    .where('d.workspace_id', 'in', workspaceIds)
    .where('d.deleted_at', 'is', null)
    .orderBy('d.name')
    .orderBy('d.id')
    .execute()
