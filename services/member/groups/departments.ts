import type { HandlerContext } from '@connectrpc/connect'
import { DepartmentService } from '../../../gen/platform/member/v1/departments_pb.ts'
import { actingMember, eventActorOf, tenantOf, tenantOfRecord } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Rpc } from '../../kernel/rpc/server.ts'
import { departmentValues } from '../audit/values.ts'
import { checkPlaces } from '../hierarchy/hierarchy.ts'
import { isMember } from '../memberships/sql.ts'
import { lockWorkspace } from '../memberships/workspace.sql.ts'
import type { Db, Trx } from '../tables.ts'
import {
  findDepartment,
  findDepartmentMember,
  insertDepartment,
  listDepartmentMembers,
  locateDepartment,
  moveChildren,
  putIntoDepartment,
  removeFromDepartment,
  updateDepartment,
} from './departments.sql.ts'
import { auditGroup, auditPlace, toGroupMember } from './groups.ts'
import { checkPlace, departmentNodes, loadDepartment, setManager } from './tree.ts'

/** Departments of a workspace, a tree (`/departments`). */
export const departmentService = ({ db }: { db: Db }): Rpc => {
  const open = async (id: string, context: HandlerContext): Promise<Tenant> =>
    tenantOfRecord(context, (await locateDepartment(db, id))?.workspace_id, 'Department')

  return implement(DepartmentService, {
    async createDepartment({ name, description, code, parentId, managerId }, context) {
      const tenant = tenantOf(context)
      const parent_id = parentId ?? null
      const department = await inTransaction(db, async trx => {
        await lockWorkspace(trx, tenant)
        await checkPlace(trx, tenant, { id: '', parent_id })
        const columns = { name, code: code ?? null, parent_id, description: description ?? null, manager_id: null }
        const id = await insertDepartment(trx, tenant, columns)
        if (managerId) await setManager(trx, tenant, id, managerId, by(context))
        await auditGroup(trx, tenant, group(id, context), undefined, departmentValues(await loadRow(trx, tenant, id)))
        return loadDepartment(trx, tenant, id)
      })
      return { department }
    },

    async listDepartments(_request, context) {
      return { data: await departmentNodes(db, tenantOf(context)) }
    },

    async updateDepartment(request, context) {
      const { id, updateMask, name, description, code, parentId, managerId, isActive } = request
      const tenant = await open(id, context)
      const named = new Set(updateMask?.paths)
      if (named.has('name') && !name) throw invalid('name', 'cannot be cleared', 'required')
      if (named.has('is_active') && isActive === undefined) throw invalid('isActive', 'cannot be cleared', 'required')
      const set = {
        ...(named.has('name') && name ? { name } : {}),
        ...(named.has('description') ? { description: description ?? null } : {}),
        ...(named.has('code') ? { code: code ?? null } : {}),
        ...(named.has('parent_id') ? { parent_id: parentId ?? null } : {}),
        ...(named.has('is_active') ? { is_active: isActive ? 1 : 0 } : {}),
      }
      const department = await inTransaction(db, async trx => {
        await lockWorkspace(trx, tenant)
        const before = await loadRow(trx, tenant, id)
        if (set.parent_id) await checkPlace(trx, tenant, { id, parent_id: set.parent_id })
        if (Object.keys(set).length > 0) await updateDepartment(trx, tenant, id, set)
        if (named.has('manager_id')) await setManager(trx, tenant, id, managerId, by(context), before.manager_id)
        const after = departmentValues(await loadRow(trx, tenant, id))
        await auditGroup(trx, tenant, group(id, context), departmentValues(before), after)
        return loadDepartment(trx, tenant, id)
      })
      return { department }
    },

    async deleteDepartment({ id }, context) {
      const tenant = await open(id, context)
      await inTransaction(db, async trx => {
        await lockWorkspace(trx, tenant)
        const before = await loadRow(trx, tenant, id)
        await auditGroup(trx, tenant, group(id, context), departmentValues(before), undefined)
        await moveChildren(trx, tenant, id, before.parent_id)
        await removeFromDepartment(trx, tenant, id)
        await updateDepartment(trx, tenant, id, { deleted_at: new Date(), manager_id: null })
      })
      return { message: 'Department deleted', id }
    },

    async addDepartmentMember({ id, memberId, role }, context) {
      const tenant = await open(id, context)
      const row = await inTransaction(db, async trx => {
        await lockWorkspace(trx, tenant)
        const { manager_id } = await loadRow(trx, tenant, id)
        if (!(await isMember(trx, tenant, memberId))) throw new NotFoundError('Member not found')
        await checkPlaces(trx, tenant, by(context), [memberId])
        const before = await findDepartmentMember(trx, tenant, id, memberId)
        if (role === 'manager') await setManager(trx, tenant, id, memberId, by(context), manager_id)
        else {
          await clearManager(trx, tenant, id, memberId)
          await putIntoDepartment(trx, tenant, id, memberId, 'member')
        }
        const after = await findDepartmentMember(trx, tenant, id, memberId)
        await auditPlace(trx, tenant, group(id, context), memberId, before?.role, after?.role)
        return after
      })
      return { departmentId: id, memberId, role: row?.role ?? 'member', joinedAt: timestamp(row?.joined_at) }
    },

    async removeDepartmentMember({ id, memberId }, context) {
      const tenant = await open(id, context)
      await inTransaction(db, async trx => {
        await lockWorkspace(trx, tenant)
        const before = await findDepartmentMember(trx, tenant, id, memberId)
        if (before) await checkPlaces(trx, tenant, by(context), [memberId])
        await auditPlace(trx, tenant, group(id, context), memberId, before?.role, undefined)
        await clearManager(trx, tenant, id, memberId)
        await removeFromDepartment(trx, tenant, id, memberId)
      })
      return { message: 'Member removed from department', departmentId: id, memberId }
    },

    async listDepartmentMembers({ id }, context) {
      const tenant = await open(id, context)
      const rows = await listDepartmentMembers(db, tenant, id)
      return { data: rows.map(toGroupMember) }
    },
  })
}

const by = (context: HandlerContext) => actingMember(context)?.memberId
const group = (id: string, context: HandlerContext) => ({
  kind: 'department' as const,
  id,
  actor: eventActorOf(context),
})

async function loadRow(trx: Trx, tenant: Tenant, id: string) {
  const row = await findDepartment(trx, tenant, id)
  if (!row) throw new NotFoundError('Department not found')
  return row
}

/** A manager who is removed or becomes an ordinary member no longer manages the department. */
async function clearManager(trx: Trx, tenant: Tenant, id: string, memberId: string): Promise<void> {
  const row = await findDepartmentMember(trx, tenant, id, memberId)
  if (row?.role === 'manager') await updateDepartment(trx, tenant, id, { manager_id: null })
}
