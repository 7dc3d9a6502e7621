import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { Db, Trx } from '../tables.ts'
import { currentMembers } from './sql.ts'

const now = sql<Date>`current_timestamp(3)`
const isStaying = sql<boolean>`(m.departing_until is null or m.departing_until <= ${now})`

/** Whether others can administer the workspace: active members with an account that they aren't deleting. */
export async function hasOtherAdministrator(
  db: Db,
  tenant: Pick<Tenant, 'workspaceId'>,
  memberId: string,
): Promise<boolean> {
  const row = await currentMembers(db, tenant)
    .select('wm.member_id')
    .where('wm.member_id', '!=', memberId)
    .where('wm.status', '=', 'active')
    .where(eb => eb.or([eb('wm.is_admin', '=', 1), eb('wm.workspace_role', '=', 'admin')]))
    .where('wm.member_active', '=', 1)
    .where('m.user_id', 'is not', null)
    .where(isStaying)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Locks the owners of an ecosystem until the transaction ends.
 * @returns the ids of those who are live and active, and aren't deleting their account
 */
export async function lockOwners(trx: Trx, ecosystemId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select('e.member_id')
    .where('e.ecosystem_id', '=', ecosystemId)
    .where('e.role', '=', 'owner')
    .where('e.status', '=', 'active')
    .where('e.is_active', '=', 1)
    .where('m.is_active', '=', 1)
    .where('m.deleted_at', 'is', null)
    .where(isStaying)
    .orderBy('e.member_id')
    .forUpdate()
    .execute()
  return rows.map(row => row.member_id)
}

/**
 * Notes that a member is deleting their account, until the event of the deletion. The note expires after a week in case
 * the deletion fails.
 */
export const markDeparting = (trx: Trx, memberId: string) =>
  trx
    .updateTable('members')
    .set({ departing_until: sql`${now} + interval 7 day` })
    .where('id', '=', memberId)
    .execute()
