import type { Selectable } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { systemActor } from '../../kernel/bus/events.ts'
import { audit } from '../audit/record.ts'
import { memberValues } from '../audit/values.ts'
import { membershipAwaited } from '../memberships/ask.ts'
import type { Grant } from '../memberships/join.sql.ts'
import { findHotelWorkspace } from '../memberships/workspace.sql.ts'
import { hotelOf } from '../people/hotels.sql.ts'
import { findById } from '../people/sql.ts'
import type { Trx } from '../rows.ts'
import type { EcosystemMemberships, Members } from '../tables.ts'

/** What the hotel service does to a member is done by nobody in particular. */
export const bySystem = (memberId: string) => ({ actor: systemActor, entityId: memberId, memberId })

/** Records somebody who was added to a hotel: their record when it is new or changed, the membership when it is awaited. */
export async function auditHotelMember(
  trx: Trx,
  tenant: Tenant,
  known: { person: Selectable<Members>; hotel: Selectable<EcosystemMemberships> | undefined } | undefined,
  memberId: string,
  awaited: Grant | undefined,
): Promise<void> {
  const now = await findById(trx, memberId)
  const hotel = await hotelOf(trx, tenant.ecosystemId, memberId)
  await audit(trx, tenant, {
    ...bySystem(memberId),
    action: known ? 'member.updated' : 'member.created',
    entity: 'member',
    before: known && memberValues(known.person, known.hotel),
    after: now && memberValues(now, hotel),
  })
  if (awaited) await audit(trx, tenant, membershipAwaited(systemActor, memberId, awaited))
}

/** Records members who rest with their hotel, or come back with it: in the workspace of the hotel. */
export async function auditActivity(trx: Trx, hotelId: string, memberIds: string[], isActive: boolean): Promise<void> {
  const home = await findHotelWorkspace(trx, { ecosystemId: hotelId })
  await audit(
    trx,
    home && { workspaceId: home.id },
    memberIds.map(memberId => ({
      ...bySystem(memberId),
      action: isActive ? 'member.reactivated' : 'member.deactivated',
      entity: 'member' as const,
      before: { isActive: !isActive },
      after: { isActive },
    })),
  )
}
