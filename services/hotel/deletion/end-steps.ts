import type { HotelDependencies } from '../context.ts'
import { findAnyHotel, writeHotel } from '../hotels.sql.ts'
import type { Saga, SagaStep } from '../sagas/saga.ts'

const mediaService = 'The media service'

/** Frees the resources of a hotel that can no longer be restored; each step is retried until it succeeds. */
export const finalDeletion = (dependencies: HotelDependencies): Saga => ({
  kind: 'end',
  onFailure: 'retry',
  steps: [record, files(dependencies), quota(dependencies), chatApplication(dependencies)],
})

/** The transaction that starts the run marks the hotel, after which it can't be restored. */
const record: SagaStep = { name: 'record' }

const files = ({ callService, media }: HotelDependencies): SagaStep => ({
  name: 'files',
  async perform({ hotelId }) {
    await callService(mediaService, options => media.purgeMedia({ ecosystemId: hotelId, folder: '' }, options))
    return {}
  },
  record: (trx, { hotelId }) => writeHotel(trx, hotelId, { qr_link: null }),
})

const quota = ({ callService, media }: HotelDependencies): SagaStep => ({
  name: 'quota',
  async perform({ hotelId }) {
    await callService(mediaService, options => media.removeMediaQuota({ ecosystemId: hotelId }, options))
    return {}
  },
})

const chatApplication = ({ db, chat }: HotelDependencies): SagaStep => ({
  name: 'chat',
  async perform({ hotelId }) {
    const hotel = await findAnyHotel(db, hotelId)
    if (hotel?.chat_app_id) await chat.remove(hotel.chat_app_id)
    return {}
  },
  record: (trx, { hotelId }) => writeHotel(trx, hotelId, { chat_app_id: null, chat_api_token: null }),
})
