import { type RawBuilder, sql } from 'kysely'
import { isId } from '../kernel/base/ids.ts'
import { exempt } from '../kernel/database/database.ts'
import { countRows } from '../kernel/database/rows.ts'
import { likePattern, type Paging } from '../kernel/rpc/paging.ts'
import { now } from './rows.ts'
import type { HotelChange, HotelDb, HotelRow, HotelTrx } from './tables.ts'

const exemption = 'a platform administrator sees every hotel'

const liveHotels = (db: HotelDb) => db.selectFrom('hotels as h').where('h.deleted_at', 'is', null)

/** Live hotels with the rows they refer to. */
const withReferences = (hotels: ReturnType<typeof liveHotels>) =>
  hotels
    .leftJoin('hotel_groups as g', join => join.onRef('g.id', '=', 'h.group_id').on('g.deleted_at', 'is', null))
    .leftJoin('hotel_types as t', 't.id', 'h.type_id')
    .leftJoin('hotel_settings as s', 's.id', 'h.setting_id')
    .selectAll('h')
    .select(['g.name as group_name', 't.name as type_name', 't.icon as type_icon'])
    .select(['s.timezone', 's.currency', 's.primary_color', 's.logo_url', 's.picture_url'])

export type JoinedHotel = Awaited<ReturnType<typeof findHotel>> & object

/** A live, completely set-up hotel with the rows it refers to. */
export const findHotel = (db: HotelDb, id: string) =>
  withReferences(liveHotels(db)).where('h.id', '=', id).where('h.ready_at', 'is not', null).executeTakeFirst()

/** A hotel that is still being set up, with the rows it refers to. */
export const findHotelInSetup = (db: HotelDb, id: string) =>
  withReferences(liveHotels(db)).where('h.id', '=', id).executeTakeFirst()

/** New column values; times may be computed by the database. */
type HotelWrite = Omit<HotelChange, DeletionTimes> & {
  [column in DeletionTimes]?: HotelChange[column] | RawBuilder<Date>
}
type DeletionTimes = 'deleted_at' | 'ended_at'

/** Filter of hotels; `ownIds` undefined means all. */
export type HotelFilter = {
  ownIds: readonly string[] | undefined
  groupId?: string | undefined
  city?: string | undefined
  isActive?: boolean | undefined
  /** Part of a name, or an id. */
  search?: string | undefined
}

/** Hotels whose name contains a text, or the hotel of that id; ids are compared with ids only. */
const matchesSearch = (search: string) =>
  isId(search) ? sql<boolean>`h.id = ${search}` : sql<boolean>`h.name like ${likePattern(search)}`

function matchingHotels(db: HotelDb, { ownIds, groupId, city, isActive, search = '' }: HotelFilter) {
  return liveHotels(ownIds === undefined ? exempt(db, exemption) : db)
    .where('h.ready_at', 'is not', null)
    .$if(ownIds !== undefined, query => query.where('h.id', 'in', ownIds ?? []))
    .$if(groupId !== undefined, query => query.where('h.group_id', '=', groupId ?? ''))
    .$if(city !== undefined, query => query.where('h.city', '=', city ?? ''))
    .$if(isActive !== undefined, query => query.where('h.is_active', '=', isActive ? 1 : 0))
    .$if(search !== '', query => query.where(matchesSearch(search)))
}

/** A page of hotels by name. */
export const listHotels = (db: HotelDb, filter: HotelFilter, { limit, offset }: Paging) =>
  withReferences(matchingHotels(db, filter)).orderBy('h.name').orderBy('h.id').limit(limit).offset(offset).execute()

/** How many hotels match the filter. */
export const countHotels = (db: HotelDb, filter: HotelFilter): Promise<number> => countRows(matchingHotels(db, filter))

/** A hotel in any state, also deleted or still being set up, for durable runs. */
export const findAnyHotel = (db: HotelDb, id: string): Promise<HotelRow | undefined> =>
  exempt(db, 'a run works on deleted hotels too')
    .selectFrom('hotels')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()

/** Locks a live hotel's row until the transaction ends. */
export const lockHotel = (trx: HotelTrx, id: string): Promise<HotelRow | undefined> =>
  trx
    .selectFrom('hotels')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('ready_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()

/** Locks a deleted hotel's row until the transaction ends, with whether it can still be restored. */
export const lockDeletedHotel = (trx: HotelTrx, id: string, restoreDays: number) =>
  exempt(trx, 'a deleted hotel is restored')
    .selectFrom('hotels')
    .select(['name', 'deleted_at', 'ready_at'])
    .select(eb =>
      eb.and([eb('ended_at', 'is', null), eb('deleted_at', '>=', daysAgo(restoreDays))]).as('is_restorable'),
    )
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Locks one deleted hotel that can no longer be restored and has not ended; locked rows are skipped. */
export const lockOverdueHotel = (trx: HotelTrx, restoreDays: number) =>
  exempt(trx, 'hotels of all tenants end')
    .selectFrom('hotels')
    .select(['id', 'name'])
    .where('ended_at', 'is', null)
    .where('deleted_at', '<', daysAgo(restoreDays))
    .where('ready_at', 'is not', null)
    // A hotel whose deletion is running or parked ends afterwards.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('hotel_setups as s')
            .select('s.id')
            .whereRef('s.hotel_id', '=', 'hotels.id')
            .where('s.open_key', 'is not', null),
        ),
      ),
    )
    .orderBy('deleted_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

const daysAgo = (days: number) => sql<Date>`now(3) - interval ${days} day`

/** Writes columns of a hotel, whatever its state. */
export async function writeHotel(trx: HotelTrx, id: string, columns: HotelWrite): Promise<void> {
  await exempt(trx, 'a run works on hotels in any state')
    .updateTable('hotels')
    .set({ ...columns, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Deletes the row of a hotel whose set-up failed. */
export async function removeHotel(trx: HotelTrx, id: string): Promise<void> {
  await exempt(trx, 'a failed set-up leaves no record').deleteFrom('hotels').where('id', '=', id).execute()
}

/** Those of these chat applications that belong to a hotel. */
export async function findUsedAppIds(db: HotelDb, ids: readonly string[]): Promise<Set<string>> {
  const rows = await exempt(db, 'looks up chat applications of all hotels')
    .selectFrom('hotels')
    .select('chat_app_id')
    .where('chat_app_id', 'in', ids)
    .execute()
  return new Set(rows.flatMap(row => row.chat_app_id ?? []))
}

/**
 * Ids of the live hotels of a settings profile, those still being set up included.
 * @param withDeleted adds deleted ones that can be restored
 */
export async function hotelsOfSetting(
  db: HotelDb,
  settingId: string,
  { withDeleted = false }: { withDeleted?: boolean } = {},
): Promise<string[]> {
  const rows = await exempt(db, 'a profile serves hotels of several tenants')
    .selectFrom('hotels')
    .select('id')
    .where('setting_id', '=', settingId)
    .where(withDeleted ? 'ended_at' : 'deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
