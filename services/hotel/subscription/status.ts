import { HotelSubscriptionStatusSchema } from '../../../gen/platform/events/v1/hotel_pb.ts'
import { type EventActor, emit } from '../../kernel/bus/events.ts'
import { exempt } from '../../kernel/database/database.ts'
import { writeHotel } from '../hotels.sql.ts'
import type { HotelTrx } from '../tables.ts'

type SubscriptionState = { status: string; plan?: string | null }

/**
 * Sets a hotel's status or plan, and publishes to its room when either differs. Every change must go through here, so
 * that each is published once. A deleted hotel has no room, and one in set-up has no members in it.
 */
export async function moveSubscription(
  trx: HotelTrx,
  hotelId: string,
  next: SubscriptionState,
  actor: EventActor,
): Promise<void> {
  const hotel = await exempt(trx, 'a subscription moves in any state of its hotel')
    .selectFrom('hotels')
    .selectAll()
    .where('id', '=', hotelId)
    .forUpdate()
    .executeTakeFirst()
  if (!hotel) return
  const { status, plan = hotel.plan } = next
  if (status === hotel.subscription_status && plan === hotel.plan) return
  await writeHotel(trx, hotelId, { subscription_status: status, plan })
  if (hotel.deleted_at !== null || hotel.ready_at === null) return
  await emit(
    trx,
    HotelSubscriptionStatusSchema,
    { id: hotelId, hotelId, status, plan: plan ?? '' },
    { workspaceId: hotel.workspace ?? '', ecosystemId: hotelId, channels: ['socket'], actor, receiverIds: [] },
  )
}

/** Whether a deleted hotel is being restored. */
export async function isBeingRestored(trx: HotelTrx, hotelId: string): Promise<boolean> {
  const run = await trx
    .selectFrom('hotel_setups')
    .select('id')
    .where('hotel_id', '=', hotelId)
    .where('kind', '=', 'restore')
    .where('status', '=', 'running')
    .executeTakeFirst()
  return run !== undefined
}
