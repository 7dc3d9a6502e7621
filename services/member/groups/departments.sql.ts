import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { Db, Trx } from '../tables.ts'
import { department } from './kinds.ts'
import { groupsWithCounts, type MemberGroupRow } from './sql.ts'

/** Every live department of the workspace with its manager, by name. */
export const departmentsWithManagers = (db: Db, tenant: Tenant) =>
  groupsWithCounts(db, tenant, department)
    .leftJoin('workspace_members as manager', join =>
      join
        .on('manager.workspace_id', '=', tenant.workspaceId)
        .on('manager.member_id', '=', sql.ref<string>('g.manager_id'))
        .on('manager.left_at', 'is', null),
    )
    .select(['manager.member_id as m_id', 'manager.sort_first as m_first_name', 'manager.sort_last as m_last_name'])
    .$castTo<MemberGroupRow<typeof department> & Record<'m_id' | 'm_first_name' | 'm_last_name', string | null>>()
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

/** Every live department of the workspace with its parent. */
export const departmentParents = (db: Db, tenant: Tenant) =>
  db
    .selectFrom('departments')
    .select(['id', 'parent_id'])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('deleted_at', 'is', null)
    .execute()
