import { type Selectable, sql } from 'kysely'
import { exempt } from '../../kernel/database/database.ts'
import { toChunks } from '../../kernel/database/parts.ts'
import type { NotificationDb, NotificationTables, NotificationTrx } from '../tables.ts'
import { type DigestSchedule, periodStart } from './schedule.ts'

export type DigestRow = Selectable<NotificationTables['digests']>

/** Exempt from the tenant guard: digests are processed for all members at once. */
const allTenants = <T extends NotificationDb>(db: T): NotificationDb =>
  exempt(db, 'digests of all members are due and sent together')

/** When the next digest of a member is due, and the time from which the start of a first period is counted. */
export type NextDigest = { dueAt: Date | null; now: Date }

/** Sets how often a member gets digests, and when the next one is due. */
export function scheduleDigest(
  trx: NotificationTrx,
  memberId: string,
  { frequency, hour, weekday }: DigestSchedule,
  { dueAt, now }: NextDigest,
) {
  const news_since = periodStart(frequency, now)
  const schedule = { frequency, digest_hour: hour, digest_weekday: weekday, due_at: dueAt }
  return trx
    .insertInto('digests')
    .values({ member_id: memberId, ...schedule, news_since })
    .onDuplicateKeyUpdate({
      // Before the frequency changes: MySQL assigns left to right.
      news_since: sql<Date>`
        if(frequency in ('daily', 'weekly'), coalesce(news_since, ${news_since}),
          greatest(coalesce(news_since, ${news_since}), ${news_since}))
      `,
      ...schedule,
    })
    .execute()
}

type NewSchedule = { memberId: string; dueAt: Date }

/** Schedules the digests of members who have chosen nothing; a member's own schedule stays. */
export const enrolMembers = (db: NotificationDb, schedules: readonly NewSchedule[], now: Date) =>
  db
    .insertInto('digests')
    .ignore()
    .values(
      schedules.map(({ memberId, dueAt }) => ({
        member_id: memberId,
        frequency: 'automatic' as const,
        due_at: dueAt,
        news_since: periodStart('automatic', now),
      })),
    )
    .execute()

/** Those of the members who have a schedule. */
export async function scheduledMembers(db: NotificationDb, memberIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (memberIds.length === 0) return new Set()
  const rows = await db.selectFrom('digests').select('member_id').where('member_id', 'in', memberIds).execute()
  return new Set(rows.map(row => row.member_id))
}

/** Moves a member's next digest to `dueAt`, unless it is due earlier. */
export const advanceDigest = (trx: NotificationTrx, memberId: string, dueAt: Date) =>
  trx
    .insertInto('digests')
    .values({ member_id: memberId, frequency: 'automatic', due_at: dueAt, news_since: null })
    .onDuplicateKeyUpdate({ due_at: sql<Date>`least(coalesce(due_at, ${dueAt}), ${dueAt})` })
    .execute()

/**
 * Locks those of the members whose mails are collected, until the transaction ends: nobody can turn digests off while a
 * notification is being added.
 */
export async function lockDigestMembers(
  trx: NotificationTrx,
  memberIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('digests')
    .select('member_id')
    .where('member_id', 'in', memberIds)
    .where('frequency', 'in', ['daily', 'weekly'])
    .orderBy('member_id')
    .modifyEnd(sql`lock in share mode`)
    .execute()
  return new Set(rows.map(row => row.member_id))
}

/** An item waits for the next digest while delivery_id is null; otherwise it is part of that digest's mail. */
type NewItem = { memberId: string; notificationId: string }

/** Adds notifications to the members' next digests. An item that exists already stays as it is. */
export async function addItems(trx: NotificationTrx, items: readonly NewItem[]): Promise<void> {
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

/** When the earliest digest of all members is due. */
export async function loadNextDue(db: NotificationDb): Promise<Date | undefined> {
  const row = await allTenants(db)
    .selectFrom('digests')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? undefined
}

/** Locks members whose digest is due, until the transaction ends; concurrent processes skip them and lock others. */
export const lockDueDigests = (trx: NotificationTrx, now: Date, limit: number): Promise<DigestRow[]> =>
  allTenants(trx)
    .selectFrom('digests')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()

export const setNextDue = (trx: NotificationTrx, memberIds: readonly string[], dueAt: Date | null) =>
  trx.updateTable('digests').set({ due_at: dueAt }).where('member_id', 'in', memberIds).execute()

/** Sets until when the members' digests have listed pages. */
export const setNewsSince = (trx: NotificationTrx, memberIds: readonly string[], newsSince: Date) =>
  memberIds.length === 0
    ? undefined
    : trx.updateTable('digests').set({ news_since: newsSince }).where('member_id', 'in', memberIds).execute()

/** Deletes waiting items whose notifications the members have read or dismissed meanwhile. */
export const deleteReadItems = (trx: NotificationTrx, memberIds: readonly string[]) =>
  sql`
    delete i from digest_items i
    join receivers r on r.member_id = i.member_id and r.notification_id = i.notification_id
    where i.member_id in (${sql.join(memberIds)}) and i.delivery_id is null and (r.is_read = 1 or r.is_dismissed = 1)
  `.execute(trx)

/** The members with waiting items, and the workspaces of the notifications ('' for one of no workspace). */
export const loadWaitingItems = (trx: NotificationTrx, memberIds: readonly string[]) =>
  allTenants(trx)
    .selectFrom('digest_items as i')
    .innerJoin('notifications as n', 'n.id', 'i.notification_id')
    .select(['i.member_id', 'n.workspace_id'])
    .distinct()
    .where('i.member_id', 'in', memberIds)
    .where('i.delivery_id', 'is', null)
    .execute()

/** Assigns a member's waiting items to one digest. */
export const assignItems = (trx: NotificationTrx, memberId: string, deliveryId: string) =>
  trx
    .updateTable('digest_items')
    .set({ delivery_id: deliveryId })
    .where('member_id', '=', memberId)
    .where('delivery_id', 'is', null)
    .execute()

/** Notifications of digests, newest first. */
export async function loadDigestItems(db: NotificationDb, deliveryIds: readonly string[]) {
  if (deliveryIds.length === 0) return []
  return allTenants(db)
    .selectFrom('digest_items as i')
    .innerJoin('notifications as n', 'n.id', 'i.notification_id')
    .selectAll('n')
    .select(['i.delivery_id', 'i.member_id', 'i.notification_id'])
    .where('i.delivery_id', 'in', deliveryIds)
    .where('n.withdrawn_at', 'is', null)
    .orderBy('n.id', 'desc')
    .execute()
}

/** Ids of the notifications of digests. */
export async function loadNotificationIds(trx: NotificationTrx, deliveryIds: readonly string[]) {
  if (deliveryIds.length === 0) return []
  return allTenants(trx)
    .selectFrom('digest_items')
    .select(['delivery_id', 'notification_id'])
    .where('delivery_id', 'in', deliveryIds)
    .execute()
}

/** Returns notifications of a digest to the member's next digest. */
export const returnItems = (db: NotificationDb, memberId: string, notificationIds: readonly string[]) =>
  db
    .updateTable('digest_items')
    .set({ delivery_id: null })
    .where('member_id', '=', memberId)
    .where('notification_id', 'in', notificationIds)
    .execute()

/** Deletes items of digests. */
export async function deleteItems(
  db: NotificationDb,
  items: readonly { member_id: string; notification_id: string }[],
): Promise<void> {
  for (const [memberId, memberItems] of Map.groupBy(items, item => item.member_id))
    await db
      .deleteFrom('digest_items')
      .where('member_id', '=', memberId)
      .where(
        'notification_id',
        'in',
        memberItems.map(item => item.notification_id),
      )
      .execute()
}

/**
 * Deletes the items of sent digests. Those of failed ones wait for the member's next regular digest, which lists their
 * pages too, and for members without digests a day.
 */
export async function settleDigests(
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
  await sql`
    update digests d join deliveries x on x.member_id = d.member_id
    set d.news_since = least(d.news_since, x.news_since)
    where x.id in (${sql.join(failedIds)}) and x.news_since is not null
  `.execute(trx)
  await allTenants(trx)
    .updateTable('digest_items')
    .set({ delivery_id: null })
    .where('delivery_id', 'in', failedIds)
    .execute()
}

/** Deletes a member's digests and their items. */
export async function deleteDigests(db: NotificationDb, memberId: string): Promise<void> {
  await db.deleteFrom('digest_items').where('member_id', '=', memberId).execute()
  await db.deleteFrom('digests').where('member_id', '=', memberId).execute()
}

/** Deletes items that waited too long, as those of members who can't be mailed. */
export const deleteOldItems = (db: NotificationDb, before: Date) =>
  allTenants(db)
    .deleteFrom('digest_items')
    .where('created_at', '<', before)
    .where('delivery_id', 'is', null)
    .limit(10_000)
    .execute()
