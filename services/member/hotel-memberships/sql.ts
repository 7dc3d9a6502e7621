import { sql } from 'kysely'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { exempt } from '../../kernel/database/database.ts'
import { markChanged } from '../sync/mark.sql.ts'
import type { Db, EcosystemMembershipsTable, Trx } from '../tables.ts'
import { copyHotelValues, copyToMemberships } from './copy.ts'

type Role = EcosystemMembershipsTable['role']

/** Values of a hotel membership to set. */
export type HotelValueChange = Partial<{
  role: Role
  is_owner: number
  permissions: string
  brought_member: number
  is_active: number
  dashboard_access: number
  mobile_access: number
  superior_id: string | null
}>

/** Default values of a hotel membership. */
export const defaultHotelValues = { is_active: 1, dashboard_access: 0, mobile_access: 1, superior_id: null }

const selectHotelMemberships = (db: Db, memberIds: string[]) =>
  exempt(db, 'of members that are named, whatever hotels they belong to')
    .selectFrom('ecosystem_memberships as e')
    .selectAll('e')
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('workspaces as w')
          .select('w.id')
          .where('w.ecosystem_id', '=', sql.ref<string>('e.ecosystem_id'))
          .where('w.deleted_at', 'is', null)
          .where('w.closed_at', 'is not', null),
      ).as('is_closed'),
    )
    .where('e.member_id', 'in', memberIds)
    .orderBy('e.created_at')
    .orderBy('e.ecosystem_id')
    .execute()

/** All hotel memberships of a member, pending ones included, oldest first. */
export const hotelMembershipsOf = (db: Db, memberId: string) => selectHotelMemberships(db, [memberId])

/** All hotel memberships of many members, by member id; without an entry for a member without a hotel. */
export const hotelMembershipsByMember = async (db: Db, memberIds: string[]): Promise<Map<string, HotelMembership[]>> =>
  Map.groupBy(memberIds.length > 0 ? await selectHotelMemberships(db, memberIds) : [], one => one.member_id)

export type HotelMembership = Awaited<ReturnType<typeof selectHotelMemberships>>[number]

const selectHotelMembership = (db: Db, ecosystemId: string, memberId: string) =>
  db
    .selectFrom('ecosystem_memberships')
    .selectAll()
    .where('ecosystem_id', '=', ecosystemId)
    .where('member_id', '=', memberId)

/** The membership of one hotel; undefined when the member doesn't belong to it. */
export const findHotelMembership = (db: Db, ecosystemId: string, memberId: string) =>
  selectHotelMembership(db, ecosystemId, memberId).executeTakeFirst()

/** The membership of one hotel, locked until the transaction ends. */
export const lockHotelMembership = (trx: Trx, ecosystemId: string, memberId: string) =>
  selectHotelMembership(trx, ecosystemId, memberId).forUpdate().executeTakeFirst()

/** Sets values of a hotel membership and updates the copies on their memberships. */
export async function updateHotelMembership(
  trx: Trx,
  ecosystemId: string,
  memberId: string,
  set: HotelValueChange,
): Promise<void> {
  await trx
    .updateTable('ecosystem_memberships')
    .set(set)
    .where('ecosystem_id', '=', ecosystemId)
    .where('member_id', '=', memberId)
    .execute()
  await copyHotelValues(trx, [memberId])
  if (set.is_active !== undefined) await markChanged(trx, [memberId])
}

/** Adds a member to a hotel. An existing membership keeps the stronger role. */
export const joinHotel = (trx: Trx, ecosystemId: string, memberId: string, role: Role, set: HotelValueChange = {}) =>
  insertHotelMembership(trx, ecosystemId, memberId, role, set)

/** Names and address of a person as the inviter typed them. */
export type TypedIdentity = { firstName: string; lastName: string; email: string }

/**
 * Adds a person known to another hotel as pending, shown as typed until they accept. A repeated call keeps the names
 * and updates the address.
 */
export async function inviteIntoHotel(
  trx: Trx,
  ecosystemId: string,
  memberId: string,
  role: Role,
  typedIdentity: TypedIdentity,
  set: HotelValueChange = {},
): Promise<void> {
  const email = normalizeEmail(typedIdentity.email)
  const columns = {
    ...set,
    status: 'pending' as const,
    first_name: typedIdentity.firstName,
    last_name: typedIdentity.lastName,
    email,
  }
  await insertHotelMembership(trx, ecosystemId, memberId, role, columns)
  await trx
    .updateTable('ecosystem_memberships')
    .set({ email })
    .where('ecosystem_id', '=', ecosystemId)
    .where('member_id', '=', memberId)
    .where('status', '=', 'pending')
    .execute()
  await copyToMemberships(trx, memberId)
}

/** Ends the pending state of a membership: the person belongs to the hotel and is shown with their own names. */
export async function acceptHotelInvitation(trx: Trx, ecosystemId: string, memberId: string): Promise<void> {
  await insertHotelMembership(trx, ecosystemId, memberId, 'member', {})
  const { numUpdatedRows } = await trx
    .updateTable('ecosystem_memberships')
    .set({ status: 'active', first_name: null, last_name: null, email: null })
    .where('ecosystem_id', '=', ecosystemId)
    .where('member_id', '=', memberId)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await copyToMemberships(trx, memberId)
}

const insertHotelMembership = (
  trx: Trx,
  ecosystemId: string,
  memberId: string,
  role: Role,
  set: HotelValueChange & { status?: 'pending'; first_name?: string; last_name?: string; email?: string },
) =>
  trx
    .insertInto('ecosystem_memberships')
    .values({
      ...set,
      member_id: memberId,
      ecosystem_id: ecosystemId,
      permissions: '[]',
      role,
      is_owner: role === 'owner' ? 1 : 0,
    })
    .onDuplicateKeyUpdate(
      role === 'member'
        ? { updated_at: sql`updated_at` }
        : { role: sql`if(role = 'owner', role, values(role))`, is_owner: sql`greatest(is_owner, values(is_owner))` },
    )
    .execute()

/** Moves the subordinates of a leaving member up to that member's superior in the hotel. */
export async function moveSubordinatesUp(trx: Trx, ecosystemId: string, memberId: string): Promise<void> {
  const superiorId = (await findHotelMembership(trx, ecosystemId, memberId))?.superior_id ?? null
  const rows = await trx
    .selectFrom('ecosystem_memberships')
    .select('member_id')
    .where('ecosystem_id', '=', ecosystemId)
    .where('superior_id', '=', memberId)
    .execute()
  if (rows.length === 0) return
  await trx
    .updateTable('ecosystem_memberships')
    .set({ superior_id: superiorId })
    .where('ecosystem_id', '=', ecosystemId)
    .where('superior_id', '=', memberId)
    .execute()
  await copyHotelValues(
    trx,
    rows.map(one => one.member_id),
  )
}

/**
 * Whether a member is active in at least one open hotel. Members without a hotel and platform administrators count as
 * active.
 */
export function isActiveSomewhere(
  member: { is_active: number; is_super_admin: number },
  hotels: { status: string; is_active: number; is_closed: unknown }[],
): boolean {
  if (member.is_active === 0) return false
  const acceptedHotels = hotels.filter(one => one.status === 'active')
  return (
    member.is_super_admin === 1 ||
    acceptedHotels.length === 0 ||
    acceptedHotels.some(one => one.is_active === 1 && Number(one.is_closed) === 0)
  )
}
