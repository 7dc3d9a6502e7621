import type { HandlerContext } from '@connectrpc/connect'
import type { Selectable } from 'kysely'
import { isPlatformCaller, maybePerson, openTenantsOf } from '../../kernel/access/access.ts'
import { actorKey } from '../../kernel/access/actor.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import { optional } from '../../kernel/base/fields.ts'
import type { MembersTable } from '../tables.ts'
import type { LiveMembership } from './live.sql.ts'

/** The caller that views a member. */
export type Viewer = {
  /** Undefined for credentials and services, which have no own record. */
  memberId: string | undefined
  /** Services and platform administrators see everything. */
  isPlatform: boolean
  workspaces: readonly { workspaceId: string; permissions: readonly string[] }[]
  /** The workspace in the caller's token. It selects the hotel when several are shared. */
  claimed: string | null
}

export function viewerOf(context: HandlerContext): Viewer {
  const actor = context.values.get(actorKey)
  return {
    memberId: maybePerson(context)?.memberId,
    isPlatform: isPlatformCaller(context),
    workspaces: openTenantsOf(context).workspaces,
    claimed: actor.kind === 'person' ? actor.claims.workspaceId : null,
  }
}

/** A member as one viewer sees them. */
export type MemberView = ReturnType<typeof toIdentity> & {
  id: string
  userId: string | undefined
  isSuperAdmin: boolean
  createdAt: Date
  updatedAt: Date
  memberships: LiveMembership[]
  /** The hotel whose values are shown; undefined when the viewer sees no membership. */
  hotelId: string | undefined
  isActive: boolean
  dashboardAccess: boolean
  mobileAccess: boolean
  superior: string | null
}

type Identity = { first_name: string; last_name: string; email: string; photo_url: string | null }
type OnMembership = { is_veiled: number; sort_first: string; sort_last: string; typed_email: string | null }

/** Names and address of a member through one membership; until they accept, what the inviter typed. */
export function toIdentity(person: Identity & OnMembership & { phone?: string | null }) {
  const isVeiled = person.is_veiled === 1
  return {
    isVeiled,
    firstName: isVeiled ? person.sort_first : person.first_name,
    lastName: isVeiled ? person.sort_last : person.last_name,
    email: isVeiled ? (person.typed_email ?? '') : person.email,
    phone: isVeiled ? undefined : optional(person.phone ?? null),
    photoUrl: isVeiled ? undefined : optional(person.photo_url),
  }
}

/** The part of an identity that lists of colleagues show. */
export function toListedIdentity(person: Identity & OnMembership) {
  const { firstName, lastName, email, photoUrl } = toIdentity(person)
  return { firstName, lastName, email, photoUrl }
}

/** For the member themselves and for the platform, nothing is hidden. */
const unveiledIdentity = { is_veiled: 0, sort_first: '', sort_last: '', typed_email: null }

/**
 * A member as one viewer sees them: identity, shared memberships, and the values of one hotel. Every response that
 * shows a member is built from this.
 * @param memberships all current memberships of the member
 * @param permission what the viewer must hold in a shared workspace; none when the call has checked it
 */
export function viewMember(
  viewer: Viewer,
  member: Selectable<MembersTable>,
  memberships: LiveMembership[],
  permission?: string,
): MemberView {
  const visibleMemberships = filterShared(viewer, member.id, memberships, permission)
  const isOpen = viewer.isPlatform || viewer.memberId === member.id
  // Fails closed: a caller who shares nothing with the member is refused earlier.
  if (!isOpen && visibleMemberships.length === 0) throw new NotFoundError('Member not found')
  const hotel = selectHotel(viewer, visibleMemberships)
  const veiledMembership = isOpen
    ? undefined
    : (visibleMemberships.find(one => one.is_veiled === 0) ?? visibleMemberships[0])
  const identity = toIdentity({ ...member, ...(veiledMembership ?? unveiledIdentity) })
  return {
    ...identity,
    id: member.id,
    userId: identity.isVeiled ? undefined : optional(member.user_id),
    isSuperAdmin: !identity.isVeiled && member.is_super_admin === 1,
    createdAt: identity.isVeiled && veiledMembership ? veiledMembership.created_at : member.created_at,
    updatedAt: identity.isVeiled && veiledMembership ? veiledMembership.updated_at : lastChange(member, hotel),
    memberships: visibleMemberships,
    hotelId: hotel?.ecosystem_id,
    isActive: hotel ? hotel.member_active === 1 : member.is_active === 1,
    dashboardAccess: hotel ? hotel.dashboard_access === 1 : member.is_super_admin === 1,
    mobileAccess: hotel ? hotel.mobile_access !== 0 : true,
    superior: hotel?.superior_id ?? null,
  }
}

/** When a member or what the shown hotel keeps about them changed last. */
function lastChange(member: { updated_at: Date }, hotel: LiveMembership | undefined): Date {
  const hotelTime = hotel?.hotel_updated_at
  return hotelTime && hotelTime > member.updated_at ? hotelTime : member.updated_at
}

/**
 * Memberships that a viewer sees: their own in open hotels, else those in shared workspaces. The platform sees all but
 * those in deleted hotels.
 */
function filterShared(
  viewer: Viewer,
  memberId: string,
  memberships: LiveMembership[],
  permission?: string,
): LiveMembership[] {
  if (viewer.isPlatform) return memberships.filter(one => one.is_hotel_deleted === 0)
  if (viewer.memberId === memberId) return memberships.filter(one => one.closed_at === null)
  const openWorkspaces = viewer.workspaces.filter(
    one => permission === undefined || one.permissions.includes(permission),
  )
  const openWorkspaceIds = new Set(openWorkspaces.map(one => one.workspaceId))
  return memberships.filter(one => openWorkspaceIds.has(one.workspace_id))
}

/** Selects the hotel that the token names, else the first in which the member is active. */
export const selectHotel = (
  { claimed }: Pick<Viewer, 'claimed'>,
  visibleMemberships: LiveMembership[],
): LiveMembership | undefined =>
  visibleMemberships.find(one => one.workspace_id === claimed) ??
  visibleMemberships.find(one => one.is_veiled === 0 && one.member_active === 1) ??
  visibleMemberships[0]
