import type { Tenant } from '../../kernel/access/tenant.ts'
import { ForbiddenError } from '../../kernel/base/errors.ts'
import type { Db } from '../tables.ts'
import { findIdsAbove, type HierarchyRow } from './sql.ts'

/** Whether the caller may act only on members below them: a manager who isn't an administrator. */
const isLimitedToSubordinates = (tenant: Tenant): boolean => tenant.role === 'manager' && !tenant.isAdmin

/**
 * Refuses a manager's action on a member who isn't below them. One workspace in which the caller isn't bound suffices.
 */
export async function checkHierarchy(
  db: Db,
  tenants: Tenant[],
  callerId: string | undefined,
  memberId: string,
): Promise<void> {
  if (tenants.some(tenant => !isLimitedToSubordinates(tenant))) return
  if (callerId && callerId !== memberId)
    for (const ecosystemId of new Set(tenants.map(one => one.ecosystemId)))
      if ((await findIdsAbove(db, ecosystemId, memberId)).has(callerId)) return
  throw new ForbiddenError('Cannot manage this member')
}

/**
 * The same check for changes of team and department members. The caller's own entry is exempt, since it grants no
 * rights.
 */
export async function checkGroupHierarchy(
  db: Db,
  tenant: Tenant,
  callerId: string | undefined,
  memberIds: (string | null | undefined)[],
): Promise<void> {
  for (const memberId of new Set(memberIds))
    if (memberId && memberId !== callerId) await checkHierarchy(db, [tenant], callerId, memberId)
}

export type HierarchyNode = { id: string; firstName: string; lastName: string; subordinates: HierarchyNode[] }

const { compare } = new Intl.Collator('en', { sensitivity: 'base' })
const byName = (a: HierarchyNode, b: HierarchyNode): number =>
  compare(a.lastName, b.lastName) || compare(a.firstName, b.firstName) || (a.id < b.id ? -1 : 1)

/**
 * Builds the tree below a member, sorted by name at every level. The top itself is left out, so a cycle can't repeat
 * it.
 */
export function treeBelow(rows: HierarchyRow[], topId: string): HierarchyNode[] {
  const byManager = new Map<string, HierarchyNode[]>()
  const childrenOf = (id: string): HierarchyNode[] => {
    const list = byManager.get(id) ?? []
    byManager.set(id, list)
    return list
  }
  for (const { id, superior_id, first_name, last_name } of rows) {
    if (id === topId) continue
    const subordinates = childrenOf(id)
    childrenOf(superior_id).push({ id, firstName: first_name, lastName: last_name, subordinates })
  }
  for (const siblings of byManager.values()) if (siblings.length > 1) siblings.sort(byName)
  return childrenOf(topId)
}
