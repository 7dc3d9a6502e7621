import { expressionBuilder, sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { exempt } from '../../kernel/database/database.ts'
import { markChanged } from '../sync/mark.sql.ts'
import type { Db, MemberTables, Trx } from '../tables.ts'
import { copyHotelValues } from './copy.ts'

const among = expressionBuilder<MemberTables>()
const now = sql<Date>`current_timestamp(3)`

/** Open workspaces: live, and of no closed hotel. */
const openWorkspaces = () =>
  among.selectFrom('workspaces as w').select('w.id').where('w.deleted_at', 'is', null).where('w.closed_at', 'is', null)

/** A page of a hotel's members: up to `limit`, from the first id or after `after`. */
export type HotelMembersPart = { hotelId: string; after?: string | undefined; limit: number }

/**
 * Deactivates members of a closed hotel who have no other live workspace elsewhere, and marks all members as changed
 * for synchronisation. The closed workspaces take no members, and the members are locked: a concurrent join in another
 * hotel is either seen here or reactivates the member (workspace-memberships/join.ts). Of two hotels closed at once, the
 * later one deactivates shared members. A hotel that has been reopened is skipped.
 */
export async function restLoneMembers(trx: Trx, part: HotelMembersPart) {
  if (!(await haveAllWorkspaces(trx, part.hotelId, 'closed'))) return { people: [] }
  const { members, memberIds, next } = await lockMembers(trx, part)
  await markChanged(trx, memberIds)
  const ids = members.filter(one => one.is_active === 1).map(({ id }) => id)
  if (ids.length === 0) return { people: [], next }
  // A separate statement: a locking statement reads other tables from before it waited.
  const people = await exempt(trx, 'the hotel is named; members of other hotels are excluded')
    .selectFrom('members as m')
    .select(['m.id', 'm.user_id'])
    .where('m.id', 'in', ids)
    .where('m.is_super_admin', '=', 0)
    .where('m.deleted_at', 'is', null)
    .where(({ not, exists }) =>
      not(
        exists(
          openWorkspaces()
            .innerJoin('ecosystem_memberships as o', 'o.ecosystem_id', 'w.ecosystem_id')
            .where('o.member_id', '=', sql.ref<string>('m.id'))
            .where('o.ecosystem_id', '!=', part.hotelId)
            .where('o.status', '=', 'active')
            .where('o.is_active', '=', 1),
        ),
      ),
    )
    .orderBy('m.id')
    .execute()
  await setActivity(
    trx,
    people.map(({ id }) => id),
    false,
  )
  return { people, next }
}

/** Sets the activity and the rest of members, also on their memberships. */
async function setActivity(trx: Trx, ids: string[], isActive: boolean): Promise<void> {
  if (ids.length === 0) return
  const set = isActive ? { is_active: 1, rested_at: null } : { is_active: 0, rested_at: now }
  await trx.updateTable('members').set(set).where('id', 'in', ids).execute()
  await copyHotelValues(trx, ids)
}

/** Whether all live workspaces of a hotel are closed, or open. The lock delays concurrent changes of that. */
async function haveAllWorkspaces(trx: Trx, hotelId: string, state: 'closed' | 'open'): Promise<boolean> {
  const rows = await trx
    .selectFrom('workspaces')
    .select('closed_at')
    .where('ecosystem_id', '=', hotelId)
    .where('deleted_at', 'is', null)
    .modifyEnd(sql`lock in share mode`)
    .execute()
  return rows.every(({ closed_at }) => (closed_at === null) === (state === 'open'))
}

/** Live members of a hotel: locked until the transaction ends, always in the same order. */
async function lockMembers(trx: Trx, { hotelId, after, limit }: HotelMembersPart) {
  let query = trx
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select(['m.id', 'm.is_active', 'm.rested_at'])
    .where('e.ecosystem_id', '=', hotelId)
    .where('m.deleted_at', 'is', null)
    .where('e.status', '=', 'active')
    .orderBy('e.member_id')
    .limit(limit)
    .forUpdate()
  if (after !== undefined) query = query.where('e.member_id', '>', after)
  const members = await query.execute()
  const memberIds = members.map(({ id }) => id)
  return { members, memberIds, next: memberIds.length === limit ? memberIds.at(-1) : undefined }
}

/**
 * Reactivates a hotel's resting members, including those who rest since another hotel was closed later, and marks all
 * members as changed for synchronisation. The hotel is open by now; if another one is closed concurrently, the later of
 * the two decides. A hotel that was closed again is skipped.
 * @returns the reactivated members
 */
export async function endRests(trx: Trx, part: HotelMembersPart) {
  if (!(await haveAllWorkspaces(trx, part.hotelId, 'open'))) return { people: [] }
  const { members, memberIds, next } = await lockMembers(trx, part)
  const ids = members.filter(one => one.rested_at !== null).map(({ id }) => id)
  await setActivity(trx, ids, true)
  await markChanged(trx, memberIds)
  return { people: ids.map(id => ({ id })), next }
}

/**
 * Ends the rest of a member; updateMember publishes it.
 * @returns whether they rested
 */
export async function endRest(trx: Trx, memberId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('members')
    .set({ rested_at: null })
    .where('id', '=', memberId)
    .where('rested_at', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The account of a live member, and whether they rest; undefined without an account. */
export const accountAndRest = (db: Db, memberId: string) =>
  db
    .selectFrom('members')
    .select(['user_id', sql<number>`rested_at is not null`.as('is_resting')])
    .where('id', '=', memberId)
    .where('deleted_at', 'is', null)
    .where('user_id', 'is not', null)
    .$narrowType<{ user_id: string }>()
    .executeTakeFirst()

/** Resting members of a workspace, or the given one: locked until the transaction ends. */
export async function restingIn(trx: Trx, { workspaceId, ecosystemId }: Tenant, memberId?: string): Promise<string[]> {
  let query = trx
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('workspace_members as wm', 'wm.member_id', 'e.member_id')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select('e.member_id')
    .where('e.ecosystem_id', '=', ecosystemId)
    .where('e.status', '=', 'active')
    .where('m.rested_at', 'is not', null)
    .where('wm.workspace_id', '=', workspaceId)
    .where('wm.left_at', 'is', null)
    .orderBy('e.member_id')
    .forUpdate()
  if (memberId !== undefined) query = query.where('e.member_id', '=', memberId)
  return (await query.execute()).map(one => one.member_id)
}

/** Whether a member has hotels, all of which are closed. Locks the memberships until the transaction ends. */
export async function areHotelsClosed(trx: Trx, memberId: string): Promise<boolean> {
  const hotels = await exempt(trx, 'of one member, whatever hotels they belong to')
    .selectFrom('ecosystem_memberships as e')
    .select(({ exists }) =>
      exists(openWorkspaces().where('w.ecosystem_id', '=', sql.ref<string>('e.ecosystem_id'))).as('is_open'),
    )
    .where('e.member_id', '=', memberId)
    .forUpdate()
    .execute()
  return hotels.length > 0 && hotels.every(one => Number(one.is_open) === 0)
}
