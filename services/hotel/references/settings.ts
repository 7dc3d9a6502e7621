import type { HandlerContext } from '@connectrpc/connect'
import { SettingService } from '../../../gen/platform/hotel/v1/settings_pb.ts'
import { ecosystemOfRecord, eventActorOf, settleRecord } from '../../kernel/access/access.ts'
import { ForbiddenError, NotFoundError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { hotelsOfSetting } from '../hotels.sql.ts'
import { hotelsOf, now } from '../rows.ts'
import type { HotelDb, SettingRow } from '../tables.ts'
import { publishSettings } from './setting-events.ts'
import { changedValues, newValues, toSetting, valuesIn } from './setting-fields.ts'

/** Settings profiles; one may serve many hotels. */
export const settingService = ({ db }: { db: HotelDb }): Rpc =>
  implement(SettingService, {
    async createSetting(request) {
      const id = newId()
      await db
        .insertInto('hotel_settings')
        .values({ id, ...newValues(request) })
        .execute()
      return { setting: toSetting(await find(db, id)) }
    },

    async listSettings(_request, context) {
      const ownHotelIds = hotelsOf(context)
      const ownSettingIds = ownHotelIds && (await settingsOf(db, ownHotelIds))
      const rows = await db
        .selectFrom('hotel_settings')
        .selectAll()
        .$if(ownSettingIds !== undefined, query => query.where('id', 'in', ownSettingIds ?? []))
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return { data: rows.map(toSetting) }
    },

    async getSetting({ id }, context) {
      const ownHotelIds = hotelsOf(context)
      if (ownHotelIds && !(await settingsOf(db, ownHotelIds)).includes(id)) throw notFound()
      return { setting: toSetting(await find(db, id)) }
    },

    async updateSetting(request, context) {
      const { id } = request
      mayChange(await hotelsOfSetting(db, id), context)
      const columns = changedValues(request)
      await inTransaction(db, async trx => {
        await trx.selectFrom('hotel_settings').select('id').where('id', '=', id).forUpdate().execute()
        const previous = valuesIn(await find(trx, id), columns)
        // A hotel may have adopted the profile since the first check.
        mayChange(await hotelsOfSetting(trx, id), context)
        if (Object.keys(columns).length === 0) return
        await trx
          .updateTable('hotel_settings')
          .set({ ...columns, updated_at: now })
          .where('id', '=', id)
          .execute()
        const hotelIds = await hotelsOfSetting(trx, id, { withDeleted: true })
        await publishSettings(trx, { id, hotelIds, columns, previous }, eventActorOf(context))
      })
      return { setting: toSetting(await find(db, id)) }
    },

    async getHotelSetting({ hotelId }) {
      const row = await db
        .selectFrom('hotels')
        .leftJoin('hotel_settings', 'hotel_settings.id', 'hotels.setting_id')
        .selectAll('hotel_settings')
        .select('hotels.name as hotel_name')
        .where('hotels.id', '=', hotelId)
        .where('hotels.deleted_at', 'is', null)
        .executeTakeFirst()
      if (!row) throw new NotFoundError('Hotel not found')
      const { hotel_name: hotelName, ...setting } = row
      return { setting: toSetting(setting.id === null ? undefined : (setting as SettingRow)), hotelName }
    },
  })

const notFound = () => new NotFoundError('Setting not found')

async function find(db: HotelDb, id: string): Promise<SettingRow> {
  const row = await db.selectFrom('hotel_settings').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** The settings profiles that these hotels use. */
async function settingsOf(db: HotelDb, hotelIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('hotels')
    .select('setting_id')
    .distinct()
    .where('id', 'in', hotelIds)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.flatMap(row => row.setting_id ?? [])
}

/** Changing a profile changes every hotel that uses it, so the caller needs the right in each. */
function mayChange(hotelIds: readonly string[], context: HandlerContext): void {
  const ownHotelIds = hotelsOf(context)
  if (ownHotelIds === undefined) return settleRecord(context, 'a platform administrator may change every profile')
  if (!hotelIds.some(id => ownHotelIds.includes(id))) throw notFound()
  if (!hotelIds.every(id => ownHotelIds.includes(id))) throw new ForbiddenError()
  for (const id of hotelIds) ecosystemOfRecord(context, id, 'Setting')
}
