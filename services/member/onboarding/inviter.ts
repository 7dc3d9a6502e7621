import { hasPermission, tenantOfMember } from '../../kernel/access/tenant.ts'
import { ForbiddenError, ValidationError } from '../../kernel/base/errors.ts'
import { findHotelMembership } from '../hotel-memberships/sql.ts'
import { loadWorkspaces } from '../rights/access.ts'
import { checkGrant } from '../rights/grants.ts'
import type { EcosystemMembershipsTable, Trx } from '../tables.ts'
import { hotelRanks } from '../workspace-memberships/ranks.ts'
import type { InvitationRow } from './sql.ts'

const invitingSlugs = ['invite_members', 'manage_members']

/**
 * Why an invitation grants nothing at present: its inviter must still be able to grant it when it is accepted.
 * @returns undefined when it still grants, as those of services and platform administrators do
 */
export async function findRefusal(trx: Trx, invitation: InvitationRow): Promise<string | undefined> {
  const { invited_by, workspace_id, workspace_role, permissions } = invitation
  if (!invited_by) return undefined
  const { isSuperAdmin, workspaces } = await loadWorkspaces(trx, { memberId: invited_by })
  if (isSuperAdmin) return undefined
  const workspace = workspaces.find(one => one.workspaceId === workspace_id)
  if (!workspace) return 'Its sender no longer has access to the workspace'
  const tenant = tenantOfMember(workspace)
  if (!invitingSlugs.some(slug => hasPermission(tenant, slug))) return 'Its sender may no longer invite'
  return checkGrant(trx, tenant, workspace_role, JSON.parse(permissions) as string[]).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ForbiddenError) return 'Its sender may no longer grant its role or permissions'
      if (error instanceof ValidationError) return 'Its role or one of its permissions no longer exists'
      throw error
    },
  )
}

/**
 * Whether an invitation makes the rights in the hotel active that wait for a pending person. They may come from another
 * invitation, so its sender must have at least that role, as services and platform administrators do.
 */
export async function grantsHotelRole(
  trx: Trx,
  { invited_by, ecosystem_id }: Pick<InvitationRow, 'invited_by' | 'ecosystem_id'>,
  { role, permissions }: Pick<EcosystemMembershipsTable, 'role' | 'permissions'>,
): Promise<boolean> {
  if (!invited_by || (role === 'member' && permissions === '[]')) return true
  const sender = await findHotelMembership(trx, ecosystem_id, invited_by)
  if (sender && sender.role !== 'member' && hotelRanks[sender.role] >= hotelRanks[role]) return true
  return (await loadWorkspaces(trx, { memberId: invited_by })).isSuperAdmin
}
