import type { Tenant } from '../../kernel/access/tenant.ts'
import { type EventActor, systemActor } from '../../kernel/bus/events.ts'
import { audit } from '../audit/record.ts'
import type { AuditChange } from '../audit/values.ts'
import {
  type HotelMembership,
  type HotelValueChange,
  hotelMembershipsOf,
  inviteIntoHotel,
  type TypedIdentity,
} from '../hotel-memberships/sql.ts'
import type { EcosystemMembershipsTable, Trx } from '../tables.ts'
import { addPendingMember, type Grant } from './join.sql.ts'
import { membershipAdded } from './join.ts'

type KnownPerson = { id: string; is_super_admin: number; home_ecosystem_id: string | null }

/**
 * Whether a person must accept before they join a hotel: they have a record but don't belong to the hotel. The hotel
 * that created the record may re-add them while they belong to no other and don't administer the platform.
 */
export async function mustAccept(trx: Trx, ecosystemId: string, person: KnownPerson | undefined): Promise<boolean> {
  if (!person) return false
  return mustAcceptFirst(ecosystemId, person, await hotelMembershipsOf(trx, person.id))
}

/** The same, given the hotels of the person. */
export function mustAcceptFirst(
  ecosystemId: string,
  person: Pick<KnownPerson, 'home_ecosystem_id' | 'is_super_admin'>,
  hotels: Pick<HotelMembership, 'ecosystem_id' | 'status'>[],
): boolean {
  const membership = hotels.find(one => one.ecosystem_id === ecosystemId)
  if (membership) return membership.status === 'pending'
  const isOurs = person.home_ecosystem_id === ecosystemId && person.is_super_admin === 0
  return !isOurs || hotels.some(one => one.status === 'active')
}

type Question = {
  role?: EcosystemMembershipsTable['role']
  typedIdentity: TypedIdentity
  set?: HotelValueChange
}

/**
 * Adds a person known to another hotel as pending. They join once they accept the invitation that the caller sends;
 * until then the hotel sees what the inviter typed.
 * @returns whether they became pending now
 */
export async function inviteKnownPerson(
  trx: Trx,
  tenant: Tenant,
  memberId: string,
  grant: Grant,
  { role = 'member', typedIdentity, set }: Question,
  actor: EventActor,
): Promise<boolean> {
  await inviteIntoHotel(trx, tenant.ecosystemId, memberId, role, typedIdentity, set)
  const isAwaited = await addPendingMember(trx, tenant, memberId, grant)
  if (isAwaited) await audit(trx, tenant, pendingMembershipAdded(actor, memberId, grant))
  return isAwaited
}

/**
 * The actor shown for a change in a workspace. A workspace whose invitation the member has not accepted must not learn
 * who acts on them elsewhere, so it sees the system.
 */
export const shownActor = (
  place: { workspace_id: string; is_veiled: number } | undefined,
  openWorkspaces: readonly { workspaceId: string }[],
  actor: EventActor,
): EventActor =>
  place?.is_veiled === 1 && !openWorkspaces.some(one => one.workspaceId === place.workspace_id) ? systemActor : actor

/** The audit entry of a pending membership. */
export function pendingMembershipAdded(actor: EventActor, memberId: string, grant: Grant): AuditChange {
  const change = membershipAdded(actor, memberId, grant)
  return { ...change, action: 'membership.awaited', after: { ...change.after, status: 'pending' } }
}
