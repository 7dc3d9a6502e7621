import type { EventActor } from '../../kernel/bus/events.ts'
import { systemTenant, type Tenant } from '../../kernel/access/tenant.ts'
import { audit } from '../audit/record.ts'
import { invitationCancelled } from './invite.ts'
import { cancelInvitationOf } from '../memberships/leave.sql.ts'
import type { LiveMembership } from '../memberships/live.sql.ts'
import { actorAt } from '../memberships/ask.ts'
import type { Trx } from '../rows.ts'

/** Who ends them, and the workspaces that are open to the call. */
type By = { actor: EventActor; open: readonly { workspaceId: string }[] }

/** Cancels what is open to a member at their present address. @returns the memberships that it was for */
export async function endInvitations(
  trx: Trx,
  memberId: string,
  memberships: LiveMembership[],
  { actor, open }: By,
): Promise<LiveMembership[]> {
  const ended: LiveMembership[] = []
  for (const one of memberships) {
    const invitations = await cancelInvitationOf(trx, tenantOf(one), memberId)
    const named = actorAt(one, open, actor)
    for (const { id } of invitations) await audit(trx, tenantOf(one), { ...invitationCancelled(named, id), memberId })
    if (invitations.length > 0) ended.push(one)
  }
  return ended
}

const tenantOf = ({ workspace_id, ecosystem_id }: LiveMembership): Tenant =>
  systemTenant(workspace_id, ecosystem_id, 'an invitation ends with the address that it was sent to')
