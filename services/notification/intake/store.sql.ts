import { sql } from 'kysely'
import { exempt, isDuplicateKey } from '../../kernel/database/database.ts'
import type { NotificationTrx } from '../tables.ts'

/** A receiver with the channels that their preferences left, as bits. */
export type NewReceiver = {
  memberId: string
  channels: number
  /** Whether the mail waits for the member's digest. */
  isCollected?: boolean
  /** When push and mail are sent; absent for at once. */
  heldUntil?: Date
}

export type NewNotification = {
  id: string
  workspace_id: string
  ecosystem_id: string | null
  occurrence_id: string
  type: string
  category: string
  title: string
  body: string
  title_en: string
  body_en: string
  data: string | null
  mail_values?: string
  actor_id: string | null
  actor_type: string
  named_actor_id?: string | null
  named_member_id?: string | null
  entity_id: string | null
  entity_type: string | null
  page_id?: string | null
  channels: number
  priority: number
  created_at: Date
}

export type CountedNotification = NewNotification &
  Record<'receiver_count' | 'socket_count' | 'sent_count' | 'delivered_count' | 'read_count', number>

/** `claimEvent` for several events: false, with nothing recorded, when one of them was recorded before. */
export async function claimEvents(
  trx: NotificationTrx,
  consumer: string,
  eventIds: readonly string[],
): Promise<boolean> {
  const values = sql.join(eventIds.toSorted().map(eventId => sql`(${consumer}, ${eventId})`))
  try {
    await sql`insert into inbox (consumer, event_id) values ${values}`.execute(trx)
    return true
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}

/**
 * Inserts the notifications of occurrences that have none. The second of two writers of one occurrence waits here for
 * the first.
 * @returns false when some of them had one
 */
export async function insertNotifications(trx: NotificationTrx, rows: CountedNotification[]): Promise<boolean> {
  const insertion = trx.insertInto('notifications').values(rows)
  try {
    await insertion.execute()
    return true
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    await insertion.onDuplicateKeyUpdate(eb => ({ workspace_id: eb.ref('notifications.workspace_id') })).execute()
    return false
  }
}

/** Stored notifications by "workspace occurrence". */
export async function loadNotifications(
  trx: NotificationTrx,
  keys: readonly { workspace_id: string; occurrence_id: string }[],
): Promise<Map<string, { id: string; withdrawn_at: Date | null }>> {
  if (keys.length === 0) return new Map()
  const rows = await trx
    .selectFrom('notifications')
    .select(['id', 'workspace_id', 'occurrence_id', 'withdrawn_at'])
    .where('workspace_id', 'in', [...new Set(keys.map(key => key.workspace_id))])
    .where('occurrence_id', 'in', [...new Set(keys.map(key => key.occurrence_id))])
    .execute()
  return new Map(rows.map(row => [occurrenceKey(row), row]))
}

export const occurrenceKey = (row: { workspace_id: string; occurrence_id: string }): string =>
  `${row.workspace_id} ${row.occurrence_id}`

type Growth = { channels: number; priority: number; receivers: number; sockets: number; reads: number }

/**
 * Adds events to their notifications: channels, urgency, receivers; equal growths share a statement. Frames count as
 * sent once stored.
 */
export async function growNotifications(
  trx: NotificationTrx,
  grownNotifications: readonly { id: string; by: Growth }[],
): Promise<void> {
  for (const equalGrowths of Map.groupBy(grownNotifications, ({ by }) => Object.values(by).join()).values()) {
    const [first] = equalGrowths
    if (!first) continue
    const { by } = first
    await exempt(trx, 'the notifications of the occurrences being stored')
      .updateTable('notifications')
      .set({
        channels: sql`channels | ${by.channels}`,
        priority: sql`greatest(priority, ${by.priority})`,
        receiver_count: sql`receiver_count + ${by.receivers}`,
        socket_count: sql`socket_count + ${by.sockets}`,
        sent_count: sql`sent_count + ${by.sockets}`,
        delivered_count: sql`delivered_count + ${by.reads}`,
        read_count: sql`read_count + ${by.reads}`,
      })
      .where(
        'id',
        'in',
        equalGrowths.map(notification => notification.id),
      )
      .execute()
  }
}
