import type { Tenant } from '../../kernel/access/tenant.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { lockHotelsOf, restWithAllHotels } from '../hotel-memberships/rests.sql.ts'
import { updateMember } from '../people/sql.ts'
import type { Trx } from '../tables.ts'
import { auditReactivation } from './join.ts'

/**
 * Adjusts the rest of members who have lost a workspace of a deleted hotel. A member whose other hotels are all deleted
 * rests with those. Any other member becomes active again: without a hotel to rest with, nothing could ever reactivate
 * them.
 */
export async function reviewRests(trx: Trx, tenant: Tenant, memberIds: string[], actor: EventActor): Promise<void> {
  for (const memberId of memberIds) {
    if (await restsElsewhere(trx, memberId)) continue
    await updateMember(trx, memberId, { is_active: 1 })
    await auditReactivation(trx, tenant, memberId, actor)
  }
}

/**
 * Lets a member who no longer rests with any hotel rest with all of theirs, if these are all deleted.
 * @returns whether they rest
 */
async function restsElsewhere(trx: Trx, memberId: string): Promise<boolean> {
  const belongs = await lockHotelsOf(trx, memberId)
  if (belongs.some(one => one.rested_at !== null)) return true
  if (belongs.length === 0 || belongs.some(one => one.is_open)) return false
  await restWithAllHotels(trx, memberId)
  return true
}
