import type { Transaction } from 'kysely'
import type Stripe from 'stripe'
import { PaymentSubscriptionChangedSchema } from '../../gen/platform/events/v1/payment_pb.ts'
import { emit, systemActor } from '../kernel/events.ts'
import { lockCustomer } from './customers.sql.ts'
import { productOf, slugOf } from './plans.ts'
import { currentSubscription, lockSubscription, putSubscription } from './subscriptions.sql.ts'
import type { SubscriptionRow, Tables } from './tables.ts'

/** Statuses of the provider that never change again. */
const endStatuses = new Set<string>(['canceled', 'incomplete_expired'])

/** What the platform calls a status of the provider: a payment that is overdue but still being collected is active. */
function statusOf(status: string): SubscriptionRow['status'] {
  if (status === 'trialing') return 'trial'
  return status === 'active' || status === 'past_due' ? 'active' : 'inactive'
}

const fromSeconds = (seconds: number | null | undefined): Date | null => (seconds ? new Date(seconds * 1000) : null)

export const customerOf = ({ customer }: Stripe.Subscription): string =>
  typeof customer === 'string' ? customer : customer.id

/** The provider's subscription as our record. */
export function recordOf(subscription: Stripe.Subscription, hotelId: string): SubscriptionRow {
  const [item] = subscription.items.data
  return {
    id: subscription.id,
    customer_id: customerOf(subscription),
    hotel_id: hotelId,
    product_id: item ? productOf(item.price) : '',
    plan: item ? slugOf(item.price) : '',
    status: statusOf(subscription.status),
    ended: endStatuses.has(subscription.status) ? 1 : 0,
    trial_ends_at: fromSeconds(subscription.trial_end),
    current_period_ends_at: fromSeconds(item?.current_period_end),
    cancel_at_period_end: subscription.cancel_at_period_end ? 1 : 0,
    cancelled_at: fromSeconds(subscription.canceled_at),
    told_at: null,
    created_at: new Date(subscription.created * 1000),
    updated_at: new Date(),
  }
}

/** A subscription that the provider has ended, or no longer knows. */
export const overNow = (row: SubscriptionRow): SubscriptionRow => ({
  ...row,
  status: 'inactive',
  ended: 1,
  cancelled_at: row.cancelled_at ?? new Date(),
  updated_at: new Date(),
})

/**
 * Writes what the provider says of a subscription, and tells when the customer's status or plan is another one now,
 * whoever brought it about: a call and the provider's message of it come in any order, and the change is told once. A
 * subscription that is over stays over, and older news does not undo newer.
 * @param newsAt the time of the provider's message
 * @returns the record as it stands now
 */
export async function bookSubscription(
  trx: Transaction<Tables>,
  record: SubscriptionRow,
  newsAt?: Date,
): Promise<SubscriptionRow> {
  await lockCustomer(trx, record.customer_id)
  const before = await lockSubscription(trx, record.id)
  if (before && (before.ended || (newsAt && before.told_at && newsAt < before.told_at))) return before
  const former = await currentSubscription(trx, record.customer_id)
  const row = { ...record, told_at: newsAt ?? before?.told_at ?? null }
  await putSubscription(trx, row)
  const current = await currentSubscription(trx, record.customer_id)
  if (current && (former?.status !== current.status || former.plan !== current.plan)) await announce(trx, current)
  return row
}

async function announce(trx: Transaction<Tables>, row: SubscriptionRow): Promise<void> {
  const { id, customer_id: customerId, status, plan } = row
  await emit(
    trx,
    PaymentSubscriptionChangedSchema,
    { id, customerId, status, plan },
    { workspaceId: '', ecosystemId: row.hotel_id, channels: [], actor: systemActor, receiverIds: [] },
  )
}
