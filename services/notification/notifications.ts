import type { JsonObject } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { HandlerContext } from '@connectrpc/connect'
import { NotificationService } from '../../gen/platform/notification/v1/notifications_pb.ts'
import { callerOf } from '../kernel/access.ts'
import { NotFoundError } from '../kernel/errors.ts'
import { implement } from '../kernel/implement.ts'
import { pageMeta, paging } from '../kernel/paging.ts'
import type { Rpc } from '../kernel/server.ts'
import type { Person } from './audience.ts'
import { sendDirect } from './direct.ts'
import type { Parts } from './events.ts'
import {
  changeState,
  countDismissed,
  countsByType,
  type InboxFilter,
  inboxPage,
  type InboxRow,
  readSome,
  type State,
  type TypeCounts,
} from './inbox.sql.ts'

const chunk = 1_000

/** The calling member's inbox, and direct messages. */
export function notificationService(parts: Parts): Rpc {
  const { db, audience, unread } = parts

  /** Changes one of the caller's notifications and tells their other devices. */
  const change = async (context: HandlerContext, id: string, how: (before: State, now: Date) => State) => {
    const { memberId } = callerOf(context)
    const now = new Date()
    const changed = await changeState(db, memberId, id, before => how(before, now))
    if (!changed) throw new NotFoundError('Notification not found')
    const { before, after, workspaceId } = changed
    if (after.isRead && !before.isRead) unread.read(memberId, id)
    else if (after.isRead !== before.isRead || after.dismissedAt !== before.dismissedAt)
      unread.changed(workspaceId, [memberId])
    return after
  }

  return implement(NotificationService, {
    async listNotifications(request, context) {
      const { memberId } = callerOf(context)
      const page = paging(request)
      const filter: InboxFilter = {
        isRead: request.isRead,
        type: request.type,
        isArchived: request.isArchived ?? false,
      }
      const counts = await countsByType(db, memberId)
      const isCounted = !filter.isArchived || filter.isRead === undefined
      const total = isCounted ? totalOf(counts, filter) : await countDismissed(db, memberId, filter)
      const limit = Math.min(page.limit, total - page.offset)
      const rows = limit > 0 ? await inboxPage(db, memberId, filter, { limit, offset: page.offset }) : []
      const ids = rows.flatMap(({ notification }) => notification.actor_id ?? [])
      const people = await audience.people([memberId, ...ids])
      return {
        data: rows.map(row => itemOf(row, people, people.get(memberId)?.language === 'en')),
        meta: { ...pageMeta(total, page), unread: sumUnread(counts) },
      }
    },

    async getUnreadCount(_request, context) {
      const counts = (await countsByType(db, callerOf(context).memberId)).filter(each => each.unread > 0)
      return { count: sumUnread(counts), byType: Object.fromEntries(counts.map(each => [each.type, each.unread])) }
    },

    async markRead({ id }, context) {
      const { readAt } = await change(context, id, read)
      return { id, isRead: true, ...(readAt ? { readAt: timestampFromDate(readAt) } : {}) }
    },

    async markUnread({ id }, context) {
      await change(context, id, before => ({ ...before, isRead: false, readAt: null }))
      return { id, isRead: false }
    },

    async markAllRead(_request, context) {
      const { memberId } = callerOf(context)
      let updated = 0
      let left = sumUnread(await countsByType(db, memberId))
      while (left > 0) {
        const some = await readSome(db, memberId, Math.min(left, chunk))
        updated += some
        left = some === 0 ? 0 : sumUnread(await countsByType(db, memberId))
      }
      if (updated > 0) unread.read(memberId, null)
      return { updated, unread: left }
    },

    async clickNotification({ id }, context) {
      const { clickedAt } = await change(context, id, (before, now) => ({
        ...read(before, now),
        clickedAt: before.clickedAt ?? now,
      }))
      return { id, isClicked: true, isRead: true, ...(clickedAt ? { clickedAt: timestampFromDate(clickedAt) } : {}) }
    },

    async dismissNotification({ id }, context) {
      const { dismissedAt } = await change(context, id, (before, now) => ({
        ...before,
        dismissedAt: before.dismissedAt ?? now,
      }))
      return { id, isDismissed: true, ...(dismissedAt ? { dismissedAt: timestampFromDate(dismissedAt) } : {}) }
    },

    async unarchiveNotification({ id }, context) {
      const { isRead } = await change(context, id, before => ({ ...before, dismissedAt: null }))
      return { id, isDismissed: false, isRead }
    },

    sendNotification: (request, context) => sendDirect(parts, request, context),
  })
}

const read = (before: State, now: Date): State => (before.isRead ? before : { ...before, isRead: true, readAt: now })

const sumUnread = (counts: readonly TypeCounts[]): number => counts.reduce((sum, each) => sum + each.unread, 0)

/** From the counters: counting ten thousand rows would cost many times the page. */
function totalOf(counts: readonly TypeCounts[], { isRead, type, isArchived }: InboxFilter): number {
  const matching = type === undefined ? counts : counts.filter(each => each.type === type)
  const sizeOf = (each: TypeCounts): number => {
    if (isArchived) return each.dismissed
    if (isRead === undefined) return each.total
    return isRead ? each.total - each.unread : each.unread
  }
  return matching.reduce((sum, each) => sum + sizeOf(each), 0)
}

function itemOf({ notification: n, isRead }: InboxRow, people: ReadonlyMap<string, Person>, isEnglish: boolean) {
  return {
    id: n.id,
    type: n.type,
    category: n.category,
    title: isEnglish ? n.title_en : n.title,
    body: isEnglish ? n.body_en : n.body,
    ...(n.actor_id === null ? {} : { actor: actorOf(n.actor_id, people.get(n.actor_id)) }),
    ...(n.data === null ? {} : { data: JSON.parse(n.data) as JsonObject }),
    isRead,
    createdAt: timestampFromDate(n.created_at),
  }
}

/** Somebody who has left the platform is an id without a name. */
const actorOf = (id: string, person: Person | undefined) => ({
  id,
  ...(person
    ? {
        firstName: person.firstName,
        lastName: person.lastName,
        ...(person.photoUrl === null ? {} : { photoUrl: person.photoUrl }),
      }
    : {}),
})
