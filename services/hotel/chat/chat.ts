import { ChatService } from '../../../gen/platform/hotel/v1/chat_pb.ts'
import { ecosystemOf, eventActorOf } from '../../kernel/access/access.ts'
import { ConflictError, ExternalServiceError, NotFoundError } from '../../kernel/base/errors.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Rpc } from '../../kernel/rpc/server.ts'
import type { Context } from '../context.ts'
import { findHotel, lockHotel } from '../hotels.sql.ts'
import { region } from '../outside/chat.ts'
import { openRun, runToEnd } from '../sagas/worker.ts'

const one = () => new ConflictError('The hotel already has a chat application')

/** Chat applications at the chat provider. */
export const chatService = ({ outside, sagas, chatCreation }: Context): Rpc => {
  const { db, chat } = outside
  return implement(ChatService, {
    async createChatApp({ name }, context) {
      const id = ecosystemOf(context).ecosystemId
      try {
        const lease = await inTransaction(db, async trx => {
          const hotel = await lockHotel(trx, id)
          if (!hotel) throw new NotFoundError('Hotel not found')
          if (hotel.chat_app_id !== null) throw one()
          return openRun(sagas, trx, chatCreation, {
            hotelId: id,
            input: { name },
            actor: eventActorOf(context),
            alone: 'chat',
          })
        })
        await runToEnd(sagas, lease)
      } catch (error) {
        throw isDuplicateKey(error, 'hotel_setups_open') ? one() : error
      }
      const hotel = await findHotel(db, id)
      if (!hotel?.chat_app_id) throw new ExternalServiceError('The chat provider failed')
      return { appId: hotel.chat_app_id, apiToken: hotel.chat_api_token ?? '', applicationName: name, region }
    },

    async getChatStats(_request, context) {
      const hotel = await findHotel(db, ecosystemOf(context).ecosystemId)
      if (!hotel) throw new NotFoundError('Hotel not found')
      if (hotel.chat_app_id === null) throw new NotFoundError('Chat application not found')
      const token = outside.secrets.open(hotel.chat_api_token ?? '')
      if (token === undefined) throw new Error('the token of a chat application cannot be opened')
      const figures = await chat.statistics({ appId: hotel.chat_app_id, token }, hotel.created_at)
      if (!figures) throw new NotFoundError('Chat application not found')
      return {
        usersCount: figures.users_count,
        channelsCount: figures.channels_count,
        messagesToday: figures.messages_today,
        activeUsersToday: figures.active_users_today,
      }
    },
  })
}
