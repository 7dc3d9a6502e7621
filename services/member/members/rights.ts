import type { HandlerContext } from '@connectrpc/connect'
import { actingMember } from '../../kernel/access/access.ts'
import { ForbiddenError } from '../../kernel/base/errors.ts'
import { checkHierarchy } from '../hierarchy/hierarchy.ts'
import { hotelMembershipsOf } from '../hotel-memberships/sql.ts'
import { checkRevocation } from '../rights/grants.ts'
import { administers } from '../rights/rules.ts'
import type { Db } from '../tables.ts'
import type { LiveMembership } from '../workspace-memberships/live.sql.ts'
import { checkHotelWide, checkRanks, holdsInHotel, hotelRankOf, hotelRanks } from '../workspace-memberships/ranks.ts'
import type { Reach } from '../workspace-memberships/reach.ts'

/**
 * Who changes each field of a member: the person and the hotel that created their record, a caller with the right in all
 * of their hotels, each hotel for itself, or only the platform.
 */
const ownerByField = {
  first_name: 'person',
  last_name: 'person',
  phone: 'person',
  photo_url: 'person',
  email: 'all hotels',
  superior: 'hotel',
  dashboard_access: 'hotel',
  is_active: 'hotel',
  is_super_admin: 'platform',
} as const
export type MemberField = keyof typeof ownerByField
type FieldOwner = (typeof ownerByField)[MemberField]

const fieldsOf = (owner: FieldOwner): ReadonlySet<string> =>
  new Set(Object.entries(ownerByField).flatMap(([field, one]) => (one === owner ? [field] : [])))
const personal = fieldsOf('person')
/** Fields that each hotel sets for itself. */
export const hotelFields = fieldsOf('hotel')
/** Hotel values that open or close the hotel to the member. */
const accessFields = new Set(['dashboard_access', 'is_active'])

/** Refuses a caller who may not change these fields of the member. ForbiddenError. */
export async function checkUpdateRights(
  db: Db,
  context: HandlerContext,
  reach: Reach,
  paths: Set<string>,
  hotels: string[],
): Promise<void> {
  const { isPlatform, isSelf, member, memberships, view, tenants } = reach
  if (isPlatform) return
  const permissionDenied = () => new ForbiddenError('Permission denied')
  if (paths.has('is_super_admin')) throw permissionDenied()
  if (isSelf && [...paths].every(path => personal.has(path))) return
  if (tenants.length === 0 || (view.isSuperAdmin && !isSelf)) throw permissionDenied()
  const acceptedMemberships = memberships.filter(one => one.is_veiled === 0)
  const affectedHotelIds = new Set<string>()
  if (!isSelf && [...paths].some(path => personal.has(path))) {
    const home = acceptedMemberships.find(one => one.ecosystem_id === member.home_ecosystem_id)
    if (!home) throw permissionDenied()
    affectedHotelIds.add(home.ecosystem_id)
  }
  if (paths.has('email')) {
    // The address signs in to all hotels of the member, so the caller needs the right in all of them.
    const openIds = new Set(tenants.map(one => one.workspaceId))
    if (acceptedMemberships.length === 0 || !acceptedMemberships.every(one => openIds.has(one.workspace_id)))
      throw permissionDenied()
    if (!isSelf) await checkTakeover(db, context, reach, acceptedMemberships)
    for (const one of acceptedMemberships) affectedHotelIds.add(one.ecosystem_id)
    // Owners and administrators may belong to a hotel without being in one of its workspaces.
    for (const one of await hotelMembershipsOf(db, member.id))
      if (one.status === 'active') affectedHotelIds.add(one.ecosystem_id)
  }
  if ([...paths].some(path => hotelFields.has(path))) for (const id of hotels) affectedHotelIds.add(id)
  for (const ecosystemId of affectedHotelIds) {
    const hotelTenants = tenants.filter(one => one.ecosystemId === ecosystemId)
    if (hotelTenants.length === 0) throw permissionDenied()
    await checkHierarchy(db, hotelTenants, actingMember(context)?.memberId, member.id)
    checkRanks({ tenants: hotelTenants, memberships })
  }
  if ([...paths].some(path => accessFields.has(path))) await checkHotelWide(db, context, reach, hotels)
  // Members can't grant themselves access to the dashboard.
  const settableTenants = tenants.filter(one => hotels.includes(one.ecosystemId))
  if (isSelf && paths.has('dashboard_access') && !settableTenants.some(administers)) throw permissionDenied()
}

/** An address resets the password, so the caller must hold all that the account opens. ForbiddenError. */
async function checkTakeover(
  db: Db,
  context: HandlerContext,
  { member, tenants }: Reach,
  acceptedMemberships: LiveMembership[],
) {
  for (const tenant of tenants) {
    const one = acceptedMemberships.find(({ workspace_id }) => workspace_id === tenant.workspaceId)
    if (one) await checkRevocation(db, tenant, one.workspace_role, JSON.parse(one.permission_slugs) as string[])
  }
  const hotels = (await hotelMembershipsOf(db, member.id)).filter(one => one.status === 'active')
  if (!hotels.every(one => holdsInHotel(context, one))) throw new ForbiddenError('Permission denied')
}

/**
 * Activating a member grants again what they hold in these hotels, so the caller must hold all of it: in the hotel itself,
 * and in each of its workspaces, unless they administer the hotel. ForbiddenError.
 */
export async function checkReturn(db: Db, context: HandlerContext, reach: Reach, hotels: string[]): Promise<void> {
  const { isPlatform, member, memberships, tenants } = reach
  if (isPlatform) return
  const permissionDenied = () => new ForbiddenError('Permission denied')
  for (const hotel of await hotelMembershipsOf(db, member.id)) {
    const { ecosystem_id, is_active } = hotel
    if (!hotels.includes(ecosystem_id) || (is_active === 1 && member.is_active === 1)) continue
    if (!holdsInHotel(context, hotel)) throw permissionDenied()
    if (hotelRankOf(context, ecosystem_id) > hotelRanks.member) continue
    for (const one of memberships.filter(row => row.ecosystem_id === ecosystem_id && row.status === 'active')) {
      const tenant = tenants.find(({ workspaceId }) => workspaceId === one.workspace_id)
      if (!tenant) throw permissionDenied()
      await checkRevocation(db, tenant, one.workspace_role, JSON.parse(one.permission_slugs) as string[])
    }
  }
}
