import { ConflictError, ForbiddenError, GoneError } from '../../kernel/base/errors.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { audit } from '../audit/record.ts'
import { checkTaking, lets } from '../rights/grants.ts'
import { invitationCancelled } from './invite.ts'
import { closeInvitation, findOpen, type Invitation, lockInvitation } from './sql.ts'
import { normalisedEmail, type Trx } from '../rows.ts'

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
