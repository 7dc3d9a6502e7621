import type { HandlerContext } from '@connectrpc/connect'
import { isPlatformCaller, openTenantsOf } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ForbiddenError } from '../../kernel/base/errors.ts'
import { findHotelMembership, hotelMembershipsOf } from '../hotel-memberships/sql.ts'
import { administers, isAdministrator } from '../rights/rules.ts'
import type { Db, EcosystemMembershipsTable, Trx } from '../tables.ts'
import { liveMemberships } from './live.sql.ts'
import type { Reach } from './reach.ts'

type Role = EcosystemMembershipsTable['role']

const permissionDenied = () => new ForbiddenError('Permission denied')

/** Only administrators act on administrators: a caller can't revoke rights that they couldn't grant. */
export function checkRank(tenant: Tenant, membership: { workspace_role: string; is_admin: number }): void {
  if (isAdministrator(membership) && !administers(tenant)) throw permissionDenied()
}

/** The same check in every workspace that the call opens. */
export function checkRanks({ tenants, memberships }: Pick<Reach, 'tenants' | 'memberships'>): void {
  for (const tenant of tenants) {
    const membership = memberships.find(one => one.workspace_id === tenant.workspaceId)
    if (membership) checkRank(tenant, membership)
  }
}

/** Roles in an ecosystem, in ascending order. */
export const hotelRanks: Record<Role, number> = { member: 0, admin: 1, owner: 2 }
export const isHotelRole = (text: string | undefined): text is Role => text !== undefined && text in hotelRanks

const inHotel = (context: HandlerContext, ecosystemId: string) =>
  openTenantsOf(context).ecosystems.find(one => one.ecosystemId === ecosystemId)

/** Rank of the caller in a hotel; a holder of manage_ecosystem who is neither owner nor administrator is a member. */
export function hotelRankOf(context: HandlerContext, ecosystemId: string): number {
  if (isPlatformCaller(context)) return hotelRanks.owner
  const role = inHotel(context, ecosystemId)?.role
  return isHotelRole(role) ? hotelRanks[role] : hotelRanks.member
}

/** Callers act on a hotel's owners and administrators only with the same rank there or a higher one. ForbiddenError. */
export async function checkHotelRanks(
  db: Db,
  context: HandlerContext,
  ecosystemIds: string[],
  memberId: string,
): Promise<void> {
  for (const { ecosystem_id, role } of await hotelMembershipsOf(db, memberId))
    if (ecosystemIds.includes(ecosystem_id) && hotelRanks[role] > hotelRankOf(context, ecosystem_id))
      throw permissionDenied()
}

/**
 * The check before a change that applies to a whole hotel: of rank in the hotel, and in each of its workspaces that the
 * member administers. ForbiddenError.
 */
export async function checkHotelWide(
  db: Db,
  context: HandlerContext,
  {
    member,
    memberships,
    tenants,
    isSelf,
    isPlatform,
  }: Pick<Reach, 'memberships' | 'tenants' | 'isSelf' | 'isPlatform'> & { member: { id: string } },
  ecosystemIds: string[],
): Promise<void> {
  if (isSelf || isPlatform) return
  await checkHotelRanks(db, context, ecosystemIds, member.id)
  for (const one of memberships.filter(one => ecosystemIds.includes(one.ecosystem_id) && isAdministrator(one)))
    if (!tenants.some(tenant => tenant.workspaceId === one.workspace_id && administers(tenant)))
      throw permissionDenied()
}

type HotelRights = Pick<EcosystemMembershipsTable, 'role' | 'permissions'>

/** Whether the caller holds all that a hotel membership opens. */
export function holdsInHotel(context: HandlerContext, hotel: HotelRights & { ecosystem_id: string }): boolean {
  const rank = hotelRankOf(context, hotel.ecosystem_id)
  return coversRights(rank, inHotel(context, hotel.ecosystem_id)?.permissions ?? [], hotel)
}

/** Callers bring nobody rights in a hotel back that they don't hold, by adding them to a workspace. ForbiddenError. */
export async function checkRegained(trx: Trx, context: HandlerContext, ecosystemId: string, memberId: string) {
  const hotel = await regainedRights(trx, ecosystemId, memberId)
  if (hotel && !holdsInHotel(context, hotel)) throw permissionDenied()
}

/**
 * The rights in a hotel that come back when a person joins one of its workspaces: those of somebody who is suspended in
 * all of them, or in none [D151]. Undefined for nothing.
 */
export async function regainedRights(trx: Trx, ecosystemId: string, memberId: string) {
  const hotel = await findHotelMembership(trx, ecosystemId, memberId)
  if (hotel?.status !== 'active' || hotel.role !== 'member' || hotel.permissions === '[]') return undefined
  const memberships = await liveMemberships(trx, [memberId])
  const isIn = memberships.some(one => one.ecosystem_id === ecosystemId && one.status === 'active')
  return isIn ? undefined : hotel
}

/** Whether somebody's rank and permissions in a hotel include these. Owners and administrators hold every permission. */
export function coversRights(rank: number, slugs: readonly string[], { role, permissions }: HotelRights): boolean {
  if (rank > hotelRanks.member) return rank >= hotelRanks[role]
  return role === 'member' && (JSON.parse(permissions) as string[]).every(slug => slugs.includes(slug))
}
