import { type ServiceName } from '../../../services/kernel/base/service-names.ts'

/** How long rows are kept: a setting in days (0: for ever), or a fixed period. */
type Retention = { setting: string; days: number } | string

export type GrowingTable = {
  service: ServiceName
  table: string
  retention: Retention
  /** How to count recent rows: by id, which starts with its creation second, or by an indexed column. */
  since?: 'id' | { column: string; index: string }
}

const forEver = 'for ever'
const byId = (service: ServiceName, table: string, retention: Retention = forEver): GrowingTable => ({
  service,
  table,
  retention,
  since: 'id',
})
const byColumn = (
  service: ServiceName,
  table: string,
  column: string,
  index: string,
  retention: Retention,
): GrowingTable => ({
  ...{ service, table, retention },
  since: { column, index },
})
const days = (setting: string, fallback = 0): Retention => ({ setting, days: fallback })
const outboxAndInboxTables = (service: ServiceName): GrowingTable[] => [
  byColumn(service, 'outbox', 'published_at', 'outbox_published', '1 day after publication'),
  byColumn(service, 'inbox', 'done_at', 'inbox_done', '8 days'),
  byColumn(service, 'idempotency_keys', 'claimed_at', 'idempotency_keys_claimed', '1 day'),
]

/** Tables that grow with use. */
export const growingTables: GrowingTable[] = [
  byId('auth', 'users'),
  byId('auth', 'sessions', '7 days after their end'),
  byId('auth', 'refresh_tokens', '7 days after their end'),
  byId('auth', 'user_logs', '90 days'),
  byId('member', 'members'),
  { service: 'member', table: 'workspace_members', retention: forEver },
  { service: 'member', table: 'ecosystem_memberships', retention: forEver },
  byId('member', 'onboardings'),
  byColumn('member', 'audit_entries', 'created_at', 'audit_entries_age', days('AUDIT_KEPT_DAYS')),
  byId('hotel', 'hotel_setups', days('SETUP_KEPT_DAYS', 90)),
  { service: 'hotel', table: 'hotel_setup_steps', retention: days('SETUP_KEPT_DAYS', 90) },
  byId('media', 'media_files'),
  byColumn('payment', 'payment_webhook_events', 'received_at', 'payment_webhook_events_received', '30 days'),
  byId('news', 'pages'),
  { service: 'news', table: 'page_bodies', retention: forEver },
  byId('news', 'page_revisions'),
  byId('news', 'comments'),
  { service: 'news', table: 'comment_likes', retention: forEver },
  byId('news', 'likes'),
  byId('news', 'page_views', days('VIEWS_KEPT_DAYS')),
  { service: 'news', table: 'page_viewers', retention: forEver },
  { service: 'news', table: 'page_days', retention: forEver },
  { service: 'news', table: 'page_texts', retention: forEver },
  byId('notification', 'notifications', days('NOTIFICATIONS_KEPT_DAYS')),
  { service: 'notification', table: 'receivers', retention: days('NOTIFICATIONS_KEPT_DAYS') },
  { service: 'notification', table: 'member_counters', retention: forEver },
  byId('notification', 'deliveries', days('DELIVERIES_KEPT_DAYS')),
  byId('notification', 'delivery_attempts', days('DELIVERIES_KEPT_DAYS')),
  byId('notification', 'webhook_deliveries', days('WEBHOOK_DELIVERIES_KEPT_DAYS', 30)),
  ...(['auth', 'member', 'hotel', 'media', 'news', 'notification', 'payment'] as const).flatMap(outboxAndInboxTables),
]
