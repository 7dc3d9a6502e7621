import { expressionBuilder, sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { exempt } from '../../kernel/database/database.ts'
import { markChanged } from '../sync/mark.sql.ts'
import type { Db, Tables, Trx } from '../tables.ts'
import { copyHotelValues } from './copy.ts'

const among = expressionBuilder<Tables>()
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

/**
 * Notes that members start or stop resting with a hotel. A resting member is inactive because their hotel is deleted.
 */
const setRests = (trx: Trx, hotelId: string, memberIds: string[], isResting: boolean) =>
  trx
    .updateTable('ecosystem_memberships')
    .set({ rested_at: isResting ? now : null })
    .where('ecosystem_id', '=', hotelId)
    .where('member_id', 'in', memberIds)
    .execute()

/** Whether a member rests with any deleted hotel; `member` is the outer query's column. */
export const isRestingMember = (member: 'm.id' | 'e.member_id') =>
  among.exists(
    among
      .selectFrom('ecosystem_memberships as rest')
      .select('rest.ecosystem_id')
      .where('rest.member_id', '=', sql.ref<string>(member))
      .where('rest.rested_at', 'is not', null),
  )

/** Open workspaces: live, and of no deleted hotel. */
const openWorkspaces = () =>
  among.selectFrom('workspaces as w').select('w.id').where('w.deleted_at', 'is', null).where('w.closed_at', 'is', null)

/** A page of a hotel's members: up to `limit`, from the first id or after `after`. */
export type Part = { hotelId: string; after?: string | undefined; limit: number }

/**
 * Deactivates members of a closed hotel who have no other live workspace elsewhere. The closed workspaces take
 * no members, and the members are locked: a concurrent join in another hotel is either seen here or reactivates the
 * member (workspace-memberships/join.ts). Of two hotels deleted at once, the later one deactivates shared members. A hotel that
 * has been reopened is skipped.
 */
export async function restLoneMembers(trx: Trx, part: Part) {
  if (!(await haveAll(trx, part.hotelId, 'closed'))) return { people: [] }
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
  const lone = people.map(({ id }) => id)
  if (lone.length > 0) {
    await setRests(trx, part.hotelId, lone, true)
    await setActivity(trx, lone, 0)
  }
  return { people, next }
}

/** Sets the activity of members, also on their memberships and for synchronisation. */
async function setActivity(trx: Trx, ids: string[], is_active: 0 | 1): Promise<void> {
  await trx.updateTable('members').set({ is_active }).where('id', 'in', ids).execute()
  await copyHotelValues(trx, ids)
  await markChanged(trx, ids)
}

/** Whether all live workspaces of a hotel are closed, or open. The lock delays concurrent changes of that. */
async function haveAll(trx: Trx, hotelId: string, state: 'closed' | 'open'): Promise<boolean> {
  const rows = await trx
    .selectFrom('workspaces')
    .select('closed_at')
    .where('ecosystem_id', '=', hotelId)
    .where('deleted_at', 'is', null)
    .modifyEnd(sql`lock in share mode`)
    .execute()
  return rows.every(({ closed_at }) => (closed_at === null) === (state === 'open'))
}

/** Live members of a hotel who are active, or inactive: locked until the transaction ends, always in the same order. */
async function lockMembersWith(trx: Trx, { hotelId, after, limit }: Part, activity: 'active' | 'inactive') {
  let query = trx
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select('m.id')
    .where('e.ecosystem_id', '=', hotelId)
    .where('m.deleted_at', 'is', null)
    .where('e.status', '=', 'active')
    .where('m.is_active', '=', activity === 'active' ? 1 : 0)
    .orderBy('e.member_id')
    .limit(limit)
    .forUpdate()
  if (after !== undefined) query = query.where('e.member_id', '>', after)
  const ids = (await query.execute()).map(({ id }) => id)
  return { ids, next: ids.length === limit ? ids.at(-1) : undefined }
}

/**
 * Reactivates a hotel's resting members, including those who rest with another hotel that was deleted later. The hotel
 * is open by now; if another one is deleted concurrently, the later of the two decides. A hotel that was closed again
 * is skipped.
 * @returns the reactivated members
 */
export async function endRests(trx: Trx, part: Part) {
  if (!(await haveAll(trx, part.hotelId, 'open'))) return { people: [] }
  const { ids, next } = await lockMembersWith(trx, part, 'inactive')
  if (ids.length === 0) return { people: [] }
  // A separate statement, for the reason above.
  const rests = await exempt(trx, 'the hotel is named; its members may also rest with other hotels')
    .selectFrom('ecosystem_memberships')
    .select(['member_id as id', 'ecosystem_id'])
    .where('member_id', 'in', ids)
    .where('rested_at', 'is not', null)
    .orderBy('member_id')
    .execute()
  for (const [ecosystemId, members] of Map.groupBy(rests, one => one.ecosystem_id))
    await setRests(
      trx,
      ecosystemId,
      members.map(({ id }) => id),
      false,
    )
  const awake = [...new Set(rests.map(({ id }) => id))]
  if (awake.length > 0) await setActivity(trx, awake, 1)
  return { people: awake.map(id => ({ id })), next }
}

/**
 * Ends the rest of a member with all deleted hotels; updateMember publishes it.
 * @returns whether they rested
 */
export async function endRest(trx: Trx, memberId: string): Promise<boolean> {
  const { numUpdatedRows } = await exempt(trx, 'of one member, whatever hotels they rest with')
    .updateTable('ecosystem_memberships')
    .set({ rested_at: null })
    .where('member_id', '=', memberId)
    .where('rested_at', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The account of a live member, and whether they rest with a deleted hotel; undefined without an account. */
export const accountAndRest = (db: Db, memberId: string) =>
  exempt(db, 'of one member, whatever hotels they rest with')
    .selectFrom('members as m')
    .select('m.user_id')
    .select(isRestingMember('m.id').as('is_resting'))
    .where('m.id', '=', memberId)
    .where('m.deleted_at', 'is', null)
    .where('m.user_id', 'is not', null)
    .$narrowType<{ user_id: string }>()
    .executeTakeFirst()

/** Members of a workspace, or the given one, who rest with its deleted hotel: locked until the transaction ends. */
export async function restingIn(trx: Trx, { workspaceId, ecosystemId }: Tenant, memberId?: string): Promise<string[]> {
  let query = trx
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('workspace_members as wm', 'wm.member_id', 'e.member_id')
    .select('e.member_id')
    .where('e.ecosystem_id', '=', ecosystemId)
    .where('e.rested_at', 'is not', null)
    .where('wm.workspace_id', '=', workspaceId)
    .where('wm.left_at', 'is', null)
    .orderBy('e.member_id')
    .forUpdate()
  if (memberId !== undefined) query = query.where('e.member_id', '=', memberId)
  return (await query.execute()).map(one => one.member_id)
}

/** Hotels of a member, with whether they rest with each and whether it is open: locked until the transaction ends. */
export const lockHotelsOf = (trx: Trx, memberId: string) =>
  exempt(trx, 'of one member, whatever hotels they belong to')
    .selectFrom('ecosystem_memberships as e')
    .select('e.rested_at')
    .select(({ exists }) =>
      exists(openWorkspaces().where('w.ecosystem_id', '=', sql.ref<string>('e.ecosystem_id'))).as('is_open'),
    )
    .where('e.member_id', '=', memberId)
    .forUpdate()
    .execute()

export const restWithAllHotels = (trx: Trx, memberId: string) =>
  exempt(trx, 'of one member, whatever hotels they belong to')
    .updateTable('ecosystem_memberships')
    .set({ rested_at: now })
    .where('member_id', '=', memberId)
    .execute()
