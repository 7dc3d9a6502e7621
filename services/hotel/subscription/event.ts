import {
  type PaymentSubscriptionChanged,
  PaymentSubscriptionChangedSchema,
} from '../../../gen/platform/events/v1/payment_pb.ts'
import { type BusMessage, claimEvent, readBody } from '../../kernel/bus/consume.ts'
import { systemActor } from '../../kernel/bus/events.ts'
import { exempt, inTransaction } from '../../kernel/database/database.ts'
import { fromJson } from '../../kernel/json/decode.ts'
import { validator } from '../../kernel/rpc/validator.ts'
import type { HotelDb } from '../tables.ts'
import { isBeingRestored, moveSubscription } from './status.ts'

export const subscriptionSubject = 'platform.payment.subscription_changed'
export const subscriptionConsumer = 'hotel-subscription'

/** Applies a change at the payment provider: the hotel's status and plan. */
export async function applySubscriptionEvent(db: HotelDb, { id, body }: BusMessage): Promise<void> {
  const { customerId, status, plan } = changeOf(body)
  await inTransaction(db, async trx => {
    if (!(await claimEvent(trx, subscriptionConsumer, id))) return
    const hotel = await exempt(trx, 'the hotel is found by its customer')
      .selectFrom('hotels')
      .select(['id', 'subscription_status'])
      .where('payment_customer_id', '=', customerId)
      .forUpdate()
      .executeTakeFirst()
    if (!hotel) return
    // The trial of a set-up counts as active, and so does its rest after a restoration.
    const countsAsActive = async () => hotel.subscription_status === 'active' || (await isBeingRestored(trx, hotel.id))
    const next = status === 'trial' && (await countsAsActive()) ? 'active' : status
    await moveSubscription(trx, hotel.id, { status: next, plan }, systemActor)
  })
}

const changeOf = (body: unknown): PaymentSubscriptionChanged =>
  readBody('a subscription event', () => {
    const { payload } = body as { payload: unknown }
    const change = fromJson(PaymentSubscriptionChangedSchema, payload)
    const result = validator.validate(PaymentSubscriptionChangedSchema, change)
    if (result.kind !== 'valid') throw result.error ?? new Error('the message is not valid')
    if (change.customerId === '') throw new Error('customerId: value is required')
    return change
  })
