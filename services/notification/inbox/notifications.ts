import type { JsonObject } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { HandlerContext } from '@connectrpc/connect'
import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { personOf } from '../../kernel/access/access.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import { cursorPaging } from '../../kernel/rpc/cursor.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta } from '../../kernel/rpc/paging.ts'
import type { Recipient } from '../audience.ts'
import { sendDirect } from '../intake/direct.ts'
import type { Intake } from '../intake/events.ts'
import { storedTexts } from '../texts/event-texts.ts'
import { type InboxRow, inboxOrder, inboxPage } from './page.sql.ts'
import { changeState, countsByType, type EntryState, type Inbox, markRead, newestId, type TypeCounts } from './sql.ts'

const chunk = 1_000

/** The calling member's inbox, and direct messages. */
export function notificationService(intake: Intake): Rpc {
  const { db, audience, unread: announcer } = intake

  /** The caller's inbox: entries of a workspace are visible to its present members only. */
  const inboxOf = (context: HandlerContext): Inbox => {
    const { memberId, workspaces } = personOf(context)
    return { memberId, openWorkspaceIds: ['', ...workspaces.flatMap(one => (one.isAtRest ? [] : one.workspaceId))] }
  }

  /** Changes one of the caller's notifications and notifies their other devices. */
  const change = async (
    context: HandlerContext,
    id: string,
    nextState: (before: EntryState, now: Date) => EntryState,
  ) => {
    const inbox = inboxOf(context)
    const { memberId } = inbox
    const now = new Date()
    const change = await changeState(db, inbox, id, before => nextState(before, now))
    if (!change) throw new NotFoundError('Notification not found')
    const { before, after, workspaceId } = change
    if (after.isRead && !before.isRead) announcer.read(memberId, id)
    else if (after.isRead !== before.isRead || after.dismissedAt !== before.dismissedAt)
      announcer.publishCounts(workspaceId, [memberId])
    return after
  }

  return implement(NotificationService, {
    async listNotifications(request, context) {
      const inbox = inboxOf(context)
      const { memberId } = inbox
      const page = cursorPaging(request, inboxOrder)
      const { isRead, type, isArchived = false } = request
      const { rows, nextCursor, total, unread } = await inboxPage(db, inbox, { isRead, type, isArchived }, page)
      const ids = rows.flatMap(({ notification }) => notification.actor_id ?? [])
      const people = await audience.people([memberId, ...ids])
      const language = request.language ?? people.get(memberId)?.language
      return {
        data: rows.map(row => itemOf(row, people, language)),
        meta: { ...pageMeta(total, page, nextCursor), unread },
      }
    },

    async getUnreadCount(_request, context) {
      const counts = (await countsByType(db, inboxOf(context))).filter(typeCounts => typeCounts.unread > 0)
      return {
        count: sumUnread(counts),
        byType: Object.fromEntries(counts.map(typeCounts => [typeCounts.type, typeCounts.unread])),
      }
    },

    async markRead({ id }, context) {
      const { readAt } = await change(context, id, read)
      return { id, isRead: true, ...(readAt ? { readAt: timestampFromDate(readAt) } : {}) }
    },

    async markUnread({ id }, context) {
      await change(context, id, before => ({ ...before, isRead: false, readAt: null }))
      return { id, isRead: false }
    },

    async markAllRead({ type }, context) {
      const inbox = inboxOf(context)
      // What arrives meanwhile stays unread.
      const upTo = (await newestId(db, inbox)) ?? ''
      const counts = await countsByType(db, inbox)
      const toRead = sumUnread(counts.filter(typeCounts => type === undefined || typeCounts.type === type))
      let readCount = 0
      for (let limit = Math.min(toRead, chunk); limit > 0; limit = Math.min(toRead - readCount, chunk)) {
        const readNow = await markRead(db, inbox, limit, { upTo, type })
        readCount += readNow
        if (readNow < limit) break
      }
      if (readCount > 0) announcer.read(inbox.memberId, null)
      return { updated: readCount, unread: sumUnread(await countsByType(db, inbox)) }
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

    sendNotification: (request, context) => sendDirect(intake, request, context),
  })
}

const read = (before: EntryState, now: Date): EntryState =>
  before.isRead ? before : { ...before, isRead: true, readAt: now }

const sumUnread = (counts: readonly TypeCounts[]): number =>
  counts.reduce((sum, typeCounts) => sum + typeCounts.unread, 0)

function itemOf({ notification: n, isRead }: InboxRow, people: ReadonlyMap<string, Recipient>, language?: string) {
  return {
    id: n.id,
    type: n.type,
    category: n.category,
    ...storedTexts(n, language === 'en' ? 'en' : 'fr'),
    actor: n.actor_id === null ? {} : actorOf(n.actor_id, people.get(n.actor_id)),
    ...(n.data === null ? {} : { data: JSON.parse(n.data) as JsonObject }),
    isRead,
    createdAt: timestampFromDate(n.created_at),
  }
}

/** An erased person is an id without a name. */
const actorOf = (id: string, person: Recipient | undefined) => ({
  id,
  ...(person
    ? {
        firstName: person.firstName,
        lastName: person.lastName,
        ...(person.photoUrl === null ? {} : { photoUrl: person.photoUrl }),
      }
    : {}),
})
