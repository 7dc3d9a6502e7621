import { ConflictError, ForbiddenError, GoneError } from '../../kernel/base/errors.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { type Tenant, systemTenant } from '../../kernel/access/tenant.ts'
import { audit } from '../audit/record.ts'
import { checkTaking, lets } from '../rights/grants.ts'
import { findOpen, type Invitation, lockInvitation } from './sql.ts'
import { normalisedEmail, type Trx } from '../rows.ts'
import { closeInvitation, cancelInvitationOf } from '../memberships/invitations.sql.ts'
import { invitationCancelled } from '../audit/values.ts'
import type { LiveMembership } from '../memberships/live.sql.ts'
import { actorAt } from '../memberships/ask.ts'

/** Who takes an invitation back; without a member id a service or a platform administrator does. */
export type Taker = { actor: EventActor; memberId: string | undefined }

/** One's own may be taken back whatever it grants by now; of anybody else's, what one could give. ForbiddenError. */
async function checkTaker(trx: Trx, tenant: Tenant, row: Invitation, { memberId }: Taker): Promise<void> {
  if (memberId !== undefined && row.invited_by === memberId) return
  await checkTaking(trx, tenant, row.workspace_role, JSON.parse(row.permissions) as string[])
}

/** Cancels a pending invitation. ConflictError, GoneError, ForbiddenError. */
export async function cancelInvitation(trx: Trx, tenant: Tenant, id: string, taker: Taker) {
  const row = await lockInvitation(trx, tenant, id)
  if (row.status !== 'pending') throw new ConflictError(`The invitation is ${row.status}`)
  if (row.is_over === 1) throw new GoneError('The invitation has expired')
  await checkTaker(trx, tenant, row, taker)
  await closeInvitation(trx, tenant.workspaceId, id, 'cancelled')
  await audit(trx, tenant, invitationCancelled(taker.actor, id))
  return { ...row, status: 'cancelled' as const }
}

/** Whoever invites a person anew takes back what an open invitation of theirs says. ForbiddenError. */
export async function checkReplaced(trx: Trx, tenant: Tenant, email: string, taker: Taker): Promise<void> {
  const kept = await notReplaceable(trx, tenant, [email], taker)
  if (kept.size > 0) throw new ForbiddenError('Permission denied')
}

/** Those of the addresses, normalised, with an open invitation that the taker could not take back. */
export async function notReplaceable(trx: Trx, tenant: Tenant, emails: string[], taker: Taker): Promise<Set<string>> {
  const kept = new Set<string>()
  for (const row of await findOpen(trx, tenant, emails))
    if (!(await lets(checkTaker(trx, tenant, row, taker)))) kept.add(normalisedEmail(row.email))
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
