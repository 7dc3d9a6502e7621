import { exempt, inTransaction } from '../kernel/database.ts'
import { newId } from '../kernel/ids.ts'
import { type Counted, countDeliveries } from './delivery-hours.sql.ts'
import type { Outcome } from './outcome.ts'
import { settleReceivers } from './settle.sql.ts'
import { retireDevices, touchDevices } from './subscriptions.sql.ts'
import type { Db, DeliveryRow, Lane, NotificationRow, SubscriptionRow, Trx } from './tables.ts'

/** Deliveries are worked off for all tenants alike. */
const free = <T extends Db>(db: T): Db => exempt(db, 'the worker of a lane serves every tenant')

/** Takes due deliveries for `leaseMs`; another process takes others. */
export const claimDeliveries = (db: Db, lane: Lane, limit: number, leaseMs: number): Promise<DeliveryRow[]> =>
  inTransaction(db, async trx => {
    const now = new Date()
    const rows = await free(trx)
      .selectFrom('deliveries')
      .selectAll()
      .where('lane', '=', lane)
      .where('due_at', '<=', now)
      .orderBy('due_at')
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

/** A tried delivery. `retryAt` is null when there is no other try. */
export type Tried = { delivery: DeliveryRow; outcome: Outcome; retryAt: Date | null }

/** Writes down what became of a batch: one attempt row per try, states, dead devices, counters. */
export const settleDeliveries = (db: Db, tried: readonly Tried[], sentAt: Date): Promise<void> =>
  inTransaction(db, async trx => {
    const ids = tried.map(({ delivery }) => delivery.id)
    const attempts = tried.map(each => attemptOf(each, sentAt))
    // The earlier try is no longer one with another pending (DECISIONS 41).
    await trx
      .updateTable('delivery_attempts')
      .set({ status: 'failed' })
      .where('delivery_id', 'in', ids)
      .where('status', '=', 'retry')
      .execute()
    await trx.insertInto('delivery_attempts').values(attempts).execute()
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
    await countDeliveries(trx, sentAt, countsOf(attempts))
  })

const countsOf = (attempts: readonly ReturnType<typeof attemptOf>[]): Counted[] =>
  [...Map.groupBy(attempts, ({ channel, status }) => `${channel} ${status}`).values()].flatMap(group =>
    group[0] ? [{ channel: group[0].channel, status: group[0].status, deliveries: group.length }] : [],
  )

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
  for (const { delivery, retryAt } of tried) {
    if (retryAt === null) continue
    await free(trx).updateTable('deliveries').set({ due_at: retryAt }).where('id', '=', delivery.id).execute()
  }
}

function attemptOf({ delivery, outcome, retryAt }: Tried, sentAt: Date) {
  return {
    id: newId(),
    delivery_id: delivery.id,
    notification_id: delivery.notification_id,
    member_id: delivery.member_id,
    channel: delivery.lane === 'email' ? ('email' as const) : ('push' as const),
    status: outcome.ok ? ('success' as const) : retryAt ? ('retry' as const) : ('failed' as const),
    attempt_number: delivery.attempts,
    provider: outcome.provider,
    provider_id: outcome.ok ? (outcome.providerId?.slice(0, 255) ?? null) : null,
    provider_response: outcome.response && JSON.stringify(outcome.response),
    error: outcome.ok ? null : outcome.error.slice(0, 1000),
    error_code: outcome.ok ? null : (outcome.code?.slice(0, 100) ?? null),
    sent_at: sentAt,
    delivered_at: null,
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
