import type { Outside } from '../context.ts'
import { findAnyHotel, writeHotel } from '../hotels.sql.ts'
import type { Saga, SagaStep } from '../sagas/saga.ts'

const mediaService = 'The media service'

/** Frees the resources of a hotel that can no longer be restored; each step is retried until it succeeds. */
export const ending = (outside: Outside): Saga => ({
  kind: 'end',
  onFailure: 'retry',
  steps: [record, files(outside), quota(outside), chatApplication(outside)],
})

/** The transaction that starts the run marks the hotel, after which it can't be restored. */
const record: SagaStep = { name: 'record' }

const files = ({ ask, media }: Outside): SagaStep => ({
  name: 'files',
  async perform({ hotelId }) {
    await ask(mediaService, options => media.purgeMedia({ ecosystemId: hotelId, folder: '' }, options))
    return {}
  },
  record: (trx, { hotelId }) => writeHotel(trx, hotelId, { qr_link: null }),
})

const quota = ({ ask, media }: Outside): SagaStep => ({
  name: 'quota',
  async perform({ hotelId }) {
    await ask(mediaService, options => media.removeMediaQuota({ ecosystemId: hotelId }, options))
    return {}
  },
})

const chatApplication = ({ db, chat }: Outside): SagaStep => ({
  name: 'chat',
  async perform({ hotelId }) {
    const hotel = await findAnyHotel(db, hotelId)
    if (hotel?.chat_app_id) await chat.remove(hotel.chat_app_id)
    return {}
  },
  record: (trx, { hotelId }) => writeHotel(trx, hotelId, { chat_app_id: null, chat_api_token: null }),
})
