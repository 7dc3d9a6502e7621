import { ExternalServiceError } from '../../kernel/base/errors.ts'
import type { HotelDependencies } from '../context.ts'
import { findAnyHotel, knownChatApps, writeHotel } from '../hotels.sql.ts'
import { type Application, region } from '../outside/chat.ts'
import type { SagaRun, SagaStep } from '../sagas/saga.ts'

/** Allowed difference between the provider's clock and ours. */
const clockSkewMs = 120_000

/** The beginning of a name, at most this number of UTF-16 units and never half a character. */
const beginning = (name: string, units: number): string => name.slice(0, units).replace(/[\ud800-\udbff]$/, '')

/** The provider takes 255 units, of which a character outside the basic plane has two. */
const chatName = (name: string): string => beginning(name, 255)

/**
 * Names are unique at the provider, but not among hotels: the application of a second hotel of one name contains its
 * id.
 */
const ownName = (name: string, hotelId: string): string => `${beginning(name, 200)} (${hotelId})`

/**
 * Creates the chat application of a hotel and stores it. The provider supports no idempotency key, so steps for one
 * name run one at a time, and an application of that name that belongs to no hotel is the lost result of this step.
 */
export function chatStep({ db, chat, secrets }: HotelDependencies): SagaStep {
  async function findOrphan(run: SagaRun): Promise<Application | undefined> {
    const earliestMs = run.startedAt.getTime() - clockSkewMs
    const names = new Set([chatName(run.input.name), ownName(run.input.name, run.hotelId)])
    const sameNamed: Application[] = []
    for await (const application of chat.all())
      if (names.has(application.app_name) && Date.parse(application.created_at) >= earliestMs)
        sameNamed.push(application)
    const knownAppIds = await knownChatApps(
      db,
      sameNamed.map(application => application.app_id),
    )
    return sameNamed.find(application => !knownAppIds.has(application.app_id))
  }
  async function createUnderOwnName(run: SagaRun): Promise<Application | undefined> {
    // Throws when another process has taken over: an application of that name may then be this run's own.
    await run.keep({})
    return chat.create(ownName(run.input.name, run.hotelId))
  }
  return {
    name: 'chat',
    claim: run => `chat:${run.input.name}`,
    async perform(run) {
      const orphanedApplication = run.attempt > 1 ? await findOrphan(run) : undefined
      const application =
        orphanedApplication ?? (await chat.create(chatName(run.input.name))) ?? (await createUnderOwnName(run))
      if (!application) throw new ExternalServiceError('The chat provider failed')
      return { chat: { appId: application.app_id, token: secrets.seal(application.api_token), region } }
    },
    async record(trx, run) {
      if (!run.state.chat) throw new ExternalServiceError('The chat provider failed')
      const { appId, token } = run.state.chat
      await writeHotel(trx, run.hotelId, { chat_app_id: appId, chat_api_token: token })
    },
    async undo(run) {
      const appId = run.state.chat?.appId ?? (await findOrphan(run))?.app_id
      if (appId) await chat.remove(appId)
    },
    unrecord: (trx, run) => writeHotel(trx, run.hotelId, { chat_app_id: null, chat_api_token: null }),
  }
}

/** Renames the chat application to the hotel's present name, whatever number of renamings led to it. */
export const chatRenameStep = ({ db, chat }: HotelDependencies): SagaStep => ({
  name: 'chat',
  // Serialised, so that a slow call with an older name can't overwrite a newer one.
  claim: run => `rename:${run.hotelId}`,
  async perform(run) {
    const hotel = await findAnyHotel(db, run.hotelId)
    if (!hotel?.chat_app_id) return {}
    const renameResult = await chat.change(hotel.chat_app_id, { app_name: chatName(hotel.name) })
    if (renameResult === 'taken') await chat.change(hotel.chat_app_id, { app_name: ownName(hotel.name, run.hotelId) })
    return {}
  },
})

/** Deactivates or activates the chat application of a hotel. */
export const chatActiveStep = ({ db, chat }: HotelDependencies, active: boolean): SagaStep => ({
  name: 'chat',
  async perform(run) {
    const hotel = await findAnyHotel(db, run.hotelId)
    if (hotel?.chat_app_id) await chat.change(hotel.chat_app_id, { is_active: active })
    return {}
  },
})
