import type { HandlerContext } from '@connectrpc/connect'
import { actingMember, eventActorOf } from '../../kernel/access/access.ts'
import { type Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, ForbiddenError, GoneError } from '../../kernel/base/errors.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { checkRevocation, isAllowed } from '../rights/grants.ts'
import type { Trx } from '../tables.ts'
import { cancelInvitationOf, closeInvitation } from '../workspace-memberships/invitations.sql.ts'
import { publishCancelledInvitations } from '../workspace-memberships/invitations.ts'
import { type LiveMembership, tenantOfMembership } from '../workspace-memberships/live.sql.ts'
import { shownActor } from '../workspace-memberships/pending.ts'
import { findOpenInvitations, type InvitationRow, lockInvitation } from './sql.ts'

/** The caller that invites or cancels; without a member id, a service or a platform administrator. */
export type Inviter = { actor: EventActor; memberId: string | undefined }

export const callerOf = (context: HandlerContext): Inviter => ({
  actor: eventActorOf(context),
  memberId: actingMember(context)?.memberId,
})

/**
 * Callers may cancel their own invitations whatever these grant, and others' only if they could grant the same.
 * ForbiddenError.
 */
async function checkCanceller(trx: Trx, tenant: Tenant, row: InvitationRow, { memberId }: Inviter): Promise<void> {
  if (memberId !== undefined && row.invited_by === memberId) return
  await checkRevocation(trx, tenant, row.workspace_role, JSON.parse(row.permissions) as string[])
}

/** Cancels a pending invitation. ConflictError, GoneError, ForbiddenError. */
export async function cancelInvitation(trx: Trx, tenant: Tenant, id: string, caller: Inviter) {
  const row = await lockInvitation(trx, tenant, id)
  if (row.status !== 'pending') throw new ConflictError(`The invitation is ${row.status}`)
  if (row.is_expired === 1) throw new GoneError('The invitation has expired')
  await checkCanceller(trx, tenant, row, caller)
  await closeInvitation(trx, tenant.workspaceId, id, 'cancelled')
  await publishCancelledInvitations(trx, tenant, [id], { actor: caller.actor })
  return { ...row, status: 'cancelled' as const }
}

/**
 * A new invitation replaces the open one of the same person, so the caller must be allowed to cancel it.
 * ForbiddenError.
 */
export async function checkReplacement(trx: Trx, tenant: Tenant, email: string, caller: Inviter): Promise<void> {
  const irreplaceableEmails = await findIrreplaceable(trx, tenant, [email], caller)
  if (irreplaceableEmails.size > 0) throw new ForbiddenError('Permission denied')
}

/** Normalised addresses whose open invitation the caller may not cancel. */
export async function findIrreplaceable(
  trx: Trx,
  tenant: Tenant,
  emails: string[],
  caller: Inviter,
): Promise<Set<string>> {
  const irreplaceableEmails = new Set<string>()
  for (const row of await findOpenInvitations(trx, tenant, emails))
    if (!(await isAllowed(checkCanceller(trx, tenant, row, caller)))) irreplaceableEmails.add(normalizeEmail(row.email))
  return irreplaceableEmails
}

/** The actor, and the workspaces that the call opens. */
type By = { actor: EventActor; open: readonly { workspaceId: string }[] }

/**
 * Cancels the open invitations to a member's present address.
 * @returns the memberships that they were for
 */
export async function cancelInvitationsOfMember(
  trx: Trx,
  memberId: string,
  memberships: LiveMembership[],
  { actor, open }: By,
): Promise<LiveMembership[]> {
  const cancelledMemberships: LiveMembership[] = []
  for (const one of memberships) {
    const tenant = tenantOfMembership(one, 'an invitation ends with the address that it was sent to')
    const ids = await cancelInvitationOf(trx, tenant, memberId)
    await publishCancelledInvitations(trx, tenant, ids, { actor: shownActor(one, open, actor), memberId })
    if (ids.length > 0) cancelledMemberships.push(one)
  }
  return cancelledMemberships
}
