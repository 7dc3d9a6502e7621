import { ExternalServiceError } from '../../kernel/base/errors.ts'
import type { HotelDependencies } from '../context.ts'
import { findAnyHotel, findUsedAppIds, writeHotel } from '../hotels.sql.ts'
import { type Application, region } from '../outside/chat.ts'
import type { SagaRun, SagaStep } from '../sagas/saga.ts'

/** Allowed difference between the provider's clock and ours. */
const clockSkewMs = 120_000

/** The first `maxUnits` UTF-16 units of a name, without half a character. */
const truncateName = (name: string, maxUnits: number): string => name.slice(0, maxUnits).replace(/[\ud800-\udbff]$/, '')

/** The provider accepts names of up to 255 UTF-16 units. */
const chatName = (name: string): string => truncateName(name, 255)

/** The name for a second hotel of the same name: names are unique at the provider, but not among hotels. */
const nameWithHotelId = (name: string, hotelId: string): string => `${truncateName(name, 200)} (${hotelId})`

/**
 * Creates the chat application of a hotel and stores it. The provider supports no idempotency key, so steps for one
 * name run one at a time, and an application of that name that belongs to no hotel is the lost result of this step.
 */
export function chatStep({ db, chat, secrets }: HotelDependencies): SagaStep {
  async function findOrphan(run: SagaRun): Promise<Application | undefined> {
    const earliestMs = run.startedAt.getTime() - clockSkewMs
    const names = new Set([chatName(run.input.name), nameWithHotelId(run.input.name, run.hotelId)])
    const candidates: Application[] = []
    for await (const application of chat.all())
      if (names.has(application.app_name) && Date.parse(application.created_at) >= earliestMs)
        candidates.push(application)
    const usedAppIds = await findUsedAppIds(
      db,
      candidates.map(application => application.app_id),
    )
    return candidates.find(application => !usedAppIds.has(application.app_id))
  }
  async function createWithHotelId(run: SagaRun): Promise<Application | undefined> {
    // Throws when another process has taken over: its application may already have that name.
    await run.keep({})
    return chat.create(nameWithHotelId(run.input.name, run.hotelId))
  }
  return {
    name: 'chat',
    claim: run => `chat:${run.input.name}`,
    async perform(run) {
      const orphanedApplication = run.attempt > 1 ? await findOrphan(run) : undefined
      const application =
        orphanedApplication ?? (await chat.create(chatName(run.input.name))) ?? (await createWithHotelId(run))
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

/** Renames the chat application to the hotel's present name, which may be newer than the one that started the run. */
export const chatRenameStep = ({ db, chat }: HotelDependencies): SagaStep => ({
  name: 'chat',
  // Serialised, so that a slow call with an older name can't overwrite a newer one.
  claim: run => `rename:${run.hotelId}`,
  async perform(run) {
    const hotel = await findAnyHotel(db, run.hotelId)
    if (!hotel?.chat_app_id) return {}
    const renameResult = await chat.change(hotel.chat_app_id, { app_name: chatName(hotel.name) })
    if (renameResult === 'taken')
      await chat.change(hotel.chat_app_id, { app_name: nameWithHotelId(hotel.name, run.hotelId) })
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
