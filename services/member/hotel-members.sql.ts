import { sql } from 'kysely'
import { exempt } from '../kernel/database.ts'
import type { Paging } from '../kernel/paging.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { isRestingMember } from './rests.sql.ts'
import type { Db, Trx } from './rows.ts'

const select = (db: Db, hotelId: string) =>
  exempt(db, 'the hotel is named, and its workspaces are joined by it')
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .leftJoin('workspaces as w', join =>
      join.onRef('w.ecosystem_id', '=', 'e.ecosystem_id').on('w.is_default', '=', 1).on('w.deleted_at', 'is', null),
    )
    .leftJoin('workspace_members as wm', join =>
      join.onRef('wm.workspace_id', '=', 'w.id').onRef('wm.member_id', '=', 'm.id').on('wm.left_at', 'is', null),
    )
    .selectAll('m')
    .select(['e.ecosystem_id', 'e.role', 'wm.workspace_id', 'wm.workspace_role', 'wm.is_admin'])
    .where('e.ecosystem_id', '=', hotelId)
    .where('m.deleted_at', 'is', null)

export type HotelMemberRow = Awaited<ReturnType<typeof hotelMembers>>[number]

const byName = (db: Db, hotelId: string) =>
  select(db, hotelId).orderBy('m.last_name').orderBy('m.first_name').orderBy('m.id')

/** The live members of a hotel, by name: a page of them, or all. */
export function hotelMembers(db: Db, hotelId: string, isActive?: boolean, page?: Paging) {
  let query = byName(db, hotelId)
  if (isActive !== undefined) query = query.where('m.is_active', '=', isActive ? 1 : 0)
  if (page) query = query.limit(page.limit).offset(page.offset)
  return query.execute()
}

/** Those of some live members of a hotel, by name. */
export const hotelMembersAmong = (db: Db, hotelId: string, ids: string[]) =>
  byName(db, hotelId).where('m.id', 'in', ids).execute()

/** Ids of all live members of a hotel in the order of their names: what a list that is read in parts goes by. */
export async function hotelMembersInOrder(db: Db, hotelId: string, isActive?: boolean): Promise<string[]> {
  let query = db
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select('m.id')
    .where('e.ecosystem_id', '=', hotelId)
    .where('m.deleted_at', 'is', null)
    .orderBy('m.last_name')
    .orderBy('m.first_name')
    .orderBy('m.id')
  if (isActive !== undefined) query = query.where('m.is_active', '=', isActive ? 1 : 0)
  return (await query.execute()).map(({ id }) => id)
}

/** How many live members a hotel has. */
export async function countHotelMembers(db: Db, hotelId: string, isActive?: boolean): Promise<number> {
  let query = db
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select(sql<number>`count(*)`.as('total'))
    .where('e.ecosystem_id', '=', hotelId)
    .where('m.deleted_at', 'is', null)
  if (isActive !== undefined) query = query.where('m.is_active', '=', isActive ? 1 : 0)
  return Number((await query.executeTakeFirstOrThrow()).total)
}

/** Which members of a hotel, and from where: all that come after an id in ascending order. */
export type HotelMemberKeys = {
  isActive?: boolean | undefined
  isAdmin?: boolean | undefined
  after?: string | undefined
  limit: number
}

/** Ids of live members of a hotel, in ascending order, whether they rest with a deleted hotel, and belong elsewhere. */
export function hotelMemberIds(db: Db, hotelId: string, { isActive, isAdmin, after, limit }: HotelMemberKeys) {
  let query = exempt(db, 'the hotel is named, and its workspace by it')
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select(['e.member_id as id', 'm.user_id'])
    .select(isRestingMember('e.member_id').as('is_resting'))
    .select(({ and, or, eb, exists, selectFrom }) =>
      and([
        eb('m.is_active', '=', 1),
        or([
          eb('m.is_super_admin', '=', 1),
          exists(
            selectFrom('ecosystem_memberships as o')
              .select('o.ecosystem_id')
              .whereRef('o.member_id', '=', 'e.member_id')
              .where('o.ecosystem_id', '!=', hotelId),
          ),
          exists(
            selectFrom('workspace_members as wm')
              .innerJoin('workspaces as w', 'w.id', 'wm.workspace_id')
              .select('w.id')
              .whereRef('wm.member_id', '=', 'e.member_id')
              .where('wm.status', '=', 'active')
              .where('wm.left_at', 'is', null)
              .where('w.ecosystem_id', '!=', hotelId)
              .where('w.deleted_at', 'is', null)
              .where('w.closed_at', 'is', null),
          ),
        ]),
      ]).as('is_elsewhere'),
    )
    .where('e.ecosystem_id', '=', hotelId)
    .where('m.deleted_at', 'is', null)
    .orderBy('e.member_id')
    .limit(limit)
  if (after !== undefined) query = query.where('e.member_id', '>', after)
  if (isActive !== undefined) query = query.where('m.is_active', '=', isActive ? 1 : 0)
  if (isAdmin !== undefined)
    query = query.where(({ eb, or, not, exists, selectFrom }) => {
      const inWorkspace = selectFrom('workspaces as w')
        .innerJoin('workspace_members as wm', 'wm.workspace_id', 'w.id')
        .select('wm.member_id')
        .where('w.ecosystem_id', '=', hotelId)
        .where('w.is_default', '=', 1)
        .where('w.deleted_at', 'is', null)
        .whereRef('wm.member_id', '=', 'e.member_id')
        .where('wm.left_at', 'is', null)
        .where('wm.is_admin', '=', 1)
      const administers = or([eb('e.role', '!=', 'member'), exists(inWorkspace)])
      return isAdmin ? administers : not(administers)
    })
  return query.execute()
}

/** One member of a hotel. */
export const hotelMember = (db: Db, hotelId: string, memberId: string) =>
  select(db, hotelId).where('m.id', '=', memberId).executeTakeFirstOrThrow()

/** Notes what a membership brought along; the first note stands, however often the set-up repeats it. */
export const noteBrought = (
  trx: Trx,
  hotelId: string,
  memberId: string,
  brought: { member: boolean; dashboard: boolean },
) =>
  trx
    .updateTable('ecosystem_memberships')
    .set({
      brought_member: sql<number>`greatest(brought_member, ${brought.member ? 1 : 0})`,
      gave_dashboard: sql<number>`greatest(gave_dashboard, ${brought.dashboard ? 1 : 0})`,
    })
    .where('ecosystem_id', '=', hotelId)
    .where('member_id', '=', memberId)
    .execute()

/** Members that a workspace still waits for. */
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
 * Takes a hotel away from a person again, and with it what the membership brought: their record, their dashboard.
 * @returns whether there was a membership to remove, and whether the person's record went whole
 */
export async function removeAdministrator(
  trx: Trx,
  hotelId: string,
  memberId: string,
): Promise<'whole' | 'membership' | undefined> {
  const membership = await trx
    .selectFrom('ecosystem_memberships')
    .select(['brought_member', 'gave_dashboard'])
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
  const free = exempt(trx, 'the hotel is named, and its workspaces by it')
  const workspaces = free.selectFrom('workspaces').select('id').where('ecosystem_id', '=', hotelId)
  const held = await free
    .selectFrom('workspace_members')
    .select('workspace_id')
    .where('workspace_id', 'in', workspaces)
    .where('member_id', '=', memberId)
    .where('left_at', 'is', null)
    .execute()
  await free
    .deleteFrom('workspace_members')
    .where('workspace_id', 'in', workspaces)
    .where('member_id', '=', memberId)
    .execute()
  await free
    .updateTable('workspaces')
    .set(eb => ({ members_count: eb('members_count', '-', 1) }))
    .where(
      'id',
      'in',
      held.map(row => row.workspace_id),
    )
    .execute()
  if (membership.gave_dashboard === 1)
    await trx.updateTable('members').set({ dashboard_access: 0 }).where('id', '=', memberId).execute()
  if (membership.brought_member === 0) return 'membership'
  const gone = await trx
    .deleteFrom('members')
    .where('id', '=', memberId)
    .where('user_id', 'is', null)
    .executeTakeFirst()
  return gone.numDeletedRows > 0n ? 'whole' : 'membership'
}
