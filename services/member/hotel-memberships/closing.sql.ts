import { sql } from 'kysely'
import type { Trx } from '../tables.ts'

/*
 * A hotel that is suspended or deleted is closed: its workspaces have `closed_at`, and are closed to its people. The
 * platform still reads those of a suspended hotel; those of a deleted one are gone for everybody [D523].
 */

export type HotelState = 'open' | 'suspended' | 'deleted'

/** Condition on the table `workspaces`: its hotel isn't deleted. */
export const notOfDeletedHotel = sql<boolean>`(is_hotel_deleted = 0)`

/**
 * Closes the workspaces of a hotel, or opens them again.
 * @returns whether any of them changed
 */
export async function setWorkspacesClosed(trx: Trx, hotelId: string, state: HotelState): Promise<boolean> {
  const isDeleted = state === 'deleted' ? 1 : 0
  const closedAt = state === 'open' ? null : sql<Date>`coalesce(closed_at, current_timestamp(3))`
  const { numUpdatedRows } = await trx
    .updateTable('workspaces')
    .set({ closed_at: closedAt, is_hotel_deleted: isDeleted })
    .where('ecosystem_id', '=', hotelId)
    .where(({ or, eb }) =>
      or([eb('closed_at', state === 'open' ? 'is not' : 'is', null), eb('is_hotel_deleted', '!=', isDeleted)]),
    )
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
