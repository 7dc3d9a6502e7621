import { countRows } from '../../kernel/database/rows.ts'
import type { Paging } from '../../kernel/rpc/paging.ts'
import type { HotelDb, SetupRow } from '../tables.ts'

/** Filter of runs. */
type RunFilter = { status?: string | undefined; hotelId?: string | undefined }

const matchingRuns = (db: HotelDb, { status, hotelId }: RunFilter) =>
  db
    .selectFrom('hotel_setups')
    .$if(status !== undefined, query => query.where('status', '=', status as SetupRow['status']))
    .$if(hotelId !== undefined, query => query.where('hotel_id', '=', hotelId ?? ''))

/** A page of runs, newest first. */
export const listRuns = (db: HotelDb, filter: RunFilter, { limit, offset }: Paging): Promise<SetupRow[]> =>
  matchingRuns(db, filter)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

/** How many runs match the filter. */
export const countRuns = (db: HotelDb, filter: RunFilter): Promise<number> => countRows(matchingRuns(db, filter))
