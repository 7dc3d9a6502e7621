import type Stripe from 'stripe'
import { AuditRecordedSchema } from '../../../gen/platform/events/v1/audit_pb.ts'
import { SubscriptionService } from '../../../gen/platform/payment/v1/subscriptions_pb.ts'
import { actingMember, ecosystemOfRecord, eventActorOf } from '../../kernel/access/access.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { auditScope, emit } from '../../kernel/bus/events.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { findCustomer } from '../customers.sql.ts'
import { idempotencyOptions } from '../provider/provider.ts'
import type { PaymentSubscriptionRow } from '../tables.ts'
import { assignPlan, findUnrecorded } from './assign.ts'
import { answeredAt, bookSubscription, orderOfAnswer, recordOf, retrieveLive, toEnded } from './ledger.ts'
import { currentSubscription, isLive, listSubscriptions } from './subscriptions.sql.ts'

/** Paid subscriptions of hotels. */
export const subscriptionService = (parts: Context): Rpc => {
  const { db, provider, plans } = parts
  const { askOrMissing } = provider
  return implement(SubscriptionService, {
    async assignSubscription({ customerId, productId, idempotencyKey }, context) {
      const customer = await findCustomer(db, customerId)
      if (!customer) throw new NotFoundError('Customer not found')
      const plan = await plans.find(productId)
      if (!plan) throw new NotFoundError('Product not found')
      const earlierPlan = (await currentSubscription(db, customerId))?.plan ?? null
      const row = await assignPlan(parts, { customer, plan, key: idempotencyKey })
      // Set-ups and restorations assign plans for no member, and have an entry of their own.
      if (actingMember(context) && row.plan !== earlierPlan) {
        const change = { id: customer.hotel_id, action: 'hotel.plan_changed' }
        const values = { before: { plan: earlierPlan }, after: { plan: row.plan } }
        const scope = auditScope(eventActorOf(context), customer.hotel_id)
        await inTransaction(db, trx => emit(trx, AuditRecordedSchema, { ...change, ...values }, scope))
      }
      return { subscription: subscriptionOf(row) }
    },

    async cancelSubscription({ customerId, atPeriodEnd, idempotencyKey }) {
      const customer = await findCustomer(db, customerId)
      if (!customer) throw new NotFoundError('Customer not found')
      const cancelOne = async (live: PaymentSubscriptionRow): Promise<PaymentSubscriptionRow> => {
        const options = idempotencyOptions(`cancel:${live.id}`, idempotencyKey)
        const hasEnded = atPeriodEnd && !(await retrieveLive(provider, live.id))
        const cancel = (stripe: Stripe) =>
          atPeriodEnd
            ? stripe.subscriptions.update(live.id, { cancel_at_period_end: true }, options)
            : stripe.subscriptions.cancel(live.id)
        const cancelledSubscription = hasEnded ? undefined : await askOrMissing('subscription.cancel', cancel)
        const record = cancelledSubscription
          ? recordOf(cancelledSubscription, customer.hotel_id, answeredAt(cancelledSubscription), live)
          : toEnded(live)
        return inTransaction(db, trx => bookSubscription(trx, provider, record, orderOfAnswer(live)))
      }
      const unrecordedSubscription = await findUnrecorded(parts, customer)
      const recordedSubscriptions = (await listSubscriptions(db, customerId)).filter(isLive)
      let row: PaymentSubscriptionRow | undefined
      // The oldest first: the newest decides the status of the customer.
      for (const live of [unrecordedSubscription ?? [], ...recordedSubscriptions.toReversed()].flat())
        row = await cancelOne(live)
      return row ? { subscription: subscriptionOf(row) } : {}
    },

    async getSubscription({ customerId }, context) {
      const customer = await findCustomer(db, customerId)
      ecosystemOfRecord(context, customer?.hotel_id, 'Subscription')
      const row = await currentSubscription(db, customerId)
      if (!row) throw new NotFoundError('Subscription not found')
      return { subscription: subscriptionOf(row) }
    },
  })
}

const subscriptionOf = (row: PaymentSubscriptionRow) => ({
  ...messageFields(row),
  isPastDue: row.past_due === 1,
  cancelAtPeriodEnd: row.cancel_at_period_end === 1,
})
