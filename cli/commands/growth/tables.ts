import { type ServiceName } from '../../../services/kernel/base/service-names.ts'

/** How long the rows of a table are retention: a setting in days, or a fixed time. */
type Retention = { setting: string; days: number } | string

export type Growing = {
  service: ServiceName
  table: string
  retention: Retention
  /** Counts rows of a time: record ids begin with their second, or a column of an index. */
  since?: 'id' | { column: string; index: string }
}

const forEver = 'for ever'
const byId = (service: ServiceName, table: string, retention: Retention = forEver): Growing => ({
  service,
  table,
  retention,
  since: 'id',
})
const by = (service: ServiceName, table: string, column: string, index: string, retention: Retention): Growing => ({
  ...{ service, table, retention },
  since: { column, index },
})
const days = (setting: string, fallback = 0): Retention => ({ setting, days: fallback })
const kernel = (service: ServiceName): Growing[] => [
  by(service, 'outbox', 'published_at', 'outbox_published', '1 day after publication'),
  by(service, 'inbox', 'done_at', 'inbox_done', '8 days'),
  by(service, 'idempotency_keys', 'claimed_at', 'idempotency_keys_claimed', '1 day'),
]

/** Tables that grow with use. */
export const growing: Growing[] = [
  byId('auth', 'users'),
  byId('auth', 'sessions', '7 days after their end'),
  byId('auth', 'refresh_tokens', '7 days after their end'),
  byId('auth', 'user_logs', '90 days'),
  byId('member', 'members'),
  { service: 'member', table: 'workspace_members', retention: forEver },
  { service: 'member', table: 'ecosystem_memberships', retention: forEver },
  byId('member', 'onboardings'),
  by('member', 'audit_entries', 'created_at', 'audit_entries_age', days('AUDIT_KEPT_DAYS')),
  byId('hotel', 'hotel_setups', days('SETUP_KEPT_DAYS', 90)),
  { service: 'hotel', table: 'hotel_setup_steps', retention: days('SETUP_KEPT_DAYS', 90) },
  byId('media', 'media_files'),
  by('payment', 'payment_webhook_events', 'received_at', 'payment_webhook_events_received', '30 days'),
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
  ...(['auth', 'member', 'hotel', 'media', 'news', 'notification', 'payment'] as const).flatMap(kernel),
]
