import { systemTenant, type Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, ForbiddenError, GoneError } from '../../kernel/base/errors.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { audit } from '../audit/record.ts'
import { invitationCancelled } from '../audit/values.ts'
import { actorAt } from '../memberships/ask.ts'
import { cancelInvitationOf, closeInvitation } from '../memberships/invitations.sql.ts'
import type { LiveMembership } from '../memberships/live.sql.ts'
import { checkTaking, lets } from '../rights/grants.ts'
import { normalisedEmail, type Trx } from '../rows.ts'
import { findOpen, type Invitation, lockInvitation } from './sql.ts'

/** Who takes an invitation back; without a member id a service or a platform administrator does. */
export type Canceller = { actor: EventActor; memberId: string | undefined }

/** One's own may be taken back whatever it grants by now; of anybody else's, what one could give. ForbiddenError. */
async function checkCanceller(trx: Trx, tenant: Tenant, row: Invitation, { memberId }: Canceller): Promise<void> {
  if (memberId !== undefined && row.invited_by === memberId) return
  await checkTaking(trx, tenant, row.workspace_role, JSON.parse(row.permissions) as string[])
}

/** Cancels a pending invitation. ConflictError, GoneError, ForbiddenError. */
export async function cancelInvitation(trx: Trx, tenant: Tenant, id: string, canceller: Canceller) {
  const row = await lockInvitation(trx, tenant, id)
  if (row.status !== 'pending') throw new ConflictError(`The invitation is ${row.status}`)
  if (row.is_over === 1) throw new GoneError('The invitation has expired')
  await checkCanceller(trx, tenant, row, canceller)
  await closeInvitation(trx, tenant.workspaceId, id, 'cancelled')
  await audit(trx, tenant, invitationCancelled(canceller.actor, id))
  return { ...row, status: 'cancelled' as const }
}

/** Whoever invites a person anew takes back what an open invitation of theirs says. ForbiddenError. */
export async function checkReplaced(trx: Trx, tenant: Tenant, email: string, canceller: Canceller): Promise<void> {
  const kept = await notReplaceable(trx, tenant, [email], canceller)
  if (kept.size > 0) throw new ForbiddenError('Permission denied')
}

/** Those of the addresses, normalised, with an open invitation that the canceller could not take back. */
export async function notReplaceable(
  trx: Trx,
  tenant: Tenant,
  emails: string[],
  canceller: Canceller,
): Promise<Set<string>> {
  const kept = new Set<string>()
  for (const row of await findOpen(trx, tenant, emails))
    if (!(await lets(checkCanceller(trx, tenant, row, canceller)))) kept.add(normalisedEmail(row.email))
  return kept
}

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
