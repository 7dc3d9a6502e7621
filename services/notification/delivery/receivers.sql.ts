import { type RawBuilder, sql } from 'kysely'
import { exempt } from '../../kernel/database/database.ts'
import { emailBit, pushBit, socketBit } from '../channels.ts'
import { loadNotificationIds } from '../digests/sql.ts'
import type { DeliveryOutcome } from '../providers/outcome.ts'
import type { DeliveryRow, Lane, NotificationTrx, ReceiverStatus } from '../tables.ts'

/**
 * An attempted delivery. `retryAt` is null without a further attempt; `isTry` is false when it was abandoned
 * unattempted.
 */
export type DeliveryAttempt = { delivery: DeliveryRow; outcome: DeliveryOutcome; retryAt: Date | null; isTry: boolean }

export const bitOf = (lane: Lane): number => (lane === 'email' ? emailBit : pushBit)

/** Socket receivers count as sent when the notification is stored, and never as failed. */
const hasNoSocket = sql`(channels & ${socketBit}) = 0`
const isUnsent = sql<boolean>`${hasNoSocket} and sent_channels = 0`
/** A reader counts as reached already (`inbox/sql.ts`). */
const isUnreached = sql<boolean>`delivered_channels = 0 and is_read = 0`
const canFail = sql<boolean>`${hasNoSocket} and delivered_channels = 0`

/** A digest's attempt counts for each of its notifications. */
async function toNotificationAttempts(
  trx: NotificationTrx,
  attempts: readonly DeliveryAttempt[],
): Promise<DeliveryAttempt[]> {
  const attemptByDigest = new Map(attempts.filter(isDigest).map(attempt => [attempt.delivery.id, attempt]))
  const rows = await loadNotificationIds(trx, [...attemptByDigest.keys()])
  const digestAttempts = rows.flatMap(({ delivery_id, notification_id }) => {
    const digest = attemptByDigest.get(delivery_id ?? '')
    return digest ? [{ ...digest, delivery: { ...digest.delivery, notification_id } }] : []
  })
  return [...attempts.filter(attempt => !isDigest(attempt)), ...digestAttempts]
}

export const isDigest = ({ delivery }: Pick<DeliveryAttempt, 'delivery'>): boolean =>
  delivery.member_id !== null && delivery.notification_id === null

/**
 * Records attempts on receivers and on the counters of their notifications: sent once a channel was tried, delivered
 * once a provider accepted one, failed when no attempt is left.
 */
export async function settleReceivers(trx: NotificationTrx, attempts: readonly DeliveryAttempt[]): Promise<void> {
  const groups = Map.groupBy(
    (await toNotificationAttempts(trx, attempts)).filter(
      ({ delivery }) => delivery.notification_id && delivery.member_id,
    ),
    ({ delivery }) => `${delivery.notification_id} ${delivery.lane}`,
  )
  for (const [, group] of [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const [first] = group
    if (first?.delivery.notification_id)
      await settleGroup(trx, first.delivery.notification_id, bitOf(first.delivery.lane), group)
  }
}

async function settleGroup(
  trx: NotificationTrx,
  notificationId: string,
  bit: number,
  group: readonly DeliveryAttempt[],
): Promise<void> {
  const membersOf = (attempts: readonly DeliveryAttempt[]): string[] =>
    [...new Set(attempts.map(({ delivery }) => delivery.member_id ?? ''))].toSorted()
  const memberIds = membersOf(group)
  const reachedIds = membersOf(group.filter(({ outcome }) => outcome.ok))
  const failedIds = membersOf(group.filter(({ outcome, retryAt }) => !outcome.ok && retryAt === null))

  const sentCount = await countMembers(trx, notificationId, memberIds, isUnsent)
  await markReceivers(trx, notificationId, memberIds, 'sent_channels', bit, ['pending'], 'sent')
  const deliveredCount = await countMembers(trx, notificationId, reachedIds, isUnreached)
  await markReceivers(
    trx,
    notificationId,
    reachedIds,
    'delivered_channels',
    bit,
    ['pending', 'sent', 'failed'],
    'delivered',
  )
  const failedCount = await failReceivers(trx, notificationId, failedIds)
  if (sentCount + deliveredCount + failedCount === 0) return
  await exempt(trx, 'counters of a notification that was delivered')
    .updateTable('notifications')
    .set(eb => ({
      sent_count: eb('sent_count', '+', sentCount),
      delivered_count: eb('delivered_count', '+', deliveredCount),
      failed_count: eb('failed_count', '+', failedCount),
    }))
    .where('id', '=', notificationId)
    .execute()
}

/** Number of members who satisfy the condition; their rows are locked until the transaction ends. */
async function countMembers(
  trx: NotificationTrx,
  notificationId: string,
  memberIds: readonly string[],
  condition: RawBuilder<boolean>,
): Promise<number> {
  if (memberIds.length === 0) return 0
  const rows = await trx
    .selectFrom('receivers')
    .select('member_id')
    .where('notification_id', '=', notificationId)
    .where('member_id', 'in', memberIds)
    .where(condition)
    .forUpdate()
    .execute()
  return rows.length
}

async function markReceivers(
  trx: NotificationTrx,
  notificationId: string,
  memberIds: readonly string[],
  column: 'sent_channels' | 'delivered_channels',
  bit: number,
  fromStatuses: ReceiverStatus[],
  to: ReceiverStatus,
): Promise<void> {
  if (memberIds.length === 0) return
  await trx
    .updateTable('receivers')
    .set(eb => ({
      [column]: sql`${sql.ref(column)} | ${bit}`,
      status: eb.case().when('status', 'in', fromStatuses).then(to).else(eb.ref('status')).end(),
    }))
    .where('notification_id', '=', notificationId)
    .where('member_id', 'in', memberIds)
    .execute()
}

/** Marks members whom no channel has reached and no pending delivery can. */
async function failReceivers(
  trx: NotificationTrx,
  notificationId: string,
  memberIds: readonly string[],
): Promise<number> {
  if (memberIds.length === 0) return 0
  const result = await exempt(trx, 'receivers of one notification, with its deliveries')
    .updateTable('receivers')
    .set({ status: 'failed' })
    .where('notification_id', '=', notificationId)
    .where('member_id', 'in', memberIds)
    .where('status', 'in', ['pending', 'sent'])
    .where(canFail)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('digest_items')
            .select('digest_items.member_id')
            .where('digest_items.notification_id', '=', notificationId)
            .whereRef('digest_items.member_id', '=', 'receivers.member_id'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('deliveries.id')
            .where('deliveries.notification_id', '=', notificationId)
            .whereRef('deliveries.member_id', '=', 'receivers.member_id')
            .where('deliveries.status', '=', 'pending'),
        ),
      ),
    )
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}
