import { sql } from 'kysely'
import { exempt } from '../kernel/database.ts'
import { copyActivity } from './members.copy.ts'
import { type Db, inParts, type Trx } from './rows.ts'
import { markChanged } from './sync.mark.sql.ts'

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
  for (const ids of inParts(lone.map(one => one.id))) {
    await trx
      .updateTable('ecosystem_memberships')
      .set({ rested_at: sql<Date>`current_timestamp(3)` })
      .where('ecosystem_id', '=', hotelId)
      .where('member_id', 'in', ids)
      .execute()
    await setActivity(trx, ids, 0)
  }
  return lone
}

/** Members by their activity of now: also on their memberships, and for synchronisation. */
async function setActivity(trx: Trx, ids: string[], is_active: 0 | 1): Promise<void> {
  await trx.updateTable('members').set({ is_active }).where('id', 'in', ids).execute()
  await copyActivity(trx, ids)
  await markChanged(trx, ids)
}

/** Ids of the active members of a hotel, locked until the transaction ends. */
async function holdActiveMembers(trx: Trx, hotelId: string): Promise<ReadonlySet<string>> {
  const rows = await membersOf(trx, hotelId).where('m.is_active', '=', 1).execute()
  return new Set(rows.map(row => row.id))
}

/** The live members of a hotel, to be locked in one order by all. */
const membersOf = (trx: Trx, hotelId: string) =>
  trx
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select('m.id')
    .where('e.ecosystem_id', '=', hotelId)
    .where('m.deleted_at', 'is', null)
    .orderBy('e.member_id')
    .forUpdate()

/**
 * Opens a restored hotel again and wakes its members who rest, be it with another hotel that was deleted later. They are
 * held: of a deletion of that one at the same moment the later of the two decides.
 * @returns who is active again
 */
export async function reactivateMembers(trx: Trx, hotelId: string): Promise<string[]> {
  await membersOf(trx, hotelId).execute()
  // By a statement of its own, as above.
  const rests = await exempt(trx, 'the hotel is named; its people rest with others as well')
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .innerJoin('ecosystem_memberships as o', 'o.member_id', 'm.id')
    .select(['m.id', 'o.ecosystem_id'])
    .where('e.ecosystem_id', '=', hotelId)
    .where('m.deleted_at', 'is', null)
    .where('o.rested_at', 'is not', null)
    .orderBy('m.id')
    .execute()
  for (const [ecosystemId, those] of Map.groupBy(rests, rest => rest.ecosystem_id))
    for (const ids of inParts(those.map(({ id }) => id)))
      await trx
        .updateTable('ecosystem_memberships')
        .set({ rested_at: null })
        .where('ecosystem_id', '=', ecosystemId)
        .where('member_id', 'in', ids)
        .execute()
  const awake = [...new Set(rests.map(({ id }) => id))]
  for (const ids of inParts(awake)) await setActivity(trx, ids, 1)
  await trx
    .updateTable('workspaces')
    .set({ closed_at: null, updated_at: sql<Date>`current_timestamp(3)` })
    .where('ecosystem_id', '=', hotelId)
    .where('deleted_at', 'is', null)
    .execute()
  return awake
}

/** Ends the rest of a member, with whatever deleted hotels; updateMember says so. @returns whether they rested */
export async function endRest(trx: Trx, memberId: string): Promise<boolean> {
  const { numUpdatedRows } = await exempt(trx, 'of one member, whatever hotels they rest with')
    .updateTable('ecosystem_memberships')
    .set({ rested_at: null })
    .where('member_id', '=', memberId)
    .where('rested_at', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The account of a live member, and whether they rest with a deleted hotel; undefined for who has none. */
export const accountAndRest = (db: Db, memberId: string) =>
  exempt(db, 'of one member, whatever hotels they rest with')
    .selectFrom('members as m')
    .select('m.user_id')
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('ecosystem_memberships as e')
          .select('e.ecosystem_id')
          .whereRef('e.member_id', '=', 'm.id')
          .where('e.rested_at', 'is not', null),
      ).as('is_resting'),
    )
    .where('m.id', '=', memberId)
    .where('m.deleted_at', 'is', null)
    .where('m.user_id', 'is not', null)
    .$narrowType<{ user_id: string }>()
    .executeTakeFirst()
