import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError } from '../../kernel/base/errors.ts'
import { copiedNames, copyHotelValues, typedNames } from '../hotel-memberships/copy.ts'
import { findHotelMembership } from '../hotel-memberships/sql.ts'
import { lockMember, type MemberRow } from '../people/sql.ts'
import { lockRoles } from '../rights/grants.sql.ts'
import { markChanged } from '../sync/mark.sql.ts'
import type { Trx } from '../tables.ts'

export type Grant = { role: string; slugs: string[]; isAdmin: boolean }

/** What a role and direct permissions grant. */
export const grantOf = (role: string, slugs: string[] = []): Grant => ({ role, slugs, isAdmin: role === 'admin' })

/**
 * Creates an active membership, or revives a former one, and updates the workspace's count.
 * @returns the member, who is locked; undefined when they had already joined
 */
export async function insertActiveMembership(
  trx: Trx,
  tenant: Tenant,
  memberId: string,
  grant: Grant,
): Promise<MemberRow | undefined> {
  // Against a concurrent deletion: a deleted member has no memberships.
  const member = await lockMember(trx, memberId)
  if ((await findHotelMembership(trx, tenant.ecosystemId, memberId))?.status === 'pending')
    throw new ConflictError('This person has not accepted the invitation yet')
  await lockRoles(trx, tenant, [grant.role])
  const hasJoined =
    (await insertMembership(trx, tenant, member, grant, 'active')) || (await activateMembership(trx, tenant, memberId))
  if (!hasJoined) return undefined
  await markChanged(trx, [memberId], tenant.workspaceId)
  return member
}

/** Columns of a membership that begins. */
export const grantColumns = (grant: Grant, status: 'active' | 'pending') => ({
  workspace_role: grant.role,
  permission_slugs: JSON.stringify(grant.slugs),
  is_admin: grant.isAdmin ? 1 : 0,
  status,
  joined_at: sql<Date>`current_timestamp(3)`,
  left_at: null,
})

/**
 * Creates a membership or revives a former one, and counts it.
 * @param person a locked member, with the names that the hotel sees
 * @returns false for one who has a membership
 */
async function insertMembership(
  trx: Trx,
  tenant: Tenant,
  person: Pick<MemberRow, 'id' | 'first_name' | 'last_name' | 'email'>,
  grant: Grant,
  status: 'active' | 'pending',
): Promise<boolean> {
  const columns = { ...grantColumns(grant, status), ...copiedNames(person) }
  const insertResult = await trx
    .insertInto('workspace_members')
    .ignore()
    .values({ ...columns, workspace_id: tenant.workspaceId, member_id: person.id })
    .executeTakeFirst()
  if (!insertResult.numInsertedOrUpdatedRows) {
    const reviveResult = await trx
      .updateTable('workspace_members')
      .set(columns)
      .where('workspace_id', '=', tenant.workspaceId)
      .where('member_id', '=', person.id)
      .where('left_at', 'is not', null)
      .executeTakeFirst()
    if (reviveResult.numUpdatedRows === 0n) return false
  }
  await copyHotelValues(trx, [person.id])
  await countMembers(trx, tenant, 1)
  return true
}

/** Activates a pending membership. It is counted already and keeps its grants. */
async function activateMembership(trx: Trx, tenant: Tenant, memberId: string): Promise<boolean> {
  const activateResult = await trx
    .updateTable('workspace_members')
    .set({ status: 'active', joined_at: sql<Date>`current_timestamp(3)` })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('member_id', '=', memberId)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  return activateResult.numUpdatedRows > 0n
}

/**
 * Creates a pending membership for a member without an account; a current membership stays unchanged.
 * @returns whether they became pending now
 */
export async function addPendingMember(trx: Trx, tenant: Tenant, memberId: string, grant: Grant): Promise<boolean> {
  const member = await lockMember(trx, memberId)
  const hotel = await findHotelMembership(trx, tenant.ecosystemId, memberId)
  const shownNames = hotel?.status === 'pending' ? typedNames(hotel) : member
  return insertMembership(trx, tenant, { ...shownNames, id: memberId }, grant, 'pending')
}

/**
 * Ends a membership. It keeps the address of that moment: the hotel learns no later one.
 * @returns whether there was one
 */
export async function endMembership(trx: Trx, tenant: Tenant, memberId: string): Promise<boolean> {
  const result = await trx
    .updateTable('workspace_members')
    .set({
      left_at: sql<Date>`current_timestamp(3)`,
      typed_email: sql<string>`coalesce(typed_email, (select email from members where id = member_id))`,
    })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('member_id', '=', memberId)
    .where('left_at', 'is', null)
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) return false
  await countMembers(trx, tenant, -1)
  await markChanged(trx, [memberId], tenant.workspaceId)
  return true
}

/** Adds to the workspace's number of members. */
export const countMembers = (trx: Trx, tenant: Tenant, by: number) =>
  trx
    .updateTable('workspaces')
    .set(eb => ({ members_count: eb('members_count', '+', by) }))
    .where('id', '=', tenant.workspaceId)
    .where('deleted_at', 'is', null)
    .execute()
