import { sql } from 'kysely'
import type { Trx } from '../tables.ts'

/*
 * A hotel that is suspended or deleted is closed: its workspaces have `closed_at`, and are closed to its people. The
 * platform still reads those of a suspended hotel; those of a deleted one are gone for everybody [D523].
 */

export type HotelState = 'open' | 'suspended' | 'deleted'

type Closing = { closed_at: Date | null; is_suspended: number }

/** Whether the hotel of a workspace is deleted. */
export const isOfDeletedHotel = (workspace: Closing): boolean =>
  workspace.closed_at !== null && workspace.is_suspended === 0

/** The opposite as a condition on the table `workspaces`. */
export const notOfDeletedHotel = sql<boolean>`(closed_at is null or is_suspended = 1)`

/**
 * Closes the workspaces of a hotel, or opens them again.
 * @returns whether any of them changed
 */
export async function setWorkspacesClosed(trx: Trx, hotelId: string, state: HotelState): Promise<boolean> {
  const isSuspended = state === 'suspended' ? 1 : 0
  const closedAt = state === 'open' ? null : sql<Date>`coalesce(closed_at, current_timestamp(3))`
  const { numUpdatedRows } = await trx
    .updateTable('workspaces')
    .set({ closed_at: closedAt, is_suspended: isSuspended })
    .where('ecosystem_id', '=', hotelId)
    .where(({ or, eb }) =>
      or([eb('closed_at', state === 'open' ? 'is not' : 'is', null), eb('is_suspended', '!=', isSuspended)]),
    )
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
