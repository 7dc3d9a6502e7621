import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { exempt } from '../../kernel/database/database.ts'
import { findHotelMembership, moveSubordinatesUp } from '../hotel-memberships/sql.ts'
import type { Trx } from '../tables.ts'

/** Removes a member from every team and department of the workspace, also as leader and manager. */
export async function leaveGroups(trx: Trx, { workspaceId }: Tenant, memberId: string): Promise<void> {
  for (const table of ['team_members', 'department_members'] as const)
    await trx.deleteFrom(table).where('workspace_id', '=', workspaceId).where('member_id', '=', memberId).execute()
  for (const [table, lead] of [
    ['teams', 'leader_id'],
    ['departments', 'manager_id'],
  ] as const)
    await sql`update ${sql.table(table)} set ${sql.ref(lead)} = null
      where workspace_id = ${workspaceId} and ${sql.ref(lead)} = ${memberId} and deleted_at is null`.execute(trx)
}

/**
 * Ends an ecosystem membership without a remaining workspace, which would keep the ecosystem's workspaces visible to
 * the member. Owners and administrators of the ecosystem stay.
 */
export async function leaveHotelAfterLastWorkspace(trx: Trx, ecosystemId: string, memberId: string): Promise<void> {
  const remainingMemberships = await exempt(trx, 'the ecosystem is named, and its workspaces are joined by it')
    .selectFrom('workspace_members as wm')
    .innerJoin('workspaces as w', 'w.id', 'wm.workspace_id')
    .select('wm.workspace_id')
    .where('w.ecosystem_id', '=', ecosystemId)
    .where('w.deleted_at', 'is', null)
    .where('wm.member_id', '=', memberId)
    .where('wm.left_at', 'is', null)
    .limit(1)
    .execute()
  if (remainingMemberships.length > 0) return
  const hotel = await findHotelMembership(trx, ecosystemId, memberId)
  if (!hotel || (hotel.role !== 'member' && hotel.status === 'active')) return
  await leaveHotel(trx, ecosystemId, memberId)
}

/** Removes a member from an ecosystem; their subordinates there move up. */
export async function leaveHotel(trx: Trx, ecosystemId: string, memberId: string): Promise<void> {
  await moveSubordinatesUp(trx, ecosystemId, memberId)
  await trx
    .deleteFrom('ecosystem_memberships')
    .where('ecosystem_id', '=', ecosystemId)
    .where('member_id', '=', memberId)
    .execute()
}

/** The same for all members of a workspace that is being deleted. */
export async function leaveHotelWithWorkspace(trx: Trx, { workspaceId, ecosystemId }: Tenant): Promise<void> {
  const leavingMembers = sql`e.ecosystem_id = ${ecosystemId} and e.role = 'member' and not exists (
    select 1 from workspace_members wm join workspaces w on w.id = wm.workspace_id
    where wm.member_id = e.member_id and wm.left_at is null and wm.workspace_id <> ${workspaceId}
      and w.ecosystem_id = ${ecosystemId} and w.deleted_at is null)`
  const { rows } = await sql<{ member_id: string }>`
    select distinct e.member_id from ecosystem_memberships e
    join ecosystem_memberships below on below.superior_id = e.member_id and below.ecosystem_id = e.ecosystem_id
    join workspace_members here on here.member_id = e.member_id and here.workspace_id = ${workspaceId}
      and here.left_at is null
    where ${leavingMembers}`.execute(trx)
  for (const { member_id } of rows) await moveSubordinatesUp(trx, ecosystemId, member_id)
  await sql`delete e from ecosystem_memberships e
    join workspace_members here on here.member_id = e.member_id and here.workspace_id = ${workspaceId}
      and here.left_at is null
    where ${leavingMembers}`.execute(trx)
}
