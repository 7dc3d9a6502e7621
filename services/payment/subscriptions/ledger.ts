import type { Transaction } from 'kysely'
import type Stripe from 'stripe'
import { PaymentSubscriptionChangedSchema } from '../../../gen/platform/events/v1/payment_pb.ts'
import { emit, systemActor } from '../../kernel/bus/events.ts'
import { lockCustomer } from '../customers.sql.ts'
import { productOf, slugOf } from '../provider/plans.ts'
import type { PaymentProvider } from '../provider/provider.ts'
import type { PaymentSubscriptionRow, PaymentTables } from '../tables.ts'
import { currentSubscription, lockSubscription, putSubscription } from './subscriptions.sql.ts'

/** The provider's final statuses. */
const endStatuses = new Set<string>(['canceled', 'incomplete_expired'])

/** Maps a status of the provider: an overdue payment that is still being collected counts as active. */
function statusOf(status: string): PaymentSubscriptionRow['status'] {
  if (status === 'trialing') return 'trial'
  return status === 'active' || status === 'past_due' ? 'active' : 'inactive'
}

const fromSeconds = (seconds: number | null | undefined): Date | null => (seconds ? new Date(seconds * 1000) : null)

export const customerOf = ({ customer }: Stripe.Subscription): string =>
  typeof customer === 'string' ? customer : customer.id

/**
 * The provider's subscription as a row.
 * @param reportedAt time of the report; null when unknown
 * @param earlierRow an earlier row, whose plan is kept while the product is the same: a price may lack the plan's name
 */
export function recordOf(
  subscription: Stripe.Subscription,
  hotelId: string,
  reportedAt: Date | null,
  earlierRow?: Pick<PaymentSubscriptionRow, 'product_id' | 'plan'>,
): PaymentSubscriptionRow {
  const [item] = subscription.items.data
  const product = item ? productOf(item.price) : ''
  const priceSlug = item ? slugOf(item.price) : ''
  return {
    id: subscription.id,
    customer_id: customerOf(subscription),
    hotel_id: hotelId,
    product_id: product,
    plan: earlierRow?.product_id === product ? earlierRow.plan : priceSlug,
    status: statusOf(subscription.status),
    ended: endStatuses.has(subscription.status) ? 1 : 0,
    past_due: subscription.status === 'past_due' ? 1 : 0,
    trial_ends_at: fromSeconds(subscription.trial_end),
    current_period_ends_at: fromSeconds(item?.current_period_end),
    cancel_at_period_end: subscription.cancel_at_period_end ? 1 : 0,
    cancelled_at: fromSeconds(subscription.canceled_at),
    told_at: reportedAt,
    created_at: new Date(subscription.created * 1000),
    updated_at: new Date(),
  }
}

/** A subscription that has ended at the provider, or no longer exists there. */
export const toEnded = (row: PaymentSubscriptionRow): PaymentSubscriptionRow => ({
  ...row,
  status: 'inactive',
  ended: 1,
  past_due: 0,
  cancelled_at: row.cancelled_at ?? new Date(),
  updated_at: new Date(),
})

/** Time of a provider's answer; null when an idempotency key replayed an earlier one. */
export function answeredAt({ lastResponse: { headers } }: Stripe.Response<Stripe.Subscription>): Date | null {
  const answeredMs = Date.parse(headers['date'] ?? '')
  return headers['idempotent-replayed'] === 'true' || Number.isNaN(answeredMs) ? null : new Date(answeredMs)
}

/** Age of a report relative to the row: `unknown` when the times can't decide. */
export type ReportOrder = 'newer' | 'older' | 'unknown'

/** For a message of the provider, whose times are whole seconds. */
export const orderOfMessage =
  (reportedAt: Date) =>
  ({ told_at }: PaymentSubscriptionRow): ReportOrder => {
    if (!told_at || reportedAt.getTime() === told_at.getTime()) return 'unknown'
    return reportedAt > told_at ? 'newer' : 'older'
  }

/** For the answer to a call that started from `startedRow`; the row may have changed meanwhile. */
export const orderOfAnswer =
  (startedRow: PaymentSubscriptionRow | undefined) =>
  ({ updated_at }: PaymentSubscriptionRow): ReportOrder =>
    updated_at.getTime() === startedRow?.updated_at.getTime() ? 'newer' : 'unknown'

/**
 * Writes a report of the provider, and publishes a changed status or plan of the customer once, because a call and the
 * provider's message of it arrive in any order. An ended subscription stays ended, and older reports don't replace
 * newer ones. When the order is unknown, reads the subscription from the provider under the lock, so that nothing newer
 * is written before.
 * @returns the current row
 */
export async function bookSubscription(
  trx: Transaction<PaymentTables>,
  provider: PaymentProvider,
  record: PaymentSubscriptionRow,
  orderOf: (before: PaymentSubscriptionRow) => ReportOrder,
): Promise<PaymentSubscriptionRow> {
  await lockCustomer(trx, record.customer_id)
  const before = await lockSubscription(trx, record.id)
  if (before?.ended) return before
  // A report without a time is a replayed answer, which may be older than the row.
  const orderOfReport = record.told_at ? orderOf : () => 'unknown' as const
  const order = before && !record.ended ? orderOfReport(before) : 'newer'
  if (before && order === 'older') return before
  const row = order === 'newer' ? record : await presentRecord(provider, record)
  const previous = await currentSubscription(trx, record.customer_id)
  await putSubscription(trx, row)
  const current = await currentSubscription(trx, record.customer_id)
  if (current && (previous?.status !== current.status || previous.plan !== current.plan))
    await publishSubscription(trx, current)
  return row
}

/** A subscription at the provider; undefined when it has ended there, or no longer exists. */
export async function retrieveLive({ askOrMissing }: PaymentProvider, id: string) {
  const subscription = await askOrMissing('subscription.retrieve', stripe => stripe.subscriptions.retrieve(id))
  return subscription && endStatuses.has(subscription.status) ? undefined : subscription
}

/** The provider's present state of a subscription. */
async function presentRecord(
  { askOrMissing }: PaymentProvider,
  record: PaymentSubscriptionRow,
): Promise<PaymentSubscriptionRow> {
  const subscription = await askOrMissing('subscription.retrieve', stripe => stripe.subscriptions.retrieve(record.id))
  return subscription ? recordOf(subscription, record.hotel_id, answeredAt(subscription), record) : toEnded(record)
}

async function publishSubscription(trx: Transaction<PaymentTables>, row: PaymentSubscriptionRow): Promise<void> {
  const { id, customer_id: customerId, status, plan } = row
  await emit(
    trx,
    PaymentSubscriptionChangedSchema,
    { id, customerId, status, plan },
    { workspaceId: '', ecosystemId: row.hotel_id, channels: [], actor: systemActor, receiverIds: [] },
  )
}
