import { NotFoundError } from '../../kernel/base/errors.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Context } from '../context.ts'
import { lockCustomer } from '../customers.sql.ts'
import type { PaymentPlan } from '../provider/plans.ts'
import { idempotencyOptions } from '../provider/provider.ts'
import type { CustomerRow, PaymentSubscriptionRow } from '../tables.ts'
import { answeredAt, bookSubscription, orderOfAnswer, recordOf, retrieveLive, toEnded } from './ledger.ts'
import { isLive, listSubscriptions, recordedIds } from './subscriptions.sql.ts'

type Parts = Pick<Context, 'db' | 'provider'>
type Order = { customer: CustomerRow; plan: PaymentPlan; key: string | undefined }

/** The provider refuses a trial that ends before its answer is written. */
const shortestTrialMs = 60_000

/** Assigns a plan: moves the customer's live subscription to it, else starts a new one. The first one has a trial. */
export async function assignPlan(parts: Parts, order: Order): Promise<PaymentSubscriptionRow> {
  const { db, provider } = parts
  const { customer, plan } = order
  // One read for both: concurrent calls with the same idempotency key must send the same request.
  const rows = await listSubscriptions(db, customer.id)
  const live = rows.find(isLive)
  const trialEndsAt = rows.find(row => row.trial_ends_at)?.trial_ends_at
  if (live && live.product_id === plan.productId && live.cancel_at_period_end === 0) return live
  const movedSubscription = live && (await moveSubscription(parts, live, order))
  if (movedSubscription) {
    const record = { ...recordOf(movedSubscription, customer.hotel_id, answeredAt(movedSubscription)), plan: plan.slug }
    return inTransaction(db, trx => bookSubscription(trx, provider, record, orderOfAnswer(live)))
  }
  if (live) await inTransaction(db, trx => bookSubscription(trx, provider, toEnded(live), orderOfAnswer(live)))
  return startSubscription(parts, order, trialOf(plan, trialEndsAt))
}

/**
 * Moves a live subscription to the ordered plan.
 * @returns undefined when the subscription has ended at the provider, or no longer exists there
 */
async function moveSubscription({ provider }: Parts, live: PaymentSubscriptionRow, { plan, key }: Order) {
  const item = (await retrieveLive(provider, live.id))?.items.data[0]
  if (!item) return undefined
  const change = { items: [{ id: item.id, price: plan.priceId }], cancel_at_period_end: false }
  const options = idempotencyOptions('move', key)
  return provider.ask('subscription.update', stripe => stripe.subscriptions.update(live.id, change, options))
}

type Trial = { trial_period_days?: number; trial_end?: number }

/** A customer has one trial: a customer who cancelled and returns gets the rest of it. */
function trialOf({ trialDays }: PaymentPlan, formerTrialEnd: Date | null | undefined): Trial {
  if (!formerTrialEnd) return trialDays > 0 ? { trial_period_days: trialDays } : {}
  return formerTrialEnd.getTime() > Date.now() + shortestTrialMs ? { trial_end: formerTrialEnd.getTime() / 1000 } : {}
}

async function startSubscription(parts: Parts, order: Order, trial: Trial): Promise<PaymentSubscriptionRow> {
  const { db, provider } = parts
  const { ask, askOrMissing } = provider
  const { customer, plan, key } = order
  const input = {
    customer: customer.id,
    items: [{ price: plan.priceId }],
    metadata: { hotelId: customer.hotel_id, plan: plan.slug },
    ...trial,
  }
  const unrecordedSubscription = await findUnrecorded(parts, customer)
  const create = async () => {
    const options = idempotencyOptions('subscription', key)
    const createdSubscription = await ask('subscription.create', stripe => stripe.subscriptions.create(input, options))
    return { ...recordOf(createdSubscription, customer.hotel_id, answeredAt(createdSubscription)), plan: plan.slug }
  }
  const record = unrecordedSubscription ?? (await create())
  const row = await inTransaction(db, async trx => {
    const lockedCustomer = await lockCustomer(trx, customer.id)
    const concurrentSubscription = lockedCustomer && (await listSubscriptions(trx, customer.id)).find(isLive)
    if (!lockedCustomer) return undefined
    // A concurrent call was first, so its subscription wins.
    if (concurrentSubscription && concurrentSubscription.id !== record.id) return concurrentSubscription
    return bookSubscription(trx, provider, record, orderOfAnswer(undefined))
  })
  // Another plan may have been ordered than that of the lost one.
  if (row?.id === record.id) return unrecordedSubscription ? assignPlan(parts, order) : row
  await askOrMissing('subscription.cancel', stripe => stripe.subscriptions.cancel(record.id))
  if (!row) throw new NotFoundError('Customer not found')
  return assignPlan(parts, order)
}

/** A live subscription that an earlier call started at the provider and didn't record, because it was killed. */
export async function findUnrecorded(
  { db, provider }: Parts,
  customer: CustomerRow,
): Promise<PaymentSubscriptionRow | undefined> {
  const list = { customer: customer.id, limit: 100 }
  const { data } = await provider.ask('subscription.list', stripe => stripe.subscriptions.list(list))
  const hotelSubscriptions = data.filter(({ metadata }) => metadata['hotelId'] === customer.hotel_id)
  const records = hotelSubscriptions
    .map(subscription => recordOf(subscription, customer.hotel_id, null))
    .filter(({ ended }) => ended === 0)
  const recordedSubscriptionIds = await recordedIds(
    db,
    records.map(({ id }) => id),
  )
  return records.find(({ id }) => !recordedSubscriptionIds.has(id))
}
