import { HotelSettingsUpdatedSchema } from '../../../gen/platform/events/v1/hotel_pb.ts'
import { newId } from '../../kernel/base/ids.ts'
import { type EventActor, emit } from '../../kernel/bus/events.ts'
import { toChunks } from '../../kernel/database/parts.ts'
import type { HotelTrx, SettingRow } from '../tables.ts'
import { differences, shownChanges } from './setting-fields.ts'

type Values = Partial<SettingRow>
type Change = { id: string; hotelIds: readonly string[]; columns: Values; previous: Values }

/** Receivers lock the workspaces of all hotels of an event. */
const hotelsPerEvent = 50

/** Publishes changed settings to the rooms and workspaces of the hotels that use the profile. */
export async function publishSettings(
  trx: HotelTrx,
  { id, hotelIds, columns, previous }: Change,
  actor: EventActor,
): Promise<void> {
  const payload = { id, changes: shownChanges(columns), previous: shownChanges(previous) }
  const envelope = { workspaceId: '', channels: ['socket' as const], actor, receiverIds: [], occurrenceId: newId() }
  for (const part of toChunks(hotelIds, hotelsPerEvent))
    await emit(trx, HotelSettingsUpdatedSchema, { ...payload, hotelIds: part }, envelope)
}

type Exchange = { hotelId: string; before: string | null; after: string | null }

/** Publishes the differing settings when a hotel changes or drops its profile. Locks both until the transaction ends. */
export async function publishExchange(
  trx: HotelTrx,
  { hotelId, before, after }: Exchange,
  actor: EventActor,
): Promise<void> {
  const id = after ?? before
  if (id === null || before === after) return
  const rows = await trx
    .selectFrom('hotel_settings')
    .selectAll()
    .where(
      'id',
      'in',
      [before, after].flatMap(id => id ?? []),
    )
    .forUpdate()
    .execute()
  const rowOf = (settingId: string | null) => rows.find(row => row.id === settingId)
  const [rowBefore, rowAfter] = [rowOf(before), rowOf(after)]
  const columns = differences(rowBefore, rowAfter)
  if (Object.keys(columns).length === 0) return
  await publishSettings(trx, { id, hotelIds: [hotelId], columns, previous: differences(rowAfter, rowBefore) }, actor)
}
