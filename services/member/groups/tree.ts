import type { Tenant } from '../../kernel/access/tenant.ts'
import { invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
import { checkPlaces } from '../hierarchy/hierarchy.ts'
import { isMember } from '../memberships/sql.ts'
import type { Db, Trx } from '../tables.ts'
import {
  demoteManager,
  departmentsWithManagers,
  findDepartment,
  placesOfDepartments,
  putIntoDepartment,
  updateDepartment,
} from './departments.sql.ts'

/** Refuses an unknown parent and a cycle. The caller holds the lock of the workspace. */
export async function checkPlace(trx: Trx, tenant: Tenant, wanted: Placed): Promise<void> {
  const { parent_id } = wanted
  if (!parent_id) return
  const all = await placesOfDepartments(trx, tenant)
  if (!all.some(one => one.id === parent_id))
    throw invalid('parentId', 'is not a department of the workspace', 'unknown_department')
  if (wouldCycle(all, wanted.id, parent_id)) throw invalid('parentId', 'is a subdepartment of this one', 'cycle')
}

/**
 * Makes a member of the workspace the manager of a department in place of the present one.
 * @param callerId the acting member
 */
export async function setManager(
  trx: Trx,
  tenant: Tenant,
  id: string,
  managerId: string | undefined,
  callerId: string | undefined,
  present: string | null = null,
): Promise<void> {
  if (managerId && !(await isMember(trx, tenant, managerId)))
    throw invalid('managerId', 'is not a member of the workspace', 'unknown_member')
  if (managerId !== present) await checkPlaces(trx, tenant, callerId, [managerId, present])
  await demoteManager(trx, tenant, id)
  if (managerId) await putIntoDepartment(trx, tenant, id, managerId, 'manager')
  await updateDepartment(trx, tenant, id, { manager_id: managerId ?? null })
}

/** The response for a changed department. */
export async function loadDepartment(db: Db, tenant: Tenant, id: string) {
  const row = await findDepartment(db, tenant, id)
  if (!row) throw new NotFoundError('Department not found')
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    description: optional(row.description),
    code: optional(row.code),
    parentId: optional(row.parent_id),
    managerId: optional(row.manager_id),
    isActive: row.is_active === 1,
    membersCount: Number(row.members_count),
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  }
}

type Row = Awaited<ReturnType<typeof departmentsWithManagers>>[number]
type Node = ReturnType<typeof plainNode> & { subDepartments: Node[] }

const plainNode = (row: Row) => ({
  id: row.id,
  name: row.name,
  code: optional(row.code),
  ...(row.m_id
    ? { manager: { id: row.m_id, firstName: row.m_first_name ?? '', lastName: row.m_last_name ?? '' } }
    : {}),
  membersCount: Number(row.members_count),
  description: optional(row.description),
  parentId: optional(row.parent_id),
  isActive: row.is_active === 1,
  workspaceId: row.workspace_id,
})

const toNode = (row: Row): Node => ({ ...plainNode(row), subDepartments: [] })

/** The departments of a workspace as trees, by name. */
export const departmentNodes = async (db: Db, tenant: Tenant): Promise<Node[]> =>
  treesOf(await departmentsWithManagers(db, tenant), toNode)

/** The columns of a department that the rules below need. */
export type Placed = { id: string; parent_id: string | null }

/** Whether `parentId` is the department itself or stands below it. */
export function wouldCycle(all: Placed[], id: string, parentId: string | null): boolean {
  const parents = new Map(all.map(one => [one.id, one.parent_id]))
  const seen = new Set<string>()
  for (let at = parentId; at && !seen.has(at); at = parents.get(at) ?? null) {
    if (at === id) return true
    seen.add(at)
  }
  return false
}

/** Departments as trees, in the order of the rows. A department whose parent is missing becomes a root. */
export function treesOf<Row extends Placed, Node extends { subDepartments: Node[] }>(
  rows: Row[],
  toNode: (row: Row) => Node,
): Node[] {
  const nodes = new Map(rows.map(row => [row.id, toNode(row)]))
  const roots: Node[] = []
  for (const row of rows) {
    const node = nodes.get(row.id)
    if (node) (nodes.get(row.parent_id ?? '')?.subDepartments ?? roots).push(node)
  }
  return roots
}
