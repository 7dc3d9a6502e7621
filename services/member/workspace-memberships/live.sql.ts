import { systemTenant, type Tenant } from '../../kernel/access/tenant.ts'
import { exempt } from '../../kernel/database/database.ts'
import type { Db } from '../tables.ts'

export type LiveMembership = Awaited<ReturnType<typeof liveMemberships>>[number]

/** The workspace of a membership, for a change of the member that concerns it; `reason` names the change. */
export const tenantOfMembership = (one: LiveMembership, reason: string): Tenant => ({
  ...systemTenant(one.workspace_id, one.ecosystem_id, reason),
  workspaceName: one.workspace_name,
})

/** Current memberships in live workspaces, oldest first; with workspaceIds, only in these. */
export function liveMemberships(db: Db, memberIds: string[], workspaceIds?: string[]) {
  const query = exempt(db, 'the members are given, and callers filter what is shown')
    .selectFrom('workspace_members as wm')
    .innerJoin('workspaces as w', 'w.id', 'wm.workspace_id')
    .leftJoin('workspace_roles as r', join =>
      join.onRef('r.workspace_id', '=', 'wm.workspace_id').onRef('r.live_slug', '=', 'wm.workspace_role'),
    )
    .leftJoin('ecosystem_memberships as e', join =>
      join.onRef('e.member_id', '=', 'wm.member_id').onRef('e.ecosystem_id', '=', 'w.ecosystem_id'),
    )
    .selectAll('wm')
    .select([
      'e.is_active as hotel_active',
      'e.dashboard_access',
      'e.mobile_access',
      'e.updated_at as hotel_updated_at',
    ])
    .select(['w.name as workspace_name', 'w.ecosystem_id', 'w.logo_url', 'w.is_default', 'r.id as role_id'])
    .select(['w.is_active as workspace_active', 'w.closed_at', 'w.is_hotel_deleted'])
    .where('wm.member_id', 'in', memberIds)
    .where('wm.left_at', 'is', null)
    .where('w.deleted_at', 'is', null)
    .orderBy('wm.joined_at')
    .orderBy('wm.workspace_id')
  return (workspaceIds ? query.where('wm.workspace_id', 'in', workspaceIds) : query).execute()
}
