import { ExternalServiceError } from '../kernel/errors.ts'
import { type Application, region } from './chat-provider.ts'
import { findAnyHotel, knownChatApps, writeHotel } from './hotels.sql.ts'
import type { Outside } from './outside-services.ts'
import type { Run, Step } from './saga.ts'

/** The provider's clock and ours may differ by this much. */
const clockSkewMs = 120_000

/**
 * Creates the chat application of a hotel and stores it. The provider knows no idempotency key, so only one step at a
 * time may create an application of a name, and one of that name that is no hotel's is the lost result of this step.
 */
export function chatStep({ db, chat, secrets }: Outside): Step {
  async function orphan(run: Run): Promise<Application | undefined> {
    const since = run.startedAt.getTime() - clockSkewMs
    const alike: Application[] = []
    for await (const application of chat.all())
      if (application.app_name === run.input.name && Date.parse(application.created_at) >= since)
        alike.push(application)
    const known = await knownChatApps(
      db,
      alike.map(each => each.app_id),
    )
    return alike.find(each => !known.has(each.app_id))
  }
  return {
    name: 'chat',
    claim: run => `chat:${run.input.name}`,
    async perform(run) {
      const left = run.attempt > 1 ? await orphan(run) : undefined
      const application = left ?? (await chat.create(run.input.name))
      return { chat: { appId: application.app_id, token: secrets.seal(application.api_token), region } }
    },
    async record(trx, run) {
      if (!run.state.chat) throw new ExternalServiceError('The chat provider failed')
      const { appId, token } = run.state.chat
      await writeHotel(trx, run.hotelId, { chat_app_id: appId, chat_api_token: token })
    },
    async undo(run) {
      const appId = run.state.chat?.appId ?? (await orphan(run))?.app_id
      if (appId) await chat.remove(appId)
    },
    unrecord: (trx, run) => writeHotel(trx, run.hotelId, { chat_app_id: null, chat_api_token: null }),
  }
}

/** Gives the chat application the name that the hotel has by now, however many renamings there were. */
export const chatRenameStep = ({ db, chat }: Outside): Step => ({
  name: 'chat',
  // One after the other: a slow call with an older name must not overtake one with a newer.
  claim: run => `rename:${run.hotelId}`,
  async perform(run) {
    const hotel = await findAnyHotel(db, run.hotelId)
    if (hotel?.chat_app_id) await chat.change(hotel.chat_app_id, { app_name: hotel.name })
    return {}
  },
})

/** Switches the chat application of a hotel off, or on again. */
export const chatActiveStep = ({ db, chat }: Outside, active: boolean): Step => ({
  name: 'chat',
  async perform(run) {
    const hotel = await findAnyHotel(db, run.hotelId)
    if (hotel?.chat_app_id) await chat.change(hotel.chat_app_id, { is_active: active })
    return {}
  },
})
