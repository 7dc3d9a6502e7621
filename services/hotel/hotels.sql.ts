import { exempt } from '../kernel/database.ts'
import type { Paging } from '../kernel/paging.ts'
import { now } from './rows.ts'
import type { Db, HotelChange, HotelRow, Trx } from './tables.ts'

const whole = 'a platform administrator sees every hotel'

/** Hotels joined with what they refer to; only those that are set up and live. */
const joined = (db: Db) =>
  db
    .selectFrom('hotels as h')
    .leftJoin('hotel_groups as g', join => join.onRef('g.id', '=', 'h.group_id').on('g.deleted_at', 'is', null))
    .leftJoin('hotel_types as t', 't.id', 'h.type_id')
    .leftJoin('hotel_settings as s', 's.id', 'h.setting_id')
    .selectAll('h')
    .select(['g.name as group_name', 't.name as type_name', 't.icon as type_icon'])
    .select(['s.timezone', 's.currency', 's.primary_color'])
    .where('h.deleted_at', 'is', null)

export type JoinedHotel = Awaited<ReturnType<typeof findHotel>> & object

/** A live hotel that is set up, with what it refers to. */
export const findHotel = (db: Db, id: string) =>
  joined(db).where('h.id', '=', id).where('h.ready_at', 'is not', null).executeTakeFirst()

/** Which hotels are meant; `own` undefined stands for all. */
export type HotelFilter = {
  own: readonly string[] | undefined
  groupId?: string | undefined
  city?: string | undefined
  isActive?: boolean | undefined
}

const scope = (db: Db, { own }: HotelFilter) => (own === undefined ? exempt(db, whole) : db)

/** A page of hotels by name. */
export function listHotels(db: Db, filter: HotelFilter, { limit, offset }: Paging) {
  const { own, groupId, city, isActive } = filter
  return joined(scope(db, filter))
    .where('h.ready_at', 'is not', null)
    .$if(own !== undefined, query => query.where('h.id', 'in', own ?? []))
    .$if(groupId !== undefined, query => query.where('h.group_id', '=', groupId ?? ''))
    .$if(city !== undefined, query => query.where('h.city', '=', city ?? ''))
    .$if(isActive !== undefined, query => query.where('h.is_active', '=', isActive ? 1 : 0))
    .orderBy('h.name')
    .orderBy('h.id')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** How many hotels the filter fits. */
export async function countHotels(db: Db, filter: HotelFilter): Promise<number> {
  const { own, groupId, city, isActive } = filter
  const { total } = await scope(db, filter)
    .selectFrom('hotels')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('deleted_at', 'is', null)
    .where('ready_at', 'is not', null)
    .$if(own !== undefined, query => query.where('id', 'in', own ?? []))
    .$if(groupId !== undefined, query => query.where('group_id', '=', groupId ?? ''))
    .$if(city !== undefined, query => query.where('city', '=', city ?? ''))
    .$if(isActive !== undefined, query => query.where('is_active', '=', isActive ? 1 : 0))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** A hotel whatever its state, deleted or still being set up, for the runs behind it. */
export const findAnyHotel = (db: Db, id: string): Promise<HotelRow | undefined> =>
  exempt(db, 'a run works on deleted hotels too')
    .selectFrom('hotels')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()

/** Holds a live hotel's row for this transaction. */
export const lockHotel = (trx: Trx, id: string): Promise<HotelRow | undefined> =>
  trx
    .selectFrom('hotels')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('ready_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()

/** Writes columns of a hotel, whatever its state. */
export async function writeHotel(trx: Trx, id: string, columns: HotelChange): Promise<void> {
  await exempt(trx, 'a run works on hotels in any state')
    .updateTable('hotels')
    .set({ ...columns, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Takes the row of a hotel away whose set-up failed. */
export async function removeHotel(trx: Trx, id: string): Promise<void> {
  await exempt(trx, 'a failed set-up leaves no record').deleteFrom('hotels').where('id', '=', id).execute()
}

/** Chat applications among `ids` that belong to a hotel. */
export async function knownChatApps(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await exempt(db, 'applications of all hotels are told apart')
    .selectFrom('hotels')
    .select('chat_app_id')
    .where('chat_app_id', 'in', ids)
    .execute()
  return new Set(rows.flatMap(row => row.chat_app_id ?? []))
}

/** Ids of the live hotels of a settings profile, those that are being set up included. */
export async function hotelsOfSetting(db: Db, settingId: string): Promise<string[]> {
  const rows = await exempt(db, 'a profile serves hotels of several tenants')
    .selectFrom('hotels')
    .select('id')
    .where('setting_id', '=', settingId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
