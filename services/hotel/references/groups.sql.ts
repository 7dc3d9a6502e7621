import { exempt } from '../../kernel/database/database.ts'
import { now } from '../rows.ts'
import type { HotelDb, HotelGroupRow, HotelTrx } from '../tables.ts'

const exemption = 'a platform administrator sees every hotel'
/** Undefined means all hotels. */
type VisibleHotels = readonly string[] | undefined
const scope = (db: HotelDb, visibleIds: VisibleHotels) => (visibleIds === undefined ? exempt(db, exemption) : db)

export const findGroup = (db: HotelDb, id: string): Promise<HotelGroupRow | undefined> =>
  db.selectFrom('hotel_groups').selectAll().where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()

/** All live groups by name. */
export const listGroups = (db: HotelDb): Promise<HotelGroupRow[]> =>
  db.selectFrom('hotel_groups').selectAll().where('deleted_at', 'is', null).orderBy('name').orderBy('id').execute()

/** Number of live hotels per group that the caller may see. */
export async function countByGroup(db: HotelDb, visibleIds: VisibleHotels): Promise<Map<string, number>> {
  const rows = await scope(db, visibleIds)
    .selectFrom('hotels')
    .select(({ fn }) => ['group_id', fn.countAll<number>().as('total')])
    .where('group_id', 'is not', null)
    .where('ready_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .$if(visibleIds !== undefined, query => query.where('id', 'in', visibleIds ?? []))
    .groupBy('group_id')
    .execute()
  return new Map(rows.map(({ group_id, total }) => [group_id ?? '', Number(total)]))
}

/** Live hotels of a group that the caller may see, by name. */
export const hotelsOfGroup = (db: HotelDb, groupId: string, visibleIds: VisibleHotels) =>
  scope(db, visibleIds)
    .selectFrom('hotels')
    .select(['id', 'name', 'city', 'subscription_status'])
    .where('group_id', '=', groupId)
    .where('ready_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .$if(visibleIds !== undefined, query => query.where('id', 'in', visibleIds ?? []))
    .orderBy('name')
    .orderBy('id')
    .execute()

/**
 * Soft-deletes a group and detaches its hotels.
 * @returns false for an unknown one
 */
export async function deleteGroup(trx: HotelTrx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('hotel_groups')
    .set({ deleted_at: now, updated_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await exempt(trx, 'a group spans tenants')
    .updateTable('hotels')
    .set({ group_id: null, updated_at: now })
    .where('group_id', '=', id)
    .execute()
  return true
}
