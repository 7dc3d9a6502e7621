import type { Transaction } from 'kysely'
import { deleteOldRows } from '../../kernel/database/retention.ts'
import type { PaymentDb, PaymentSubscriptionRow, PaymentTables } from '../tables.ts'

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

/** A customer's subscriptions, newest first, in the order in which the platform recorded them. */
export const listSubscriptions = (db: PaymentDb, customerId: string): Promise<PaymentSubscriptionRow[]> =>
  db
    .selectFrom('payment_subscriptions')
    .select(columns)
    .where('customer_id', '=', customerId)
    .orderBy('noted_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

export const isLive = ({ ended }: PaymentSubscriptionRow): boolean => ended === 0

/** The subscription that decides a customer's status and plan: the newest live one, else the newest. */
export async function currentSubscription(
  db: PaymentDb,
  customerId: string,
): Promise<PaymentSubscriptionRow | undefined> {
  const rows = await listSubscriptions(db, customerId)
  return rows.find(isLive) ?? rows[0]
}

export const lockSubscription = (
  trx: Transaction<PaymentTables>,
  id: string,
): Promise<PaymentSubscriptionRow | undefined> =>
  trx.selectFrom('payment_subscriptions').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()

/** Those of these subscriptions that have a row. */
export async function recordedIds(db: PaymentDb, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('payment_subscriptions').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Inserts or updates a subscription. */
export async function putSubscription(trx: Transaction<PaymentTables>, row: PaymentSubscriptionRow): Promise<void> {
  const { id: _, created_at: __, ...changing } = row
  await trx.insertInto('payment_subscriptions').values(row).onDuplicateKeyUpdate(changing).execute()
}

/**
 * Records a message of the provider.
 * @returns false for a duplicate
 */
export async function recordWebhook(trx: Transaction<PaymentTables>, id: string, type: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('payment_webhook_events')
    .ignore()
    .values({ id, type: type.slice(0, 100), received_at: new Date() })
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Deletes records of messages too old for a valid signature. */
export const deleteOldWebhooks = (db: PaymentDb, before: Date): Promise<void> =>
  deleteOldRows(db, 'payment_webhook_events', maxRows =>
    db.deleteFrom('payment_webhook_events').where('received_at', '<', before).limit(maxRows).executeTakeFirst(),
  )
