import { sql } from 'kysely'
import { exempt } from '../kernel/database.ts'
import type { EventActor } from '../kernel/events.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { auditReactivation } from './join.ts'
import { updateMember } from './members.sql.ts'
import type { Trx } from './rows.ts'

/** Who of a workspace, or whether one of its members, rests with its deleted hotel: locked until the transaction ends. */
export async function restingIn(trx: Trx, { workspaceId, ecosystemId }: Tenant, memberId?: string): Promise<string[]> {
  let query = trx
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('workspace_members as wm', 'wm.member_id', 'e.member_id')
    .select('e.member_id')
    .where('e.ecosystem_id', '=', ecosystemId)
    .where('e.rested_at', 'is not', null)
    .where('wm.workspace_id', '=', workspaceId)
    .where('wm.left_at', 'is', null)
    .orderBy('e.member_id')
    .forUpdate()
  if (memberId !== undefined) query = query.where('e.member_id', '=', memberId)
  return (await query.execute()).map(one => one.member_id)
}

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
  const belongs = await exempt(trx, 'of one member, whatever hotels they belong to')
    .selectFrom('ecosystem_memberships as e')
    .select('e.rested_at')
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('workspaces as w')
          .select('w.id')
          .whereRef('w.ecosystem_id', '=', 'e.ecosystem_id')
          .where('w.deleted_at', 'is', null)
          .where('w.closed_at', 'is', null),
      ).as('is_open'),
    )
    .where('e.member_id', '=', memberId)
    .forUpdate()
    .execute()
  if (belongs.some(one => one.rested_at !== null)) return true
  if (belongs.length === 0 || belongs.some(one => one.is_open)) return false
  await exempt(trx, 'of one member, whatever hotels they belong to')
    .updateTable('ecosystem_memberships')
    .set({ rested_at: sql<Date>`current_timestamp(3)` })
    .where('member_id', '=', memberId)
    .execute()
  return true
}
