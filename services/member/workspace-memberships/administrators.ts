import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError } from '../../kernel/base/errors.ts'
import { hotelMembershipsOf } from '../hotel-memberships/sql.ts'
import { isAdministrator } from '../rights/rules.ts'
import type { Trx } from '../tables.ts'
import { hasOtherAdministrator, lockOwners, markDeparting } from './administrators.sql.ts'
import { liveMemberships } from './live.sql.ts'
import { lockMembership } from './sql.ts'
import { lockWorkspace } from './workspace.sql.ts'

type RankedMembership = { member_id: string; workspace_role: string; is_admin: number; status: string }

/**
 * Refuses to remove the last administrator of a workspace, unless its hotel is closed. Locks the workspace, so that two administrators who remove
 * each other can't both succeed.
 */
export async function refuseLastAdministrator(trx: Trx, tenant: Tenant, membership: RankedMembership): Promise<void> {
  if (!isAdministrator(membership) || membership.status !== 'active') return
  const { closed_at } = await lockWorkspace(trx, tenant)
  if (closed_at === null && !(await hasOtherAdministrator(trx, tenant, membership.member_id)))
    throw new ConflictError('The workspace would be left without an administrator')
}

/** The same check for a membership that was read earlier: reads it again once the workspace is locked. */
export async function refuseLastAdministratorById(trx: Trx, tenant: Tenant, memberId: string): Promise<void> {
  await lockWorkspace(trx, tenant)
  const membership = await lockMembership(trx, tenant, memberId)
  if (membership) await refuseLastAdministrator(trx, tenant, membership)
}

/** Refuses to remove an owner who is the last of their ecosystem. Locks the owners, as refuseLastAdministrator does. */
export async function refuseLastOwner(trx: Trx, ecosystemId: string, memberId: string): Promise<void> {
  const owners = await lockOwners(trx, ecosystemId)
  if (owners.every(id => id === memberId)) throw new ConflictError('The ecosystem would be left without an owner')
}

/** The same for each ecosystem that the member owns, or each of these. Closed hotels need no owner. */
export async function refuseLastOwnerOf(trx: Trx, memberId: string, ecosystemIds?: string[]): Promise<void> {
  for (const { ecosystem_id, role, status, is_closed } of await hotelMembershipsOf(trx, memberId))
    if (role === 'owner' && status === 'active' && Number(is_closed) === 0)
      if (!ecosystemIds || ecosystemIds.includes(ecosystem_id)) await refuseLastOwner(trx, ecosystem_id, memberId)
}

/**
 * Notes that a member is deleting their account, unless a workspace would lose its last administrator, or an ecosystem
 * its last owner (ConflictError). Locks the workspaces and owners, so that two can't leave at once.
 * @returns names of the workspaces that prevent it
 */
export async function announceDeparture(trx: Trx, memberId: string): Promise<string[]> {
  const administered = (await liveMemberships(trx, [memberId])).filter(
    one => one.status === 'active' && one.closed_at === null && isAdministrator(one),
  )
  const orphanedIds: string[] = []
  for (const one of administered.toSorted((a, b) => (a.workspace_id < b.workspace_id ? -1 : 1))) {
    const tenant = { workspaceId: one.workspace_id }
    await lockWorkspace(trx, tenant)
    if (!(await hasOtherAdministrator(trx, tenant, memberId))) orphanedIds.push(one.workspace_id)
  }
  if (orphanedIds.length === 0) {
    await refuseLastOwnerOf(trx, memberId)
    await markDeparting(trx, memberId)
  }
  return administered.filter(one => orphanedIds.includes(one.workspace_id)).map(one => one.workspace_name)
}
