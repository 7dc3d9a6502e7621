import type { Tenant } from '../../kernel/access/tenant.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { belongings, restWithAll } from '../people/rests.sql.ts'
import { updateMember } from '../people/sql.ts'
import type { Trx } from '../rows.ts'
import { auditReactivation } from './join.ts'

/**
 * Settles the rest of people who rested with a hotel and have lost a workspace of it. Whoever still belongs to deleted
 * hotels alone rests with those; anybody else would rest with none, so that nothing could wake them any more: they are
 * active again, as whoever leaves a hotel that is open stays active.
 */
export async function settleRests(trx: Trx, tenant: Tenant, memberIds: string[], actor: EventActor): Promise<void> {
  for (const memberId of memberIds) {
    if (await restsOn(trx, memberId)) continue
    await updateMember(trx, memberId, { is_active: 1 })
    await auditReactivation(trx, tenant, memberId, actor)
  }
}

/** Lets somebody who rests with no hotel any more rest with all they belong to, if these are deleted. @returns whether they rest */
async function restsOn(trx: Trx, memberId: string): Promise<boolean> {
  const belongs = await belongings(trx, memberId)
  if (belongs.some(one => one.rested_at !== null)) return true
  if (belongs.length === 0 || belongs.some(one => one.is_open)) return false
  await restWithAll(trx, memberId)
  return true
}
