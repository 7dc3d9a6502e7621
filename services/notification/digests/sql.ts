import { type Selectable, sql } from 'kysely'
import { exempt } from '../../kernel/database/database.ts'
import { toChunks } from '../../kernel/database/parts.ts'
import type { NotificationDb, NotificationTables, NotificationTrx } from '../tables.ts'
import type { Frequency } from './schedule.ts'

export type DigestRow = Selectable<NotificationTables['digests']>

/** The job and the workers serve all members. */
const allTenants = <T extends NotificationDb>(db: T): NotificationDb =>
  exempt(db, 'digests of all members are due and sent together')

/** Sets how often a member gets digests, and when the next one is due. */
export const scheduleDigest = (trx: NotificationTrx, memberId: string, frequency: Frequency, dueAt: Date) =>
  trx
    .insertInto('digests')
    .values({ member_id: memberId, frequency, due_at: dueAt })
    .onDuplicateKeyUpdate({ frequency, due_at: dueAt })
    .execute()

/** Has a member's next digest come by `due`, whether or not they get digests. */
export const hastenDigest = (trx: NotificationTrx, memberId: string, dueAt: Date) =>
  trx
    .insertInto('digests')
    .values({ member_id: memberId, frequency: 'off', due_at: dueAt })
    .onDuplicateKeyUpdate({ due_at: sql<Date>`least(coalesce(due_at, ${dueAt}), ${dueAt})` })
    .execute()

/**
 * The members who get digests. Their rows are locked until the transaction ends, so that nobody turns digests off while
 * a notification is being added.
 */
export async function collectingMembers(
  trx: NotificationTrx,
  memberIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('digests')
    .select('member_id')
    .where('member_id', 'in', memberIds)
    .where('frequency', '<>', 'off')
    .orderBy('member_id')
    .modifyEnd(sql`lock in share mode`)
    .execute()
  return new Set(rows.map(row => row.member_id))
}

type NewItem = { memberId: string; notificationId: string }

/** Adds notifications to the members' next digests, each once. */
export async function collectItems(trx: NotificationTrx, items: readonly NewItem[]): Promise<void> {
  for (const part of toChunks(items)) {
    await trx
      .insertInto('digest_items')
      .values(
        part.map(({ memberId, notificationId }) => ({
          member_id: memberId,
          notification_id: notificationId,
          delivery_id: null,
          created_at: sql<Date>`utc_timestamp(3)`,
        })),
      )
      .onDuplicateKeyUpdate(eb => ({ member_id: eb.ref('digest_items.member_id') }))
      .execute()
  }
}

/** When the next digest is due. */
export async function nextDue(db: NotificationDb): Promise<Date | undefined> {
  const row = await allTenants(db)
    .selectFrom('digests')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? undefined
}

/** Locks members whose digest is due until the transaction ends; concurrent processes lock others. */
export const lockDue = (trx: NotificationTrx, now: Date, limit: number): Promise<DigestRow[]> =>
  allTenants(trx)
    .selectFrom('digests')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()

export const setDue = (trx: NotificationTrx, memberIds: readonly string[], dueAt: Date | null) =>
  trx.updateTable('digests').set({ due_at: dueAt }).where('member_id', 'in', memberIds).execute()

/** Drops waiting notifications that the members have read or dismissed meanwhile. */
export const dropRead = (trx: NotificationTrx, memberIds: readonly string[]) =>
  sql`
    delete i from digest_items i
    join receivers r on r.member_id = i.member_id and r.notification_id = i.notification_id
    where i.member_id in (${sql.join(memberIds)}) and i.delivery_id is null and (r.is_read = 1 or r.is_dismissed = 1)
  `.execute(trx)

/** For whom notifications wait, and of which workspaces; of none when empty. */
export const waitingItems = (trx: NotificationTrx, memberIds: readonly string[]) =>
  allTenants(trx)
    .selectFrom('digest_items as i')
    .innerJoin('notifications as n', 'n.id', 'i.notification_id')
    .select(['i.member_id', 'n.workspace_id'])
    .distinct()
    .where('i.member_id', 'in', memberIds)
    .where('i.delivery_id', 'is', null)
    .execute()

/** Assigns a member's waiting notifications to one digest. */
export const takeItems = (trx: NotificationTrx, memberId: string, deliveryId: string) =>
  trx
    .updateTable('digest_items')
    .set({ delivery_id: deliveryId })
    .where('member_id', '=', memberId)
    .where('delivery_id', 'is', null)
    .execute()

/** Notifications of digests, newest first. */
export async function itemsOf(db: NotificationDb, deliveryIds: readonly string[]) {
  if (deliveryIds.length === 0) return []
  return allTenants(db)
    .selectFrom('digest_items as i')
    .innerJoin('notifications as n', 'n.id', 'i.notification_id')
    .selectAll('n')
    .select(['i.delivery_id', 'i.member_id'])
    .where('i.delivery_id', 'in', deliveryIds)
    .where('n.withdrawn_at', 'is', null)
    .orderBy('n.id', 'desc')
    .execute()
}

/** Ids of the notifications of digests. */
export async function notificationIdsOf(trx: NotificationTrx, deliveryIds: readonly string[]) {
  if (deliveryIds.length === 0) return []
  return allTenants(trx)
    .selectFrom('digest_items')
    .select(['delivery_id', 'notification_id'])
    .where('delivery_id', 'in', deliveryIds)
    .execute()
}

/** Leaves notifications for the member's next digest. */
export const postponeItems = (db: NotificationDb, memberId: string, notificationIds: readonly string[]) =>
  db
    .updateTable('digest_items')
    .set({ delivery_id: null })
    .where('member_id', '=', memberId)
    .where('notification_id', 'in', notificationIds)
    .execute()

/** Drops entries of digests. */
export async function dropItems(
  db: NotificationDb,
  items: readonly { member_id: string; id: string }[],
): Promise<void> {
  for (const [memberId, memberItems] of Map.groupBy(items, item => item.member_id))
    await db
      .deleteFrom('digest_items')
      .where('member_id', '=', memberId)
      .where(
        'notification_id',
        'in',
        memberItems.map(({ id }) => id),
      )
      .execute()
}

/** Deletes the items of sent digests; those of failed ones wait for the next, which comes a day later at the latest. */
export async function endDigests(
  trx: NotificationTrx,
  sentIds: readonly string[],
  failedIds: readonly string[],
): Promise<void> {
  if (sentIds.length > 0) await allTenants(trx).deleteFrom('digest_items').where('delivery_id', 'in', sentIds).execute()
  if (failedIds.length === 0) return
  await sql`
    update digests d join digest_items i on i.member_id = d.member_id
    set d.due_at = utc_timestamp(3) + interval 1 day
    where i.delivery_id in (${sql.join(failedIds)}) and d.due_at is null
  `.execute(trx)
  await allTenants(trx)
    .updateTable('digest_items')
    .set({ delivery_id: null })
    .where('delivery_id', 'in', failedIds)
    .execute()
}

/** Removes what a member's digests hold. */
export async function removeDigestsOf(db: NotificationDb, memberId: string): Promise<void> {
  await db.deleteFrom('digest_items').where('member_id', '=', memberId).execute()
  await db.deleteFrom('digests').where('member_id', '=', memberId).execute()
}

/** Drops notifications that waited too long, for members who can't be mailed. */
export const dropOldItems = (db: NotificationDb, before: Date) =>
  allTenants(db)
    .deleteFrom('digest_items')
    .where('created_at', '<', before)
    .where('delivery_id', 'is', null)
    .limit(10_000)
    .execute()
