import { sql } from 'kysely'
import { exempt } from '../kernel/database.ts'
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

/** Every live member of a hotel, by name. */
export function hotelMembers(db: Db, hotelId: string, isActive?: boolean) {
  const query = select(db, hotelId).orderBy('m.last_name').orderBy('m.first_name').orderBy('m.id')
  return (isActive === undefined ? query : query.where('m.is_active', '=', isActive ? 1 : 0)).execute()
}

/** One member of a hotel. */
export const hotelMember = (db: Db, hotelId: string, memberId: string) =>
  select(db, hotelId).where('m.id', '=', memberId).executeTakeFirstOrThrow()

/** Takes the hotel away from a person; one who belongs nowhere else and never signed up goes as well. */
export async function removeAdministrator(
  trx: Trx,
  hotelId: string,
  person: { id: string; user_id: string | null },
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('ecosystem_memberships')
    .where('ecosystem_id', '=', hotelId)
    .where('member_id', '=', person.id)
    .executeTakeFirst()
  const workspaces = exempt(trx, 'the hotel is named')
    .selectFrom('workspaces')
    .select('id')
    .where('ecosystem_id', '=', hotelId)
  await trx
    .deleteFrom('workspace_members')
    .where('workspace_id', 'in', workspaces)
    .where('member_id', '=', person.id)
    .execute()
  await trx.deleteFrom('onboardings').where('workspace_id', 'in', workspaces).where('status', '=', 'pending').execute()
  const elsewhere = await trx
    .selectFrom('ecosystem_memberships')
    .select('ecosystem_id')
    .where('member_id', '=', person.id)
    .executeTakeFirst()
  if (!elsewhere && !person.user_id)
    await trx.deleteFrom('members').where('id', '=', person.id).where('is_super_admin', '=', 0).execute()
  return numDeletedRows > 0n
}

/** Deactivates the members of a hotel who have no other live workspace elsewhere (DECISIONS 67). */
export async function deactivateLoneMembers(trx: Trx, hotelId: string) {
  const lone = await exempt(trx, 'the hotel is named; other hotels are looked at to spare their people')
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
            .where('w.is_active', '=', 1),
        ),
      ),
    )
    .execute()
  const ids = lone.map(one => one.id)
  if (ids.length > 0) await trx.updateTable('members').set({ is_active: 0 }).where('id', 'in', ids).execute()
  await trx
    .updateTable('workspaces')
    .set({ is_active: 0 })
    .where('ecosystem_id', '=', hotelId)
    .where('deleted_at', 'is', null)
    .execute()
  return lone
}

/** Brings the members of a restored hotel back. */
export async function reactivateMembers(trx: Trx, hotelId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select('m.id')
    .where('e.ecosystem_id', '=', hotelId)
    .where('m.is_active', '=', 0)
    .where('m.deleted_at', 'is', null)
    .execute()
  const ids = rows.map(row => row.id)
  if (ids.length > 0) await trx.updateTable('members').set({ is_active: 1 }).where('id', 'in', ids).execute()
  await trx
    .updateTable('workspaces')
    .set({ is_active: 1, updated_at: sql<Date>`current_timestamp(3)` })
    .where('ecosystem_id', '=', hotelId)
    .where('deleted_at', 'is', null)
    .execute()
  return ids
}
