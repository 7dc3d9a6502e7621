import type { Transaction } from 'kysely'
import { deleteOld } from '../../kernel/database/retention.ts'
import type { Db, SubscriptionRow, Tables } from '../tables.ts'

const columns = [
  ...(['id', 'customer_id', 'hotel_id', 'product_id', 'plan', 'status', 'ended', 'past_due', 'trial_ends_at'] as const),
  ...([
    'current_period_ends_at',
    'cancel_at_period_end',
    'cancelled_at',
    'told_at',
    'created_at',
    'updated_at',
  ] as const),
]

/** Newest first, in the order in which the platform recorded them. */
const ofCustomer = (db: Db, customerId: string) =>
  db
    .selectFrom('payment_subscriptions')
    .select(columns)
    .where('customer_id', '=', customerId)
    .orderBy('noted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)

/** The newest subscription of a customer, ended or not. */
export const latestSubscription = (db: Db, customerId: string): Promise<SubscriptionRow | undefined> =>
  ofCustomer(db, customerId).executeTakeFirst()

/** The newest subscription of a customer that hasn't ended. */
export const liveSubscription = (db: Db, customerId: string): Promise<SubscriptionRow | undefined> =>
  ofCustomer(db, customerId).where('ended', '=', 0).executeTakeFirst()

/** All that haven't ended, newest last. */
export const liveSubscriptions = async (db: Db, customerId: string): Promise<SubscriptionRow[]> =>
  (await ofCustomer(db, customerId).where('ended', '=', 0).clearLimit().execute()).toReversed()

/** The subscription that decides a customer's status and plan: the newest that hasn't ended, else the newest. */
export async function currentSubscription(db: Db, customerId: string): Promise<SubscriptionRow | undefined> {
  return (await liveSubscription(db, customerId)) ?? latestSubscription(db, customerId)
}

/**
 * A customer's live subscription and the end of its latest trial, in one read: concurrent calls with the same
 * idempotency key must send the same request.
 */
export async function standingOf(db: Db, customerId: string) {
  const rows = await ofCustomer(db, customerId).clearLimit().execute()
  const live = rows.find(({ ended }) => ended === 0)
  return { live, trialEndsAt: rows.find(row => row.trial_ends_at)?.trial_ends_at }
}

export const lockSubscription = (trx: Transaction<Tables>, id: string): Promise<SubscriptionRow | undefined> =>
  trx.selectFrom('payment_subscriptions').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()

/** Those of these subscriptions that have a row. */
export async function recordedAmong(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('payment_subscriptions').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Inserts or updates a subscription. */
export async function putSubscription(trx: Transaction<Tables>, row: SubscriptionRow): Promise<void> {
  const { id: _, created_at: __, ...changing } = row
  await trx.insertInto('payment_subscriptions').values(row).onDuplicateKeyUpdate(changing).execute()
}

/**
 * Records a message of the provider.
 * @returns false for a duplicate
 */
export async function rememberWebhook(trx: Transaction<Tables>, id: string, type: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('payment_webhook_events')
    .ignore()
    .values({ id, type: type.slice(0, 100), received_at: new Date() })
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Deletes records of messages too old for a valid signature. */
export const deleteOldWebhooks = (db: Db, before: Date): Promise<void> =>
  deleteOld(db, 'payment_webhook_events', most =>
    db.deleteFrom('payment_webhook_events').where('received_at', '<', before).limit(most).executeTakeFirst(),
  )
