import type { Selectable } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { type EventActor, systemActor } from '../../kernel/bus/events.ts'
import { audit } from '../audit/record.ts'
import { memberValues } from '../audit/values.ts'
import { findHotelMembership } from '../hotel-memberships/sql.ts'
import { findById } from '../people/sql.ts'
import type { EcosystemMembershipsTable, MembersTable, Trx } from '../tables.ts'
import { findHotelWorkspace } from '../workspace-memberships/workspace.sql.ts'

/** The actor of a change by the hotel service is the system. */
export const bySystem = (memberId: string) => ({ actor: systemActor, memberId })

/**
 * Records a member added to a hotel: the new or changed record.
 * @param before the person as known before, and their membership of the hotel
 */
export async function auditHotelMember(
  trx: Trx,
  tenant: Tenant,
  memberId: string,
  before: { person: Selectable<MembersTable>; hotel: Hotel | undefined } | undefined,
  actor: EventActor,
): Promise<void> {
  const now = await findById(trx, memberId)
  const hotel = await findHotelMembership(trx, tenant.ecosystemId, memberId)
  await audit(trx, tenant, {
    actor,
    action: before ? 'member.updated' : 'member.created',
    memberId,
    before: before && memberValues(before.person, before.hotel),
    after: now && memberValues(now, hotel),
  })
}

type Hotel = Selectable<EcosystemMembershipsTable>

/** Records members who are deactivated or reactivated with their hotel, in the workspace of the hotel. */
export async function auditActivity(trx: Trx, hotelId: string, memberIds: string[], isActive: boolean): Promise<void> {
  const home = await findHotelWorkspace(trx, { ecosystemId: hotelId })
  await audit(
    trx,
    home && { workspaceId: home.id },
    memberIds.map(memberId => ({
      ...bySystem(memberId),
      action: isActive ? ('member.reactivated' as const) : ('member.deactivated' as const),
      before: { isActive: !isActive },
      after: { isActive },
    })),
  )
}
