import { HotelSubscriptionStatusSchema } from '../../gen/platform/events/v1/hotel_pb.ts'
import {
  type PaymentSubscriptionChanged,
  PaymentSubscriptionChangedSchema,
} from '../../gen/platform/events/v1/payment_pb.ts'
import { type BusMessage, once, PermanentFailure } from '../kernel/consume.ts'
import { exempt, inTransaction } from '../kernel/database.ts'
import { emit, systemActor } from '../kernel/events.ts'
import { fromJson } from '../kernel/json/decode.ts'
import { validator } from '../kernel/validator.ts'
import { writeHotel } from './hotels.sql.ts'
import type { Db } from './tables.ts'

export const subscriptionSubject = 'platform.payment.subscription_changed'
export const subscriptionConsumer = 'hotel-subscription'

/** Follows the payment provider: the hotel's status and plan, and word of it to the hotel's room. */
export async function applySubscriptionEvent(db: Db, { id, body }: BusMessage): Promise<void> {
  const { customerId, status, plan } = changeOf(body)
  await inTransaction(db, async trx => {
    if (!(await once(trx, subscriptionConsumer, id))) return
    const hotel = await exempt(trx, 'the customer tells which hotel it is')
      .selectFrom('hotels')
      .selectAll()
      .where('payment_customer_id', '=', customerId)
      .forUpdate()
      .executeTakeFirst()
    if (!hotel) return
    // The trial that comes with the set-up counts as active, as document 2 tables it (DECISIONS 63).
    const next = status === 'trial' && hotel.subscription_status === 'active' ? 'active' : status
    if (next === hotel.subscription_status && plan === hotel.plan) return
    await writeHotel(trx, hotel.id, { subscription_status: next, plan })
    if (hotel.deleted_at !== null || hotel.ready_at === null) return
    await emit(
      trx,
      HotelSubscriptionStatusSchema,
      { id: hotel.id, hotelId: hotel.id, status: next, plan },
      {
        workspaceId: hotel.workspace ?? '',
        ecosystemId: hotel.id,
        channels: ['socket'],
        actor: systemActor,
        receiverIds: [],
      },
    )
  })
}

function changeOf(body: unknown): PaymentSubscriptionChanged {
  try {
    const { payload } = body as { payload: unknown }
    const change = fromJson(PaymentSubscriptionChangedSchema, payload)
    const result = validator.validate(PaymentSubscriptionChangedSchema, change)
    if (result.kind !== 'valid') throw result.error ?? new Error('the message is not valid')
    if (change.customerId === '') throw new Error('customerId: value is required')
    return change
  } catch (error) {
    throw new PermanentFailure(`not a subscription event: ${error instanceof Error ? error.message : String(error)}`)
  }
}
