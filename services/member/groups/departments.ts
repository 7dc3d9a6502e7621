import { DepartmentService } from '../../../gen/platform/member/v1/departments_pb.ts'
import { tenantOf } from '../../kernel/access/access.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { departmentValues } from '../audit/values.ts'
import type { Context } from '../context.ts'
import { departmentsWithManagers, moveChildren } from './departments.sql.ts'
import { groupOperations } from './groups.ts'
import { department } from './kinds.ts'
import type { MemberGroupRow } from './sql.ts'
import { checkParent, toTrees } from './tree.ts'

/** Departments of a workspace, a tree (`/departments`). */
export const departmentService = ({ db }: Context): Rpc => {
  const departments = groupOperations(db, department, {
    values: departmentValues,
    checkFields: (trx, tenant, id, { parent_id }) => checkParent(trx, tenant, id, parent_id),
    beforeDelete: (trx, tenant, { id, parent_id }) => moveChildren(trx, tenant, id, parent_id),
  })

  return implement(DepartmentService, {
    async createDepartment({ name, description, code, parentId, managerId }, context) {
      const fields = { description, code, parent_id: parentId }
      return { department: toDepartment(await departments.create(name, fields, managerId, context)) }
    },

    async listDepartments(_request, context) {
      return { data: toTrees(await departmentsWithManagers(db, tenantOf(context)), toNode) }
    },

    async updateDepartment(request, context) {
      const { description, code, parentId, managerId } = request
      const fields = { description, code, parent_id: parentId }
      return { department: toDepartment(await departments.update(request, fields, managerId, context)) }
    },

    deleteDepartment: ({ id }, context) => departments.delete(id, context),

    async addDepartmentMember(request, context) {
      return { departmentId: request.id, ...(await departments.addMember(request, context)) }
    },

    async removeDepartmentMember(request, context) {
      return { departmentId: request.id, ...(await departments.removeMember(request, context)) }
    },

    listDepartmentMembers: ({ id }, context) => departments.listMembers(id, context),
  })
}

const toDepartment = (row: MemberGroupRow<typeof department>) => ({
  ...messageFields(row),
  membersCount: Number(row.members_count),
})

type RowWithManager = Awaited<ReturnType<typeof departmentsWithManagers>>[number]
type DepartmentNode = ReturnType<typeof toDepartment> & {
  manager?: { id: string; firstName: string; lastName: string }
  subDepartments: DepartmentNode[]
}

function toNode(row: RowWithManager): DepartmentNode {
  const { m_id, m_first_name, m_last_name } = row
  const manager = m_id ? { id: m_id, firstName: m_first_name ?? '', lastName: m_last_name ?? '' } : undefined
  return { ...toDepartment(row), ...(manager && { manager }), subDepartments: [] }
}
