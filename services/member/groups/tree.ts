import type { Tenant } from '../../kernel/access/tenant.ts'
import { invalid } from '../../kernel/base/errors.ts'
import { deepestLevel } from '../../kernel/base/fields.ts'
import type { Trx } from '../tables.ts'
import { departmentParents } from './departments.sql.ts'

/** Refuses an unknown parent, a cycle and too many levels. The caller holds the lock of the workspace. */
export async function checkParent(trx: Trx, tenant: Tenant, id: string, parentId: string | undefined): Promise<void> {
  if (!parentId) return
  const departments = await departmentParents(trx, tenant)
  const parents = new Map(departments.map(one => [one.id, one.parent_id]))
  if (!parents.has(parentId)) throw invalid('parentId', 'is not a department of the workspace', 'unknown_department')
  const parentPath = pathFrom(parents, parentId)
  if (parentPath.includes(id)) throw invalid('parentId', 'is a subdepartment of this one', 'cycle')
  // A department moves with its subtree.
  const levelsBelow = departments.reduce((levels, one) => Math.max(levels, pathFrom(parents, one.id).indexOf(id)), 0)
  if (parentPath.length + levelsBelow >= deepestLevel)
    throw invalid('parentId', `must result in at most ${deepestLevel} levels`, 'depth')
}

type Child = { id: string; parent_id: string | null }

/** A department and those above it, up to the root. */
function pathFrom(parents: ReadonlyMap<string, string | null>, id: string): string[] {
  const path: string[] = []
  for (let next: string | null = id; next && !path.includes(next); next = parents.get(next) ?? null) path.push(next)
  return path
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
