import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import type { MustReadService } from '../../../gen/platform/news/v1/must_read_pb.ts'
import type { Log } from '../../kernel/process/log.ts'
import type { DeliveryRow, NotificationRow } from '../tables.ts'

/** Those of the members whom a reminder still asks to confirm a page. */
export type PendingReaders = (reminder: NotificationRow, memberIds: readonly string[]) => Promise<ReadonlySet<string>>

const reminderKinds: ReadonlySet<string> = new Set(['page.reminded', 'page.due'])
const timeoutMs = 2_000

/** Asks the news service; while it is away, everybody is reminded. */
export const pendingReadersFrom =
  (news: Client<typeof MustReadService>, log: Log): PendingReaders =>
  async ({ page_id, data }, memberIds) => {
    const { dueAt } = (data === null ? {} : JSON.parse(data)) as { dueAt?: string | null }
    try {
      const request = { pageId: page_id ?? '', memberIds: [...memberIds] }
      const deadline = dueAt ? { dueAt: timestampFromDate(new Date(dueAt)) } : {}
      return new Set((await news.listPendingReaders({ ...request, ...deadline }, { timeoutMs })).memberIds)
    } catch (err) {
      log.warn({ err }, 'readers of a page not read; reminding all')
      return new Set(memberIds)
    }
  }

/** The deliveries of reminders that waited, whose receivers have confirmed the page meanwhile. */
export async function settledReminders(
  pendingReaders: PendingReaders,
  waited: readonly DeliveryRow[],
  notifications: readonly NotificationRow[],
): Promise<ReadonlySet<DeliveryRow>> {
  const reminders = notifications.filter(({ type, category }) => reminderKinds.has(`${type}.${category}`))
  const settledByReminder = await Promise.all(
    reminders.map(async reminder => {
      const deliveries = waited.filter(({ notification_id }) => notification_id === reminder.id)
      const memberIds = [...new Set(deliveries.flatMap(({ member_id }) => member_id ?? []))]
      if (memberIds.length === 0) return []
      const pendingIds = await pendingReaders(reminder, memberIds)
      return deliveries.filter(({ member_id }) => !pendingIds.has(member_id ?? ''))
    }),
  )
  return new Set(settledByReminder.flat())
}
