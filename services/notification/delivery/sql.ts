import { type ExpressionBuilder, sql } from 'kysely'
import { newId } from '../../kernel/base/ids.ts'
import { exempt, inTransaction } from '../../kernel/database/database.ts'
import { queueState } from '../../kernel/database/gauges.ts'
import { toChunks } from '../../kernel/database/parts.ts'
import { addItems, advanceDigest, settleDigests } from '../digests/sql.ts'
import { interruptedFailure } from '../providers/outcome.ts'
import { retireDevices, touchDevices } from '../settings/subscriptions.sql.ts'
import type {
  DeliveryRow,
  DeviceRow,
  Lane,
  NotificationDb,
  NotificationRow,
  NotificationTables,
  NotificationTrx,
} from '../tables.ts'
import { countDeliveries, type DeliveryCount } from './hours.sql.ts'
import { type DeliveryAttempt, isDigest, settleReceivers } from './receivers.sql.ts'

/** The workers serve all tenants. */
const acrossTenants = <T extends NotificationDb>(db: T): NotificationDb =>
  exempt(db, 'the worker of a lane serves every tenant')

/** Claims deliveries that are due at `now`, for `leaseMs`; concurrent processes claim others. */
export const claimDeliveries = (
  db: NotificationDb,
  lane: Lane,
  limit: number,
  leaseMs: number,
  now: Date,
): Promise<DeliveryRow[]> =>
  inTransaction(db, async trx => {
    const rows = await acrossTenants(trx)
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
    await acrossTenants(trx)
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

/** Matches the claimed deliveries that no other process has claimed or settled since. */
const isStillClaimed = (claimed: readonly DeliveryRow[]) => (eb: ExpressionBuilder<NotificationTables, 'deliveries'>) =>
  eb.and([
    // For the index; the pairs below have none.
    eb(
      'id',
      'in',
      claimed.map(({ id }) => id),
    ),
    eb(
      eb.refTuple('id', 'attempts'),
      'in',
      claimed.map(({ id, attempts }) => eb.tuple(id, attempts)),
    ),
    eb('status', '=', 'pending'),
  ])

/** Extends the lease of claimed deliveries. */
export const renewLease = (db: NotificationDb, claimed: readonly DeliveryRow[], until: Date) =>
  acrossTenants(db).updateTable('deliveries').set({ due_at: until }).where(isStillClaimed(claimed)).execute()

/** Whether a delivery waited for the end of silent hours, or for another attempt. */
export const hasWaited = ({ due_at, created_at }: DeliveryRow): boolean => due_at !== null && due_at > created_at

/** Takes back the attempt of claimed deliveries, which are then due at `dueAt`. */
export const unclaimDeliveries = (db: NotificationDb, claimed: readonly DeliveryRow[], dueAt: Date) =>
  acrossTenants(db)
    .updateTable('deliveries')
    .set(eb => ({ attempts: eb('attempts', '-', 1), due_at: dueAt }))
    .where(isStillClaimed(claimed))
    .execute()

export const notificationsById = (db: NotificationDb, ids: readonly string[]): Promise<NotificationRow[]> =>
  acrossTenants(db).selectFrom('notifications').selectAll().where('id', 'in', ids).execute()

export const devicesById = (db: NotificationDb, ids: readonly string[]): Promise<DeviceRow[]> =>
  acrossTenants(db).selectFrom('subscriptions').selectAll().where('id', 'in', ids).where('is_active', '=', 1).execute()

/**
 * Records a batch: one attempt row per try, states, dead devices, counters. Leaves out deliveries that another process
 * has claimed since.
 */
export const settleDeliveries = (
  db: NotificationDb,
  attempts: readonly DeliveryAttempt[],
  sentAt: Date,
): Promise<void> =>
  inTransaction(db, async trx => {
    const claimedAttempts = await lockClaimed(trx, attempts)
    const counts = await writeAttempts(trx, claimedAttempts, sentAt)
    await finishOrReschedule(trx, claimedAttempts)
    await retireDevices(
      trx,
      claimedAttempts.flatMap(({ outcome, delivery }) =>
        !outcome.ok && outcome.isStale && delivery.subscription_id ? [delivery.subscription_id] : [],
      ),
    )
    await touchDevices(
      trx,
      claimedAttempts.flatMap(({ outcome, delivery }) => (outcome.ok ? (delivery.subscription_id ?? []) : [])),
      sentAt,
    )
    await settleReceivers(trx, claimedAttempts)
    const endedDigests = claimedAttempts.filter(attempt => isDigest(attempt) && attempt.retryAt === null)
    const idsOf = (ok: boolean) =>
      endedDigests.filter(({ outcome }) => outcome.ok === ok).map(({ delivery }) => delivery.id)
    await settleDigests(trx, idsOf(true), idsOf(false))
    await countDeliveries(trx, sentAt, counts)
  })

/** The deliveries still leased by this process, locked until the transaction ends. */
async function lockClaimed(trx: NotificationTrx, attempts: readonly DeliveryAttempt[]): Promise<DeliveryAttempt[]> {
  const claimed = attempts.map(({ delivery }) => delivery)
  const rows = await acrossTenants(trx)
    .selectFrom('deliveries')
    .select('id')
    .where(isStillClaimed(claimed))
    .forUpdate()
    .execute()
  const lockedIds = new Set(rows.map(({ id }) => id))
  return attempts.filter(({ delivery }) => lockedIds.has(delivery.id))
}

/** Replaces claimed mails of notifications by items of the members' digests, due by `dueAt`. */
export const collectMails = (db: NotificationDb, mails: readonly DeliveryRow[], dueAt: Date): Promise<void> =>
  inTransaction(db, async trx => {
    const leasedDeliveries = await acrossTenants(trx)
      .selectFrom('deliveries')
      .selectAll()
      .where(isStillClaimed(mails))
      .forUpdate()
      .execute()
    if (leasedDeliveries.length === 0) return
    const items = leasedDeliveries.flatMap(({ member_id: memberId, notification_id: notificationId }) =>
      memberId && notificationId ? [{ memberId, notificationId }] : [],
    )
    // Locked before the items, so that a digest that is being sent finishes first.
    for (const memberId of new Set(items.map(item => item.memberId))) await advanceDigest(trx, memberId, dueAt)
    await addItems(trx, items)
    const ids = leasedDeliveries.map(({ id }) => id)
    await acrossTenants(trx).deleteFrom('deliveries').where('id', 'in', ids).execute()
  })

/** The status of an attempt. */
function statusOf({ outcome, retryAt }: DeliveryAttempt): 'success' | 'retry' | 'failed' {
  if (outcome.ok) return 'success'
  return retryAt ? 'retry' : 'failed'
}

async function finishOrReschedule(trx: NotificationTrx, attempts: readonly DeliveryAttempt[]): Promise<void> {
  for (const [status, group] of Map.groupBy(attempts, statusOf)) {
    if (status === 'retry') continue
    const ids = group.map(({ delivery }) => delivery.id)
    await acrossTenants(trx)
      .updateTable('deliveries')
      .set({ status, due_at: null, sealed_mail: null })
      .where('id', 'in', ids)
      .execute()
  }
  for (const [retryTime, retried] of Map.groupBy(attempts, ({ retryAt }) => retryAt?.getTime())) {
    if (retryTime === undefined) continue
    const ids = retried.map(({ delivery }) => delivery.id)
    await acrossTenants(trx)
      .updateTable('deliveries')
      .set({ due_at: new Date(retryTime) })
      .where('id', 'in', ids)
      .execute()
  }
}

/** When the next delivery of a lane is due. */
export async function loadNextDue(db: NotificationDb, lane: Lane): Promise<Date | undefined> {
  const row = await acrossTenants(db)
    .selectFrom('deliveries')
    .select('due_at')
    .where('lane', '=', lane)
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? undefined
}

/** What waits in a lane. */
export const loadLane = (db: NotificationDb, lane: Lane) =>
  acrossTenants(db)
    .selectFrom('deliveries')
    .select(queueState('due_at'))
    .where('lane', '=', lane)
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow()

/** The delivery that holds an idempotency key. */
export async function deliveryByKey(db: NotificationDb, key: string): Promise<string | undefined> {
  const row = await acrossTenants(db)
    .selectFrom('deliveries')
    .select('id')
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  return row?.id
}

export type NewDelivery = {
  id: string
  notification_id: string | null
  workspace_id: string
  member_id: string | null
  lane: Lane
  subscription_id: string | null
  sealed_mail: string | null
  idempotency_key: string | null
  /** Absent for at once. */
  due_at?: Date | undefined
  news_since?: Date
  news_until?: Date
}

/** Enqueues deliveries; skips one whose idempotency key is taken. */
export async function insertDeliveries(trx: NotificationTrx, rows: readonly NewDelivery[]): Promise<void> {
  const now = sql<Date>`utc_timestamp(3)`
  for (const part of toChunks(rows)) {
    await trx
      .insertInto('deliveries')
      .values(part.map(({ due_at = now, ...row }) => ({ ...row, due_at, created_at: now })))
      .onDuplicateKeyUpdate(eb => ({ lane: eb.ref('deliveries.lane') }))
      .execute()
  }
}

/** Writes one row per attempt. @returns the number of each kind */
async function writeAttempts(
  trx: NotificationTrx,
  attempts: readonly DeliveryAttempt[],
  sentAt: Date,
): Promise<DeliveryCount[]> {
  const retriedDeliveries = attempts.map(({ delivery }) => delivery).filter(delivery => delivery.attempts > 1)
  const unrecordedTries = retriedDeliveries.length > 0 ? await closeEarlierTries(trx, retriedDeliveries) : []
  const rows = [...unrecordedTries, ...attempts.filter(({ isTry }) => isTry)].map(attempt => attemptOf(attempt, sentAt))
  if (rows.length > 0) await trx.insertInto('delivery_attempts').values(rows).execute()
  return countsOf(rows)
}

/**
 * An attempt is `retry` only until the next one; from then on it is `failed`.
 * @returns earlier attempts without a row, because their process died before writing it
 */
async function closeEarlierTries(
  trx: NotificationTrx,
  retriedDeliveries: readonly DeliveryRow[],
): Promise<DeliveryAttempt[]> {
  const ids = retriedDeliveries.map(({ id }) => id)
  await trx
    .updateTable('delivery_attempts')
    .set({ status: 'failed' })
    .where('delivery_id', 'in', ids)
    .where('status', '=', 'retry')
    .execute()
  const rows = await trx
    .selectFrom('delivery_attempts')
    .select(({ fn }) => ['delivery_id', fn.max('attempt_number').as('last')])
    .where('delivery_id', 'in', ids)
    .groupBy('delivery_id')
    .execute()
  const lastAttemptById = new Map(rows.map(row => [row.delivery_id, Number(row.last)]))
  return retriedDeliveries.flatMap(delivery => {
    const lastAttempt = lastAttemptById.get(delivery.id) ?? 0
    return Array.from({ length: Math.max(0, delivery.attempts - 1 - lastAttempt) }, (_, i) => ({
      delivery: { ...delivery, attempts: lastAttempt + 1 + i },
      outcome: interruptedFailure(delivery.lane),
      retryAt: null,
      isTry: true,
    }))
  })
}

function attemptOf(attempt: DeliveryAttempt, sentAt: Date) {
  const { delivery, outcome } = attempt
  return {
    id: newId(),
    delivery_id: delivery.id,
    notification_id: delivery.notification_id,
    member_id: delivery.member_id,
    channel: delivery.lane === 'email' ? ('email' as const) : ('push' as const),
    status: statusOf(attempt),
    attempt_number: delivery.attempts,
    provider: outcome.provider,
    provider_id: outcome.ok ? (outcome.providerId?.slice(0, 255) ?? null) : null,
    provider_response: outcome.response && JSON.stringify(outcome.response),
    error: outcome.ok ? null : outcome.error.slice(0, 1000),
    error_code: outcome.ok ? null : (outcome.code?.slice(0, 100) ?? null),
    sent_at: sentAt,
  }
}

const countsOf = (attempts: readonly ReturnType<typeof attemptOf>[]): DeliveryCount[] =>
  [...Map.groupBy(attempts, ({ channel, status }) => `${channel} ${status}`).values()].flatMap(group =>
    group[0] ? [{ channel: group[0].channel, status: group[0].status, deliveries: group.length }] : [],
  )
