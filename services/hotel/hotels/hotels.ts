import { HotelService } from '../../../gen/platform/hotel/v1/hotels_pb.ts'
import { ecosystemOf } from '../../kernel/access/access.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, paging } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import { createHotel } from '../creation/create.ts'
import { deleteHotel, restoreHotel } from '../deletion/delete.ts'
import { countHotels, findHotel, listHotels } from '../hotels.sql.ts'
import { toHotel, toSummary } from '../message.ts'
import { hotelsOf } from '../rows.ts'
import { updateHotel } from './update.ts'

/** Hotels; the id of one is the id of its ecosystem. */
export const hotelService = (parts: Context): Rpc => {
  const { db } = parts.dependencies
  return implement(HotelService, {
    createHotel: (request, context) => createHotel(parts, request, context),

    async listHotels(request, context) {
      const slice = paging(request)
      const { groupId, city, isActive, search } = request
      const filter = { ownIds: hotelsOf(context), groupId, city, isActive, search }
      const [rows, total] = await Promise.all([listHotels(db, filter, slice), countHotels(db, filter)])
      return { data: rows.map(toSummary), meta: pageMeta(total, slice) }
    },

    async getHotel(_request, context) {
      const row = await findHotel(db, ecosystemOf(context).ecosystemId)
      if (!row) throw new NotFoundError('Hotel not found')
      return toHotel(row)
    },

    updateHotel: (request, context) => updateHotel(parts, request, context),

    deleteHotel: (_request, context) => deleteHotel(parts, context),

    restoreHotel: ({ id }, context) => restoreHotel(parts, id, context),
  })
}
