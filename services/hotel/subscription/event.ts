import {
  type PaymentSubscriptionChanged,
  PaymentSubscriptionChangedSchema,
} from '../../../gen/platform/events/v1/payment_pb.ts'
import { type BusMessage, claimEvent, readBody } from '../../kernel/bus/consume.ts'
import { systemActor } from '../../kernel/bus/events.ts'
import { exempt, inTransaction } from '../../kernel/database/database.ts'
import { fromJson } from '../../kernel/json/decode.ts'
import { validator } from '../../kernel/rpc/validator.ts'
import { writeHotel } from '../hotels.sql.ts'
import type { HotelDb } from '../tables.ts'
import { isBeingRestored, moveSubscription } from './status.ts'

export const subscriptionSubject = 'platform.payment.subscription_changed'
export const subscriptionConsumer = 'hotel-subscription'

/** Applies a change at the payment provider: the hotel's status and plan. */
export async function applySubscriptionEvent(db: HotelDb, { id, body }: BusMessage): Promise<void> {
  const { hotelId, change } = changeOf(body)
  const { customerId, status, plan } = change
  await inTransaction(db, async trx => {
    if (!(await claimEvent(trx, subscriptionConsumer, id))) return
    const hotel = await exempt(trx, 'the event names its hotel')
      .selectFrom('hotels')
      .select(['id', 'subscription_status', 'payment_customer_id'])
      .where('id', '=', hotelId)
      .forUpdate()
      .executeTakeFirst()
    if (!hotel) return
    if (hotel.payment_customer_id !== customerId) {
      // A customer takes another one's place when it has a subscription in force.
      if (status === 'inactive') return
      await writeHotel(trx, hotelId, { payment_customer_id: customerId })
    }
    // The trial of a set-up counts as active, and so does its rest after a restoration.
    const countsAsActive = async () => hotel.subscription_status === 'active' || (await isBeingRestored(trx, hotel.id))
    const next = status === 'trial' && (await countsAsActive()) ? 'active' : status
    await moveSubscription(trx, hotel.id, { status: next, plan }, systemActor)
  })
}

const changeOf = (body: unknown): { hotelId: string; change: PaymentSubscriptionChanged } =>
  readBody('a subscription event', () => {
    const { ecosystemId, payload } = body as { ecosystemId?: string; payload: unknown }
    const change = fromJson(PaymentSubscriptionChangedSchema, payload)
    const result = validator.validate(PaymentSubscriptionChangedSchema, change)
    if (result.kind !== 'valid') throw result.error ?? new Error('the message is not valid')
    if (change.customerId === '') throw new Error('customerId: value is required')
    if (!ecosystemId) throw new Error('ecosystemId: value is required')
    return { hotelId: ecosystemId, change }
  })
