import { type ExpressionBuilder, sql } from 'kysely'
import { exempt, inTransaction } from '../../kernel/database/database.ts'
import { countRemoved } from '../counters/sql.ts'
import type { NotificationDb, NotificationRow, NotificationTables, NotificationTrx } from '../tables.ts'
import type { RemovalTarget } from './effects.ts'

const allTenants = <T extends NotificationDb>(db: T): NotificationDb =>
  exempt(db, 'what is removed is removed from the inboxes of all its receivers')

/** Earlier notifications of a target, of one workspace or, for a person, of all. */
export type RemovalScope = { target: RemovalTarget; workspaceId: string | undefined; before: string }

const isInScope =
  ({ target: { column, id, kinds }, workspaceId, before }: RemovalScope) =>
  (eb: ExpressionBuilder<NotificationTables, 'notifications'>) =>
    eb.and([
      eb(column, '=', id),
      eb('id', '<', before),
      eb('withdrawn_at', 'is', null),
      // A notification that reports the deletion itself stays.
      eb('category', '<>', 'deleted'),
      ...(workspaceId === undefined ? [] : [eb('workspace_id', '=', workspaceId)]),
      ...(kinds ? [eb(sql<string>`concat(type, '.', category)`, 'in', kinds)] : []),
    ])

/** Locks the next notifications after one. A writer that is storing one of them is waited for. */
export const lockNext = (
  trx: NotificationTrx,
  scope: RemovalScope,
  after: string,
  limit: number,
): Promise<NotificationRow[]> =>
  allTenants(trx)
    .selectFrom('notifications')
    .selectAll()
    .where(isInScope(scope))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()

/** Replaces the texts of a removed entity. */
const placeholderTexts = { title: "Ce contenu n'est plus disponible", title_en: 'This is no longer available' }

/** Drops the pushes, mails and digest entries that wait for notifications. */
export async function dropWaiting(trx: NotificationTrx, ids: readonly string[]): Promise<void> {
  await allTenants(trx)
    .deleteFrom('deliveries')
    .where('notification_id', 'in', ids)
    .where('status', '=', 'pending')
    .execute()
  await allTenants(trx).deleteFrom('digest_items').where('notification_id', 'in', ids).execute()
}

/** Empties notifications, last: until then a repeated removal finds them again. */
export const emptyNotifications = (db: NotificationDb, ids: readonly string[]) =>
  allTenants(db)
    .updateTable('notifications')
    .set({ ...placeholderTexts, body: '', body_en: '', data: null, mail_values: null })
    .set({ named_actor_id: null, named_member_id: null, withdrawn_at: sql<Date>`utc_timestamp(3)` })
    .where('id', 'in', ids)
    .execute()

type UnreadRow = { member_id: string; notification_id: string; workspace_id: string }

/** Removes some unread entries of notifications from inboxes, with their counts. @returns the entries */
export const removeUnread = (
  db: NotificationDb,
  notificationIds: readonly string[],
  limit: number,
): Promise<UnreadRow[]> =>
  inTransaction(db, async trx => {
    const rows = await allTenants(trx)
      .selectFrom('receivers')
      .select(['member_id', 'notification_id', 'workspace_id', 'type', 'is_read', 'is_dismissed'])
      .where('notification_id', 'in', notificationIds)
      .where('is_read', '=', 0)
      .limit(limit)
      .forUpdate()
      .execute()
    await deleteEntries(trx, rows)
    return rows
  })

/** Deletes entries of inboxes and counts them out. */
export async function deleteEntries(
  trx: NotificationTrx,
  rows: readonly (UnreadRow & { type: string; is_read: number; is_dismissed: number })[],
): Promise<void> {
  if (rows.length === 0) return
  for (const [notificationId, entries] of Map.groupBy(rows, row => row.notification_id)) {
    const memberIds = entries.map(row => row.member_id)
    await trx
      .deleteFrom('receivers')
      .where('notification_id', '=', notificationId)
      .where('member_id', 'in', memberIds)
      .execute()
  }
  await countRemoved(trx, rows)
}

/** Writes new texts of a notification. */
export const rewriteNotification = (
  trx: NotificationTrx,
  id: string,
  set: Pick<NotificationRow, 'title' | 'body' | 'title_en' | 'body_en' | 'data' | 'mail_values'>,
) => allTenants(trx).updateTable('notifications').set(set).where('id', '=', id).execute()
