import { exempt, inTransaction } from '../../kernel/database/database.ts'
import { writeAttempts } from './attempts.sql.ts'
import { countDeliveries } from './hours.sql.ts'
import type { Outcome } from '../providers/outcome.ts'
import { settleReceivers } from './receivers.sql.ts'
import { retireDevices, touchDevices } from '../settings/subscriptions.sql.ts'
import type { Db, DeliveryRow, Lane, NotificationRow, SubscriptionRow, Trx } from '../tables.ts'

/** Deliveries are worked off for all tenants alike. */
const free = <T extends Db>(db: T): Db => exempt(db, 'the worker of a lane serves every tenant')

/** Takes deliveries that are due `now` for `leaseMs`; another process takes others. */
export const claimDeliveries = (
  db: Db,
  lane: Lane,
  limit: number,
  leaseMs: number,
  now: Date,
): Promise<DeliveryRow[]> =>
  inTransaction(db, async trx => {
    const rows = await free(trx)
      .selectFrom('deliveries')
      .selectAll()
      .where('lane', '=', lane)
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .orderBy('id')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute()
    if (rows.length === 0) return []
    await free(trx)
      .updateTable('deliveries')
      .set(eb => ({ attempts: eb('attempts', '+', 1), due_at: new Date(now.getTime() + leaseMs) }))
      .where(
        'id',
        'in',
        rows.map(row => row.id),
      )
      .execute()
    return rows.map(row => ({ ...row, attempts: row.attempts + 1 }))
  })

export const notificationsById = (db: Db, ids: readonly string[]): Promise<NotificationRow[]> =>
  free(db).selectFrom('notifications').selectAll().where('id', 'in', ids).execute()

export const devicesById = (db: Db, ids: readonly string[]): Promise<SubscriptionRow[]> =>
  free(db).selectFrom('subscriptions').selectAll().where('id', 'in', ids).where('is_active', '=', 1).execute()

/** A tried delivery. `retryAt` is null when there is no other try; without `isTry` it was given up untried. */
export type Tried = { delivery: DeliveryRow; outcome: Outcome; retryAt: Date | null; isTry: boolean }

/** Writes down what became of a batch: one attempt row per try, states, dead devices, counters. */
export const settleDeliveries = (db: Db, tried: readonly Tried[], sentAt: Date): Promise<void> =>
  inTransaction(db, async trx => {
    const counts = await writeAttempts(trx, tried, sentAt)
    await moveOn(trx, tried)
    await retireDevices(
      trx,
      tried.flatMap(({ outcome, delivery }) =>
        !outcome.ok && outcome.isStale && delivery.subscription_id ? [delivery.subscription_id] : [],
      ),
    )
    await touchDevices(
      trx,
      tried.flatMap(({ outcome, delivery }) => (outcome.ok ? (delivery.subscription_id ?? []) : [])),
      sentAt,
    )
    await settleReceivers(trx, tried)
    await countDeliveries(trx, sentAt, counts)
  })

async function moveOn(trx: Trx, tried: readonly Tried[]): Promise<void> {
  const ended = tried.filter(({ retryAt }) => retryAt === null)
  for (const ok of [true, false]) {
    const ids = ended.filter(({ outcome }) => outcome.ok === ok).map(({ delivery }) => delivery.id)
    if (ids.length === 0) continue
    await free(trx)
      .updateTable('deliveries')
      .set({ status: ok ? 'success' : 'failed', due_at: null, sealed_mail: null })
      .where('id', 'in', ids)
      .execute()
  }
  for (const [at, again] of Map.groupBy(tried, ({ retryAt }) => retryAt?.getTime())) {
    if (at === undefined) continue
    const ids = again.map(({ delivery }) => delivery.id)
    await free(trx)
      .updateTable('deliveries')
      .set({ due_at: new Date(at) })
      .where('id', 'in', ids)
      .execute()
  }
}

/** The next moment at which something on a lane is due. */
export async function nextDue(db: Db, lane: Lane): Promise<Date | undefined> {
  const row = await free(db)
    .selectFrom('deliveries')
    .select('due_at')
    .where('lane', '=', lane)
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? undefined
}

/** The delivery that holds an idempotency key. */
export async function deliveryByKey(db: Db, key: string): Promise<string | undefined> {
  const row = await free(db).selectFrom('deliveries').select('id').where('idempotency_key', '=', key).executeTakeFirst()
  return row?.id
}
