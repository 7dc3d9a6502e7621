import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { exempt } from '../../kernel/database/database.ts'
import { countRows } from '../../kernel/database/rows.ts'
import type { Paging } from '../../kernel/rpc/paging.ts'
import type { Db, Trx } from '../tables.ts'

/** A hotel and the workspace that was created with it. */
export type HotelWithWorkspace = { hotelId: string; workspaceId: string }

/** Until a member accepts, the names that the inviter typed are shown. */
const first = sql<string>`coalesce(e.first_name, m.first_name)`
const lastName = sql<string>`coalesce(e.last_name, m.last_name)`
const isVeiled = sql<number>`e.status = 'pending'`
/** Active in the hotel. Of a pending member, activity elsewhere is not considered. */
const isActiveHere = sql<number>`e.is_active = 1 and (m.is_active = 1 or e.status = 'pending')`

const select = (db: Db, { hotelId, workspaceId }: HotelWithWorkspace) =>
  exempt(db, 'the hotel is named, and its workspaces are joined by it')
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .leftJoin('workspace_members as wm', join =>
      join.on('wm.workspace_id', '=', workspaceId).onRef('wm.member_id', '=', 'm.id').on('wm.left_at', 'is', null),
    )
    .selectAll('m')
    .select(['e.ecosystem_id', 'e.role', 'wm.workspace_id', 'wm.workspace_role', 'wm.is_admin'])
    .select(['e.dashboard_access', 'e.is_active as hotel_active', 'e.created_at as asked_at'])
    .select([first.as('sort_first'), lastName.as('sort_last'), isVeiled.as('is_veiled'), 'e.email as typed_email'])
    .where('e.ecosystem_id', '=', hotelId)
    .where('m.deleted_at', 'is', null)

/** Filter of a hotel's members. */
export type HotelMemberFilter = { isActive?: boolean | undefined; isAdmin?: boolean | undefined }

/** Id of the hotel's own workspace, as a subquery: see findHotelWorkspace. */
const ownWorkspace = (hotelId: string) => sql<string>`(select own.id from workspaces own
  where own.ecosystem_id = ${hotelId} and own.deleted_at is null order by own.created_at, own.id limit 1)`

/** Members that match a filter; `e` is their membership of the hotel and `m` their record. */
const matchesFilter = (hotelId: string, { isActive, isAdmin }: HotelMemberFilter) => {
  const isAdministrator = sql`(e.role <> 'member' or exists (
    select wm.member_id from workspace_members wm
    where wm.workspace_id = ${ownWorkspace(hotelId)} and wm.member_id = e.member_id
      and wm.left_at is null and wm.is_admin = 1))`
  const activity = isActive === undefined ? sql`true` : sql`(${isActiveHere}) = ${isActive ? 1 : 0}`
  return sql<boolean>`${activity} and ${isAdmin === undefined ? sql`true` : sql`${isAdministrator} = ${isAdmin ? 1 : 0}`}`
}

export type HotelMemberRow = Awaited<ReturnType<typeof hotelMembers>>[number]

const byName = (db: Db, hotel: HotelWithWorkspace) => select(db, hotel).orderBy(lastName).orderBy(first).orderBy('m.id')

/** The live members of a hotel by name. */
export function hotelMembers(db: Db, hotel: HotelWithWorkspace, filter: HotelMemberFilter, { limit, offset }: Paging) {
  const query = byName(db, hotel).where(matchesFilter(hotel.hotelId, filter))
  return query.limit(limit).offset(offset).execute()
}

/** These live members of a hotel, by name. */
export const hotelMembersAmong = (db: Db, hotel: HotelWithWorkspace, ids: string[]) =>
  byName(db, hotel).where('m.id', 'in', ids).execute()

/** Ids of all live members of a hotel by name; a list that is read in parts follows this order. */
export async function hotelMembersInOrder(db: Db, hotelId: string, filter: HotelMemberFilter): Promise<string[]> {
  const query = matchingMembers(db, hotelId, filter).select('m.id')
  const rows = await query.orderBy(lastName).orderBy(first).orderBy('m.id').execute()
  return rows.map(({ id }) => id)
}

const matchingMembers = (db: Db, hotelId: string, filter: HotelMemberFilter) =>
  db
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .where('e.ecosystem_id', '=', hotelId)
    .where('m.deleted_at', 'is', null)
    .where(matchesFilter(hotelId, filter))

/** How many live members of a hotel match the filter. */
export const countHotelMembers = (db: Db, hotelId: string, filter: HotelMemberFilter): Promise<number> =>
  countRows(matchingMembers(db, hotelId, filter))

/** Filter of hotel members, and the id after which the page starts. */
export type HotelMemberPage = HotelMemberFilter & { after?: string | undefined; limit: number }

/**
 * Ids of live members of a hotel in ascending order, with whether they rest with a deleted hotel and whether they
 * belong elsewhere.
 */
export function hotelMemberIds(db: Db, hotelId: string, { after, limit, ...filter }: HotelMemberPage) {
  let query = exempt(db, 'the hotel is named, and its workspace by it')
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select(['e.member_id as id', 'm.user_id'])
    .select(sql<number>`m.rested_at is not null`.as('is_resting'))
    .select(({ and, or, eb, exists, selectFrom }) =>
      and([
        eb('m.is_active', '=', 1),
        or([
          eb('m.is_super_admin', '=', 1),
          exists(
            selectFrom('ecosystem_memberships as o')
              .select('o.ecosystem_id')
              .whereRef('o.member_id', '=', 'e.member_id')
              .where('o.ecosystem_id', '!=', hotelId)
              .where('o.status', '=', 'active')
              .where('o.is_active', '=', 1),
          ),
          exists(
            selectFrom('workspace_members as wm')
              .innerJoin('workspaces as w', 'w.id', 'wm.workspace_id')
              .select('w.id')
              .whereRef('wm.member_id', '=', 'e.member_id')
              .where('wm.status', '=', 'active')
              .where('wm.member_active', '=', 1)
              .where('wm.left_at', 'is', null)
              .where('w.ecosystem_id', '!=', hotelId)
              .where('w.deleted_at', 'is', null)
              .where('w.closed_at', 'is', null),
          ),
        ]),
      ]).as('is_elsewhere'),
    )
    .where('e.ecosystem_id', '=', hotelId)
    .where(matchesFilter(hotelId, filter))
    // Members who have not accepted belong to other hotels.
    .where('e.status', '=', 'active')
    .where('m.deleted_at', 'is', null)
    .orderBy('e.member_id')
    .limit(limit)
  if (after !== undefined) query = query.where('e.member_id', '>', after)
  return query.execute()
}

/** One member of a hotel. */
export const hotelMember = (db: Db, hotel: HotelWithWorkspace, memberId: string) =>
  select(db, hotel).where('m.id', '=', memberId).executeTakeFirstOrThrow()

/** Pending members of a workspace. */
export async function pendingMemberIds(trx: Trx, tenant: Tenant): Promise<string[]> {
  const rows = await trx
    .selectFrom('workspace_members')
    .select('member_id')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('status', '=', 'pending')
    .where('left_at', 'is', null)
    .execute()
  return rows.map(row => row.member_id)
}

/**
 * Removes a person's membership of a hotel, and the person's record when it was created with it.
 * @returns whether there was a membership, and whether the record was removed
 */
export async function removeHotelMembership(
  trx: Trx,
  hotelId: string,
  memberId: string,
): Promise<'whole' | 'membership' | undefined> {
  const membership = await trx
    .selectFrom('ecosystem_memberships')
    .select('brought_member')
    .where('ecosystem_id', '=', hotelId)
    .where('member_id', '=', memberId)
    .forUpdate()
    .executeTakeFirst()
  if (!membership) return undefined
  await trx
    .deleteFrom('ecosystem_memberships')
    .where('ecosystem_id', '=', hotelId)
    .where('member_id', '=', memberId)
    .execute()
  const allTenants = exempt(trx, 'the hotel is named, and its workspaces by it')
  const workspaces = allTenants.selectFrom('workspaces').select('id').where('ecosystem_id', '=', hotelId)
  const memberships = await allTenants
    .selectFrom('workspace_members')
    .select('workspace_id')
    .where('workspace_id', 'in', workspaces)
    .where('member_id', '=', memberId)
    .where('left_at', 'is', null)
    .execute()
  await allTenants
    .deleteFrom('workspace_members')
    .where('workspace_id', 'in', workspaces)
    .where('member_id', '=', memberId)
    .execute()
  await allTenants
    .updateTable('workspaces')
    .set(eb => ({ members_count: eb('members_count', '-', 1) }))
    .where(
      'id',
      'in',
      memberships.map(row => row.workspace_id),
    )
    .execute()
  if (membership.brought_member === 0) return 'membership'
  const deletion = await trx
    .deleteFrom('members')
    .where('id', '=', memberId)
    .where('user_id', 'is', null)
    .executeTakeFirst()
  return deletion.numDeletedRows > 0n ? 'whole' : 'membership'
}
