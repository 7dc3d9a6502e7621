import { sql } from 'kysely'
import { exempt, inTransaction } from '../../kernel/database/database.ts'
import { countChanges } from '../counters/sql.ts'
import type { NotificationDb, NotificationTrx } from '../tables.ts'

/** A receiver's state of a notification. */
export type EntryState = { isRead: boolean; readAt: Date | null; clickedAt: Date | null; dismissedAt: Date | null }

const allTenants = (db: NotificationDb): NotificationDb =>
  exempt(db, 'receivers read what was sent to them, whatever the workspace')

/** The visible part of a member's inbox: entries of a workspace are visible to its present members only [R33]. */
export type Inbox = {
  memberId: string
  /** Ids of the member's present workspaces; the empty string for notifications without one. */
  openWorkspaceIds: readonly string[]
}

export type TypeCounts = { type: string; total: number; unread: number; dismissed: number }

/** Counts by type. Dismissed notifications count separately. */
export async function countsByType(db: NotificationDb, { memberId, openWorkspaceIds }: Inbox): Promise<TypeCounts[]> {
  const rows = await db
    .selectFrom('member_counters')
    .select(({ fn }) => ['type', fn.sum('total').as('total'), fn.sum('unread').as('unread')])
    .select(({ fn }) => fn.sum('dismissed').as('dismissed'))
    .where('member_id', '=', memberId)
    .where('workspace_id', 'in', openWorkspaceIds)
    .groupBy('type')
    .execute()
  return rows.map(({ type, total, unread, dismissed }) => ({
    type,
    total: Number(total),
    unread: Number(unread),
    dismissed: Number(dismissed),
  }))
}

/** State before and after a change, and the workspace of the notification. */
type StateChange = { before: EntryState; after: EntryState; workspaceId: string }

/**
 * Changes the state of a member's notification and the counters.
 * @returns undefined when the member has no such notification
 */
export const changeState = (
  db: NotificationDb,
  { memberId, openWorkspaceIds }: Inbox,
  notificationId: string,
  change: (before: EntryState) => EntryState,
): Promise<StateChange | undefined> =>
  inTransaction(db, async trx => {
    const row = await trx
      .selectFrom('receivers')
      .selectAll()
      .where('member_id', '=', memberId)
      .where('notification_id', '=', notificationId)
      .where('workspace_id', 'in', openWorkspaceIds)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return undefined
    const before: EntryState = {
      isRead: row.is_read === 1,
      readAt: row.read_at,
      clickedAt: row.clicked_at,
      dismissedAt: row.dismissed_at,
    }
    const after = change(before)
    const { workspace_id: workspaceId, type } = row
    if (sameState(before, after)) return { before, after, workspaceId }
    await trx
      .updateTable('receivers')
      .set({
        is_read: after.isRead ? 1 : 0,
        is_dismissed: after.dismissedAt ? 1 : 0,
        read_at: after.readAt,
        clicked_at: after.clickedAt,
        dismissed_at: after.dismissedAt,
        ...(after.isRead === before.isRead ? {} : { status: after.isRead ? ('read' as const) : statusBefore }),
      })
      .where('member_id', '=', memberId)
      .where('notification_id', '=', notificationId)
      .execute()
    const isReached = row.delivered_channels !== 0
    await countChange(trx, memberId, notificationId, { workspaceId, type, isReached }, before, after)
    return { before, after, workspaceId }
  })

/** Status of an unread row, derived from its channels. */
const statusBefore = sql<'delivered' | 'sent' | 'pending'>`case
  when delivered_channels > 0 then 'delivered' when sent_channels > 0 then 'sent' else 'pending' end`

const sameState = (a: EntryState, b: EntryState): boolean =>
  a.isRead === b.isRead && a.clickedAt === b.clickedAt && a.dismissedAt === b.dismissedAt

async function countChange(
  trx: NotificationTrx,
  memberId: string,
  id: string,
  { isReached, ...kind }: { workspaceId: string; type: string; isReached: boolean },
  a: EntryState,
  b: EntryState,
): Promise<void> {
  const difference = (isSet: (state: EntryState) => boolean) => Number(isSet(b)) - Number(isSet(a))
  const readDifference = difference(state => state.isRead)
  const clicks = difference(state => state.clickedAt !== null)
  const total = difference(state => state.dismissedAt === null)
  const unreadDifference = difference(state => state.dismissedAt === null && !state.isRead)
  if (readDifference !== 0 || clicks !== 0)
    await allTenants(trx)
      .updateTable('notifications')
      .set(eb => ({
        read_count: eb('read_count', '+', readDifference),
        // A receiver whom no push or mail has reached is reached by reading.
        delivered_count: eb('delivered_count', '+', isReached ? 0 : readDifference),
        clicked_count: eb('clicked_count', '+', clicks),
      }))
      .where('id', '=', id)
      .execute()
  if (total !== 0 || unreadDifference !== 0)
    await countChanges(trx, memberId, kind, { total, unread: unreadDifference })
}

/** The newest notification of an inbox; undefined for an empty one. */
export async function newestId(db: NotificationDb, { memberId, openWorkspaceIds }: Inbox): Promise<string | undefined> {
  const row = await db
    .selectFrom('receivers')
    .select('notification_id')
    .where('member_id', '=', memberId)
    .where('workspace_id', 'in', openWorkspaceIds)
    .orderBy('notification_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.notification_id
}

/**
 * Marks up to `limit` unread notifications as read, newest first.
 * @param which those up to this id, of this type or of all
 * @returns how many there were
 */
export const markRead = (
  db: NotificationDb,
  { memberId, openWorkspaceIds }: Inbox,
  limit: number,
  { upTo, type }: { upTo: string; type?: string | undefined },
): Promise<number> =>
  inTransaction(db, async trx => {
    const rows = await trx
      .selectFrom('receivers')
      .select(['notification_id', 'workspace_id', 'type', 'delivered_channels'])
      .where('member_id', '=', memberId)
      .where('workspace_id', 'in', openWorkspaceIds)
      .where('is_dismissed', '=', 0)
      .where('is_read', '=', 0)
      .where('notification_id', '<=', upTo)
      .$if(type !== undefined, query => query.where('type', '=', type ?? ''))
      .orderBy('notification_id', 'desc')
      .limit(limit)
      .forUpdate()
      .execute()
    if (rows.length === 0) return 0
    const ids = rows.map(row => row.notification_id)
    await trx
      .updateTable('receivers')
      .set({ is_read: 1, read_at: new Date(), status: 'read' })
      .where('member_id', '=', memberId)
      .where('notification_id', 'in', ids)
      .execute()
    const unreachedIds = rows.filter(row => row.delivered_channels === 0).map(row => row.notification_id)
    await allTenants(trx)
      .updateTable('notifications')
      .set(eb => ({
        read_count: eb('read_count', '+', 1),
        ...(unreachedIds.length > 0 && { delivered_count: sql`delivered_count + (id in (${sql.join(unreachedIds)}))` }),
      }))
      .where('id', 'in', ids)
      .execute()
    const kinds = [...Map.groupBy(rows, row => `${row.workspace_id} ${row.type}`)].toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    )
    for (const [, group] of kinds) {
      const [{ workspace_id: workspaceId, type: its } = { workspace_id: '', type: '' }] = group
      await countChanges(trx, memberId, { workspaceId, type: its }, { total: 0, unread: -group.length })
    }
    return rows.length
  })
