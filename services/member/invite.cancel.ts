import { ConflictError, GoneError } from '../kernel/errors.ts'
import type { EventActor } from '../kernel/events.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { audit } from './audit.record.ts'
import { checkTaking } from './grants.ts'
import { invitationCancelled } from './invite.ts'
import { closeInvitation, findOpen, type Invitation, lockInvitation } from './onboarding.sql.ts'
import type { Trx } from './rows.ts'

/** Who takes an invitation back; without a member id a service or a platform administrator does. */
export type Taker = { actor: EventActor; memberId: string | undefined }

/** One's own may be taken back whatever it grants by now; of anybody else's, what one could give. */
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
  const open = await findOpen(trx, tenant, email)
  if (open) await checkTaker(trx, tenant, open, taker)
}
