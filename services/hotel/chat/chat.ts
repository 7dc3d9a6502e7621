import { ChatService } from '../../../gen/platform/hotel/v1/chat_pb.ts'
import { ecosystemOf, eventActorOf } from '../../kernel/access/access.ts'
import { ExternalServiceError, NotFoundError } from '../../kernel/base/errors.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { findHotel, lockHotel } from '../hotels.sql.ts'
import { region } from '../outside/chat.ts'
import { findOpenRun } from '../sagas/runs.sql.ts'
import { awaitOutcome, openRun, runToEnd } from '../sagas/worker.ts'

const unknownHotel = () => new NotFoundError('Hotel not found')
const unknownApplication = () => new NotFoundError('Chat application not found')

/** Chat applications at the chat provider. */
export const chatService = ({ dependencies, sagas, chatCreation }: Context): Rpc => {
  const { db, chat } = dependencies

  /** Creates the application of a hotel that has none, or waits for another call that does. */
  async function ensureApplication(hotelId: string, name: string, actor: EventActor): Promise<void> {
    try {
      const lease = await inTransaction(db, async trx => {
        const hotel = await lockHotel(trx, hotelId)
        if (!hotel) throw unknownHotel()
        if (hotel.chat_app_id !== null) return undefined
        return openRun(sagas, trx, chatCreation, { hotelId, input: { name }, actor, exclusiveKey: 'chat' })
      })
      if (lease) await runToEnd(sagas, lease)
    } catch (error) {
      if (!isDuplicateKey(error, 'hotel_setups_open')) throw error
      // Another call has an open run for this hotel: wait for its outcome.
      const run = await findOpenRun(db, 'chat', hotelId)
      if (run) await awaitOutcome(sagas, run.id)
    }
  }

  return implement(ChatService, {
    async createChatApp({ name }, context) {
      const id = ecosystemOf(context).ecosystemId
      await ensureApplication(id, name, eventActorOf(context))
      const hotel = await findHotel(db, id)
      if (!hotel?.chat_app_id) throw new ExternalServiceError('The chat provider failed')
      const { chat_app_id: appId, chat_api_token: apiToken } = hotel
      // The provider's name of the application is returned: it may differ from the hotel's name.
      const application = await chat.find(appId)
      // The token is returned as stored: encrypted, as the contract says.
      return { appId, apiToken: apiToken ?? '', applicationName: application?.app_name ?? hotel.name, region }
    },

    async getChatStats(_request, context) {
      const hotel = await findHotel(db, ecosystemOf(context).ecosystemId)
      if (!hotel) throw unknownHotel()
      if (hotel.chat_app_id === null) throw unknownApplication()
      const token = dependencies.secrets.open(hotel.chat_api_token ?? '')
      if (token === undefined) throw new Error('the token of a chat application cannot be opened')
      const figures = await chat.statistics({ appId: hotel.chat_app_id, token }, hotel.created_at)
      if (!figures) throw unknownApplication()
      return {
        usersCount: figures.users_count,
        channelsCount: figures.channels_count,
        messagesToday: figures.messages_today,
        activeUsersToday: figures.active_users_today,
      }
    },
  })
}
