import type { Tenant } from '../../kernel/access/tenant.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { areHotelsClosed } from '../hotel-memberships/rests.sql.ts'
import { updateMember } from '../people/sql.ts'
import type { Trx } from '../tables.ts'
import { auditReactivation } from './join.ts'

/**
 * Reactivates resting members who have lost a workspace of a closed hotel, unless their other hotels are all closed:
 * without a hotel to rest with, nothing could ever reactivate them.
 */
export async function reviewRests(trx: Trx, tenant: Tenant, memberIds: string[], actor: EventActor): Promise<void> {
  for (const memberId of memberIds) {
    if (await areHotelsClosed(trx, memberId)) continue
    await updateMember(trx, memberId, { is_active: 1 })
    await auditReactivation(trx, tenant, memberId, actor)
  }
}
