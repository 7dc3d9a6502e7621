import { systemTenant, type Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, ForbiddenError, GoneError } from '../../kernel/base/errors.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { actorAt } from '../memberships/ask.ts'
import { cancelInvitationOf, closeInvitation } from '../memberships/invitations.sql.ts'
import { recordCancelled } from '../memberships/invitations.ts'
import type { LiveMembership } from '../memberships/live.sql.ts'
import { checkTaking, lets } from '../rights/grants.ts'
import type { Trx } from '../tables.ts'
import { findOpen, type Invitation, lockInvitation } from './sql.ts'

/** The caller that cancels an invitation; without a member id, a service or a platform administrator. */
export type Canceller = { actor: EventActor; memberId: string | undefined }

/**
 * Callers may cancel their own invitations whatever these grant, and others' only if they could grant the same.
 * ForbiddenError.
 */
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
  await recordCancelled(trx, tenant, [id], { actor: canceller.actor })
  return { ...row, status: 'cancelled' as const }
}

/**
 * A new invitation replaces the open one of the same person, so the caller must be allowed to cancel it.
 * ForbiddenError.
 */
export async function checkReplaced(trx: Trx, tenant: Tenant, email: string, canceller: Canceller): Promise<void> {
  const kept = await notReplaceable(trx, tenant, [email], canceller)
  if (kept.size > 0) throw new ForbiddenError('Permission denied')
}

/** Normalised addresses whose open invitation the canceller may not cancel. */
export async function notReplaceable(
  trx: Trx,
  tenant: Tenant,
  emails: string[],
  canceller: Canceller,
): Promise<Set<string>> {
  const kept = new Set<string>()
  for (const row of await findOpen(trx, tenant, emails))
    if (!(await lets(checkCanceller(trx, tenant, row, canceller)))) kept.add(normalizeEmail(row.email))
  return kept
}

/** The actor, and the workspaces that the call opens. */
type By = { actor: EventActor; open: readonly { workspaceId: string }[] }

/**
 * Cancels the open invitations to a member's present address.
 * @returns the memberships that they were for
 */
export async function endInvitations(
  trx: Trx,
  memberId: string,
  memberships: LiveMembership[],
  { actor, open }: By,
): Promise<LiveMembership[]> {
  const ended: LiveMembership[] = []
  for (const one of memberships) {
    const ids = await cancelInvitationOf(trx, tenantOf(one), memberId)
    await recordCancelled(trx, tenantOf(one), ids, { actor: actorAt(one, open, actor), memberId })
    if (ids.length > 0) ended.push(one)
  }
  return ended
}

const tenantOf = ({ workspace_id, ecosystem_id }: LiveMembership): Tenant =>
  systemTenant(workspace_id, ecosystem_id, 'an invitation ends with the address that it was sent to')
