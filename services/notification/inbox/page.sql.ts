import { type RawBuilder, sql } from 'kysely'
import { exempt } from '../../kernel/database/database.ts'
import { type CursorPaging, cutToPage, followsCursor, type ListOrder, rowsToRead } from '../../kernel/rpc/cursor.ts'
import type { NotificationDb, NotificationRow } from '../tables.ts'
import type { Inbox } from './sql.ts'

type InboxFilter = { isRead?: boolean | undefined; type?: string | undefined; isArchived: boolean }

export type InboxRow = { notification: NotificationRow; isRead: boolean }

/** A page with the totals of the same moment. */
type InboxPage = { rows: InboxRow[]; nextCursor: string | undefined; total: number; unread: number }

/** Ids begin with the time of creation. */
export const inboxOrder: ListOrder = { name: 'inbox', columns: { notification_id: 'id' } }

type Totals = { total: number; unread: number }
type State = { notification_id: string; is_read: number } & Totals

/**
 * One page of a member's inbox, newest first, with the totals of the same moment. The matches of a filter may be few
 * among thousands of entries: then their number is read beforehand, so that the scan ends at the last one.
 */
export async function inboxPage(
  db: NotificationDb,
  inbox: Inbox,
  filter: InboxFilter,
  page: CursorPaging,
): Promise<InboxPage> {
  const isFiltered = filter.isRead !== undefined || filter.type !== undefined || filter.isArchived
  const maxRows = isFiltered ? (await totalsOf(db, inbox, filter)).total - page.offset : Infinity
  const states = maxRows > 0 ? await statesOf(db, inbox, filter, page, Math.min(rowsToRead(page), maxRows)) : []
  const { rows, nextCursor } = cutToPage(states, page)
  const [first] = states
  const totals = first ?? (await totalsOf(db, inbox, filter))
  return {
    rows: await withNotifications(db, rows),
    nextCursor,
    total: Number(totals.total),
    unread: Number(totals.unread),
  }
}

/** From the counters: counting ten thousand rows would cost far more than the page. */
async function totalsOf(db: NotificationDb, inbox: Inbox, filter: InboxFilter): Promise<Totals> {
  const { total, unread } = await db
    .selectNoFrom([totalIn(inbox, filter).as('total'), unreadIn(inbox).as('unread')])
    .executeTakeFirstOrThrow()
  return { total: Number(total), unread: Number(unread) }
}

function statesOf(
  db: NotificationDb,
  inbox: Inbox,
  filter: InboxFilter,
  page: CursorPaging,
  limit: number,
): Promise<State[]> {
  const { isRead, type, isArchived } = filter
  return db
    .selectFrom('receivers')
    .select(['notification_id', 'is_read'])
    .select([totalIn(inbox, filter).as('total'), unreadIn(inbox).as('unread')])
    .where('member_id', '=', inbox.memberId)
    .where('workspace_id', 'in', inbox.openWorkspaceIds)
    .where('is_dismissed', '=', isArchived ? 1 : 0)
    .$if(isRead !== undefined, query => query.where('is_read', '=', isRead ? 1 : 0))
    .$if(type !== undefined, query => query.where('type', '=', type ?? ''))
    .where(followsCursor(page, 'receivers'))
    .orderBy('notification_id', 'desc')
    .limit(limit)
    .offset(page.offset)
    .execute()
}

async function withNotifications(db: NotificationDb, states: readonly State[]): Promise<InboxRow[]> {
  const ids = states.map(state => state.notification_id)
  if (ids.length === 0) return []
  const rows = await exempt(db, 'receivers read what was sent to them, whatever the workspace')
    .selectFrom('notifications')
    .selectAll()
    .where('id', 'in', ids)
    .execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  return states.flatMap(state => {
    const notification = byId.get(state.notification_id)
    return notification ? [{ notification, isRead: state.is_read === 1 }] : []
  })
}

const unreadIn = ({ memberId, openWorkspaceIds }: Inbox) =>
  sql<number>`(
    select coalesce(sum(unread), 0) from member_counters
    where member_id = ${memberId} and workspace_id in (${sql.join(openWorkspaceIds)})
  )`

/** Number of matches of a filter. No counter covers read and unread ones among the dismissed, so those are counted. */
function totalIn({ memberId, openWorkspaceIds }: Inbox, { isRead, type, isArchived }: InboxFilter) {
  const ofType = type === undefined ? sql`` : sql`and type = ${type}`
  const isOpen = sql`workspace_id in (${sql.join(openWorkspaceIds)})`
  if (isArchived && isRead !== undefined)
    return sql<number>`(
      select count(*) from receivers as r
      where r.member_id = ${memberId} and r.is_dismissed = 1 and r.is_read = ${isRead ? 1 : 0} and ${isOpen} ${ofType}
    )`
  const counterColumn = isArchived ? sql`dismissed` : inList(isRead)
  return sql<number>`(
    select coalesce(sum(${counterColumn}), 0) from member_counters where member_id = ${memberId} and ${isOpen} ${ofType}
  )`
}

const inList = (isRead: boolean | undefined): RawBuilder<unknown> =>
  isRead === undefined ? sql`total` : isRead ? sql`total - unread` : sql`unread`
