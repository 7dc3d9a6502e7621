import { expressionBuilder, sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { exempt } from '../../kernel/database/database.ts'
import { markChanged } from '../sync/mark.sql.ts'
import type { Db, MemberTables, Trx } from '../tables.ts'
import { copyHotelValues } from './copy.ts'

const among = expressionBuilder<MemberTables>()
const now = sql<Date>`current_timestamp(3)`

/**
 * Closes the workspaces of a deleted hotel, or opens them again.
 * @returns whether any of them changed
 */
export async function setWorkspacesClosed(trx: Trx, hotelId: string, isClosed: boolean): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('workspaces')
    .set(isClosed ? { closed_at: now } : { closed_at: null, updated_at: now })
    .where('ecosystem_id', '=', hotelId)
    .where('closed_at', isClosed ? 'is' : 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Open workspaces: live, and of no deleted hotel. */
const openWorkspaces = () =>
  among.selectFrom('workspaces as w').select('w.id').where('w.deleted_at', 'is', null).where('w.closed_at', 'is', null)

/** A page of a hotel's members: up to `limit`, from the first id or after `after`. */
export type HotelMembersPart = { hotelId: string; after?: string | undefined; limit: number }

/**
 * Deactivates members of a closed hotel who have no other live workspace elsewhere. The closed workspaces take
 * no members, and the members are locked: a concurrent join in another hotel is either seen here or reactivates the
 * member (workspace-memberships/join.ts). Of two hotels deleted at once, the later one deactivates shared members. A hotel that
 * has been reopened is skipped.
 */
export async function restLoneMembers(trx: Trx, part: HotelMembersPart) {
  if (!(await haveAllWorkspaces(trx, part.hotelId, 'closed'))) return { people: [] }
  const { ids, next } = await lockMembersWith(trx, part, 'active')
  if (ids.length === 0) return { people: [] }
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

/** Sets the activity and the rest of members, also on their memberships and for synchronisation. */
async function setActivity(trx: Trx, ids: string[], isActive: boolean): Promise<void> {
  if (ids.length === 0) return
  const set = isActive ? { is_active: 1, rested_at: null } : { is_active: 0, rested_at: now }
  await trx.updateTable('members').set(set).where('id', 'in', ids).execute()
  await copyHotelValues(trx, ids)
  await markChanged(trx, ids)
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

/** Live members of a hotel who are active, or rest: locked until the transaction ends, always in the same order. */
async function lockMembersWith(trx: Trx, { hotelId, after, limit }: HotelMembersPart, state: 'active' | 'resting') {
  let query = trx
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select('m.id')
    .where('e.ecosystem_id', '=', hotelId)
    .where('m.deleted_at', 'is', null)
    .where('e.status', '=', 'active')
    .orderBy('e.member_id')
    .limit(limit)
    .forUpdate()
  query = state === 'active' ? query.where('m.is_active', '=', 1) : query.where('m.rested_at', 'is not', null)
  if (after !== undefined) query = query.where('e.member_id', '>', after)
  const ids = (await query.execute()).map(({ id }) => id)
  return { ids, next: ids.length === limit ? ids.at(-1) : undefined }
}

/**
 * Reactivates a hotel's resting members, including those who rest since another hotel was deleted later. The hotel is
 * open by now; if another one is deleted concurrently, the later of the two decides. A hotel that was closed again is
 * skipped.
 * @returns the reactivated members
 */
export async function endRests(trx: Trx, part: HotelMembersPart) {
  if (!(await haveAllWorkspaces(trx, part.hotelId, 'open'))) return { people: [] }
  const { ids, next } = await lockMembersWith(trx, part, 'resting')
  await setActivity(trx, ids, true)
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

/** Whether a member has hotels, all of which are deleted. Locks the memberships until the transaction ends. */
export async function areHotelsDeleted(trx: Trx, memberId: string): Promise<boolean> {
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
