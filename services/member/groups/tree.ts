import type { Tenant } from '../../kernel/access/tenant.ts'
import { invalid } from '../../kernel/base/errors.ts'
import type { Trx } from '../tables.ts'
import { departmentParents } from './departments.sql.ts'

/** Refuses an unknown parent and a cycle. The caller holds the lock of the workspace. */
export async function checkParent(trx: Trx, tenant: Tenant, id: string, parentId: string | undefined): Promise<void> {
  if (!parentId) return
  const departments = await departmentParents(trx, tenant)
  if (!departments.some(one => one.id === parentId))
    throw invalid('parentId', 'is not a department of the workspace', 'unknown_department')
  if (isBelow(departments, parentId, id)) throw invalid('parentId', 'is a subdepartment of this one', 'cycle')
}

type Child = { id: string; parent_id: string | null }

/** Whether a department is `topId` itself or stands below it. */
function isBelow(departments: Child[], id: string, topId: string): boolean {
  const parents = new Map(departments.map(one => [one.id, one.parent_id]))
  const visitedIds = new Set<string>()
  for (let next: string | null = id; next && !visitedIds.has(next); next = parents.get(next) ?? null) {
    if (next === topId) return true
    visitedIds.add(next)
  }
  return false
}

/** Departments as trees, in the order of the rows. A department whose parent is missing becomes a root. */
export function toTrees<Row extends Child, Node extends { subDepartments: Node[] }>(
  rows: Row[],
  toNode: (row: Row) => Node,
): Node[] {
  const nodes = new Map(rows.map(row => [row.id, toNode(row)]))
  const rootNodes: Node[] = []
  for (const row of rows) {
    const node = nodes.get(row.id)
    if (node) (nodes.get(row.parent_id ?? '')?.subDepartments ?? rootNodes).push(node)
  }
  return rootNodes
}
