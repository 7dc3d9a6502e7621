import { sql } from 'kysely'
import { exempt } from '../kernel/database.ts'
import type { Paging } from '../kernel/paging.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { copyActivity } from './members.copy.ts'
import type { Db, Trx } from './rows.ts'
import { markChanged } from './sync.mark.sql.ts'

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

/** The live members of a hotel, by name: a page of them, or all. */
export function hotelMembers(db: Db, hotelId: string, isActive?: boolean, page?: Paging) {
  let query = select(db, hotelId).orderBy('m.last_name').orderBy('m.first_name').orderBy('m.id')
  if (isActive !== undefined) query = query.where('m.is_active', '=', isActive ? 1 : 0)
  if (page) query = query.limit(page.limit).offset(page.offset)
  return query.execute()
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

/**
 * Deactivates the members of a hotel who have no other live workspace elsewhere (DECISIONS 67). Nobody comes into its
 * workspaces any more, and its people are held: whoever joins another hotel meanwhile is seen here, or woken there
 * (join.ts); of two hotels deleted at once the later one deactivates whom they share.
 */
export async function deactivateLoneMembers(trx: Trx, hotelId: string) {
  await trx
    .updateTable('workspaces')
    .set({ closed_at: sql<Date>`current_timestamp(3)` })
    .where('ecosystem_id', '=', hotelId)
    .where('closed_at', 'is', null)
    .where('deleted_at', 'is', null)
    .execute()
  const held = await holdActiveMembers(trx, hotelId)
  // By a statement of its own: one that locks sees of other tables what there was before it waited.
  const rows = await exempt(trx, 'the hotel is named; other hotels are looked at to spare their people')
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select(['m.id', 'm.user_id'])
    .where('e.ecosystem_id', '=', hotelId)
    .where('m.is_active', '=', 1)
    .where('m.is_super_admin', '=', 0)
    .where('m.deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ecosystem_memberships as o')
            .innerJoin('workspaces as w', 'w.ecosystem_id', 'o.ecosystem_id')
            .select('o.ecosystem_id')
            .whereRef('o.member_id', '=', 'm.id')
            .where('o.ecosystem_id', '!=', hotelId)
            .where('w.deleted_at', 'is', null)
            .where('w.closed_at', 'is', null),
        ),
      ),
    )
    .execute()
  const lone = rows.filter(one => held.has(one.id))
  const ids = lone.map(one => one.id)
  if (ids.length > 0) {
    await trx.updateTable('members').set({ is_active: 0 }).where('id', 'in', ids).execute()
    await trx
      .updateTable('ecosystem_memberships')
      .set({ rested_at: sql<Date>`current_timestamp(3)` })
      .where('ecosystem_id', '=', hotelId)
      .where('member_id', 'in', ids)
      .execute()
    await copyActivity(trx, ids)
    await markChanged(trx, ids)
  }
  return lone
}

/** Ids of the active members of a hotel, locked until the transaction ends. */
async function holdActiveMembers(trx: Trx, hotelId: string): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select('m.id')
    .where('e.ecosystem_id', '=', hotelId)
    .where('m.is_active', '=', 1)
    .where('m.deleted_at', 'is', null)
    .orderBy('e.member_id')
    .forUpdate()
    .execute()
  return new Set(rows.map(row => row.id))
}

/** Brings the members of a restored hotel back. */
export async function reactivateMembers(trx: Trx, hotelId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select('m.id')
    .where('e.ecosystem_id', '=', hotelId)
    .where('e.rested_at', 'is not', null)
    .where('m.deleted_at', 'is', null)
    .execute()
  const ids = rows.map(row => row.id)
  if (ids.length > 0) {
    await trx.updateTable('members').set({ is_active: 1 }).where('id', 'in', ids).execute()
    await copyActivity(trx, ids)
  }
  await markChanged(trx, ids)
  await trx.updateTable('ecosystem_memberships').set({ rested_at: null }).where('ecosystem_id', '=', hotelId).execute()
  await trx
    .updateTable('workspaces')
    .set({ closed_at: null, updated_at: sql<Date>`current_timestamp(3)` })
    .where('ecosystem_id', '=', hotelId)
    .where('deleted_at', 'is', null)
    .execute()
  return ids
}
