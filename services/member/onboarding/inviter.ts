import { hasPermission, tenantOfMember } from '../../kernel/access/tenant.ts'
import { ForbiddenError, ValidationError } from '../../kernel/base/errors.ts'
import { findHotelMembership } from '../hotel-memberships/sql.ts'
import { loadWorkspaces } from '../rights/access.ts'
import { checkGrant } from '../rights/grants.ts'
import type { EcosystemMembershipsTable, Trx } from '../tables.ts'
import { coversRights, hotelRanks } from '../workspace-memberships/ranks.ts'
import { findSenderIds, type InvitationRow } from './sql.ts'

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
 * Whether the rights in the hotel that wait for a pending person may become active: the sender of one of the person's
 * open invitations must hold them, as services and platform administrators do.
 */
export async function mayGetHotelRights(
  trx: Trx,
  email: string,
  hotel: Pick<EcosystemMembershipsTable, 'ecosystem_id' | 'role' | 'permissions'>,
): Promise<boolean> {
  if (coversRights(hotelRanks.member, [], hotel)) return true
  for (const senderId of await findSenderIds(trx, hotel.ecosystem_id, email)) {
    if (senderId === null) return true
    const sender = await findHotelMembership(trx, hotel.ecosystem_id, senderId)
    const isActive = sender?.status === 'active' && sender.is_active === 1
    if (isActive && coversRights(hotelRanks[sender.role], JSON.parse(sender.permissions) as string[], hotel))
      return true
    if ((await loadWorkspaces(trx, { memberId: senderId })).isSuperAdmin) return true
  }
  return false
}
