import type { Tenant } from '../../kernel/access/tenant.ts'
import { systemActor } from '../../kernel/bus/events.ts'
import type { Context } from '../context.ts'
import { findHotelMembership } from '../hotel-memberships/sql.ts'
import type { Inviter } from '../onboarding/cancel.ts'
import { invite, inviteOnce } from '../onboarding/invite.ts'
import { mayGetHotelRights } from '../onboarding/inviter.ts'
import { findById } from '../people/sql.ts'
import type { Trx } from '../tables.ts'
import { joinWorkspace } from '../workspace-memberships/join.ts'
import { findMembership } from '../workspace-memberships/sql.ts'

/** The invitations of services and platform administrators don't depend on a member's rights. */
const bySystem: Inviter = { actor: systemActor, memberId: undefined }

/** Admits a pending member: a member of the hotel with an account joins at once, others get an invitation by mail. */
export async function joinOrInvite(
  trx: Trx,
  { bus, links }: Pick<Context, 'bus' | 'links'>,
  tenant: Tenant,
  memberId: string,
  caller = bySystem,
): Promise<void> {
  const membership = await findMembership(trx, tenant, memberId)
  const person = await findById(trx, memberId)
  if (!person || membership?.status !== 'pending' || membership.left_at !== null) return
  const hotel = await findHotelMembership(trx, tenant.ecosystemId, memberId)
  const isAsked = hotel?.status === 'pending'
  const role = membership.workspace_role
  const slugs = JSON.parse(membership.permission_slugs) as string[]
  if (person.user_id && !isAsked) {
    await joinWorkspace(trx, bus, tenant, person, { role, slugs, isAdmin: membership.is_admin === 1 }, caller.actor)
    return
  }
  const email = hotel?.email ?? person.email
  // An open invitation from somebody without these rights in the hotel wouldn't grant them.
  const isCovered = hotel?.status !== 'pending' || (await mayGetHotelRights(trx, email, hotel))
  const send = isCovered ? inviteOnce : invite
  await send(trx, links, tenant, caller, {
    email,
    firstName: isAsked ? membership.sort_first : person.first_name,
    lastName: isAsked ? membership.sort_last : person.last_name,
    role,
    permissions: slugs,
  })
}
