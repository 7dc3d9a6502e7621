import { HotelService } from '../../gen/platform/hotel/v1/hotels_pb.ts'
import { ecosystemOf } from '../kernel/access/access.ts'
import { NotFoundError } from '../kernel/base/errors.ts'
import { implement } from '../kernel/rpc/implement.ts'
import { pageMeta, paging } from '../kernel/rpc/paging.ts'
import type { Rpc } from '../kernel/rpc/server.ts'
import { createHotel } from './hotels.create.ts'
import { deleteHotel, restoreHotel } from './hotels.delete.ts'
import { toHotel, toSummary } from './hotels.message.ts'
import { countHotels, findHotel, listHotels } from './hotels.sql.ts'
import { updateHotel } from './hotels.update.ts'
import type { Outside } from './outside-services.ts'
import { hotelsOf } from './rows.ts'
import type { Saga } from './saga.ts'
import type { Sagas } from './saga.held.ts'

/** What the handlers of hotels take. */
export type HotelPlaces = {
  outside: Outside
  sagas: Sagas
  creation: Saga
  deletion: Saga
  restoration: Saga
  renaming: Saga
  restoreDays: number
}

/** Hotels; the id of one is the id of its ecosystem. */
export const hotelService = (places: HotelPlaces): Rpc => {
  const { db } = places.outside
  return implement(HotelService, {
    createHotel: (request, context) => createHotel(places, request, context),

    async listHotels(request, context) {
      const asked = paging(request)
      const { groupId, city, isActive } = request
      const filter = { own: hotelsOf(context), groupId, city, isActive }
      const [rows, total] = await Promise.all([listHotels(db, filter, asked), countHotels(db, filter)])
      return { data: rows.map(toSummary), meta: pageMeta(total, asked) }
    },

    async getHotel(_request, context) {
      const row = await findHotel(db, ecosystemOf(context).ecosystemId)
      if (!row) throw new NotFoundError('Hotel not found')
      return toHotel(row)
    },

    updateHotel: (request, context) => updateHotel(places, request, context),

    deleteHotel: (_request, context) => deleteHotel(places, context),

    restoreHotel: ({ id }, context) => restoreHotel(places, id, context),
  })
}
