import type { ColumnType, Generated, Kysely, Selectable, Transaction } from 'kysely'
import type { Language } from '../kernel/base/language.ts'
import type { TenantTablesOf } from '../kernel/database/tenant-guard.ts'

/** Set by the server at creation and on every change. */
type DefaultedTime = ColumnType<Date, Date | undefined, Date>
/** A JSON column, which the driver returns as text. */
type JsonText = string
type Count = Generated<number>
type Flag = Generated<number>

export type ReceiverStatus = 'pending' | 'sent' | 'delivered' | 'read' | 'failed'

type NotificationTable = {
  id: string
  workspace_id: string
  ecosystem_id: string | null
  /** The same for all events of one occurrence. */
  occurrence_id: string
  type: string
  category: string
  /** French, the default. */
  title: string
  body: string
  title_en: string
  body_en: string
  data: JsonText | null
  /** Values for the template's own HTML, if it has some. */
  mail_values: Generated<JsonText | null>
  actor_id: string | null
  actor_type: string
  /** The members whose names texts and data hold: the actor, and who it is about. Null once they are erased. */
  named_actor_id: Generated<string | null>
  named_member_id: Generated<string | null>
  entity_id: string | null
  entity_type: string | null
  /** The page that it is about, itself or through a comment or a reaction. */
  page_id: Generated<string | null>
  /** When what it is about was removed; it has no texts since. */
  withdrawn_at: Generated<Date | null>
  /** Bits, see channels.ts. */
  channels: number
  priority: number
  receiver_count: Count
  /** Receivers by socket, counted here instead of on each receiver's row. */
  socket_count: Count
  sent_count: Count
  delivered_count: Count
  read_count: Count
  clicked_count: Count
  failed_count: Count
  created_at: Date
  updated_at: DefaultedTime
}

type ReceiverTable = {
  member_id: string
  notification_id: string
  /** Of the notification; empty for none. */
  workspace_id: string
  type: string
  status: Generated<ReceiverStatus>
  /** Channels that the preferences left, as bits. */
  channels: number
  /** Push and e-mail: what was attempted and what was accepted. */
  sent_channels: Count
  delivered_channels: Count
  is_read: Flag
  is_dismissed: Flag
  read_at: Date | null
  clicked_at: Date | null
  dismissed_at: Date | null
}

type SubscriptionTable = {
  id: string
  member_id: string
  /** Empty for a browser, which gets the pushes of all workspaces. */
  workspace_id: string
  /** Of a browser, its address at the push service. */
  device_token: string
  device_type: string
  platform: PushLane
  app_version: string | null
  device_model: string | null
  os_version: string | null
  is_active: Flag
  last_used_at: Date
  created_at: Date
  updated_at: DefaultedTime
  /** Of a browser: its public key and secret, and the session with which it ends. */
  p256dh: Generated<string | null>
  auth: Generated<string | null>
  session_id: Generated<string | null>
}

type TemplateTable = {
  id: string
  slug: string
  language: Language
  type: string
  category: string
  title: string
  body: string
  email_subject: string | null
  email_body: string | null
  variables: JsonText
  default_data: JsonText | null
  is_active: Flag
  created_at: DefaultedTime
  updated_at: DefaultedTime
}

/** Each lane has its own worker, so that a slow provider delays no other. */
export const pushLanes = ['onesignal', 'fcm', 'webpush'] as const
export type PushLane = (typeof pushLanes)[number]
export type Lane = PushLane | 'email'

type DeliveryTable = {
  id: string
  /** Null for a mail without a notification. */
  notification_id: string | null
  workspace_id: string
  /** Null for a mail to an address. */
  member_id: string | null
  lane: Lane
  subscription_id: string | null
  /** A mail to an address, encrypted until sent, because it holds links and codes. */
  sealed_mail: string | null
  idempotency_key: string | null
  /** The pages that a digest lists were published between these; null for none. */
  news_since: Generated<Date | null>
  news_until: Generated<Date | null>
  status: Generated<'pending' | 'success' | 'failed'>
  attempts: Count
  due_at: Date | null
  created_at: Date
}

type AttemptTable = {
  id: string
  delivery_id: string
  notification_id: string | null
  member_id: string | null
  channel: 'push' | 'email' | 'socket'
  status: 'success' | 'failed' | 'retry'
  attempt_number: number
  provider: string | null
  provider_id: string | null
  provider_response: JsonText | null
  error: string | null
  error_code: string | null
  sent_at: Date
  created_at: DefaultedTime
}

type PreferenceTable = {
  member_id: string
  is_global_silent: Flag
  do_not_disturb: Flag
  dnd_until: Date | null
  quiet_hours: JsonText | null
  category_prefs: JsonText
  created_at: DefaultedTime
  updated_at: DefaultedTime
}

type DigestTable = {
  member_id: string
  frequency: 'automatic' | 'off' | 'daily' | 'weekly'
  /** Local hour, and day of a weekly one: 1 for Monday. */
  digest_hour: Generated<number>
  digest_weekday: Generated<number>
  due_at: Date | null
  /** Pages published later are still to be listed. */
  news_since: Date | null
}

type DigestItemTable = {
  member_id: string
  notification_id: string
  /** The digest that it belongs to; null while it waits for one. */
  delivery_id: string | null
  created_at: Date
}

type WebhookTable = {
  id: string
  workspace_id: string
  url: string
  /** A list; empty for all. */
  event_types: JsonText
  description: string | null
  is_enabled: Flag
  /** Why the platform disabled it. */
  disabled_reason: Generated<'gone' | 'failing' | null>
  disabled_at: Generated<Date | null>
  /** First of the failures since the last success. */
  failing_since: Generated<Date | null>
  /** Encrypted; the previous one signs, too, until its end. */
  secret: string
  previous_secret: Generated<string | null>
  previous_secret_until: Generated<Date | null>
  created_at: Date
  updated_at: DefaultedTime
}

type WebhookDeliveryTable = {
  id: string
  workspace_id: string
  webhook_id: string
  event_type: string
  occurrence_id: string
  body: string
  /** The members whom the body names: the actor, and whom it is about. */
  named_actor_id: string | null
  named_person_id: string | null
  status: Generated<'pending' | 'delivered' | 'failed'>
  attempts: Count
  /** Null once it has ended. */
  due_at: Date | null
  attempted_at: Generated<Date | null>
  response_status: Generated<number | null>
  response_body: Generated<string | null>
  error: Generated<string | null>
  error_code: Generated<WebhookErrorCode | null>
  created_at: Date
}

type WebhookErrorCode =
  | ('status' | 'timeout' | 'connection_failed' | 'name_unresolved' | 'address_not_public' | 'address_not_allowed')
  | ('endpoint_disabled' | 'hotel_closed' | 'secret_unreadable' | 'process_ended')

/** `name` is a digest of what is counted. */
export type MailCounter = { name: string; mails: number; ends_at: Date }

export type NotificationTables = {
  notifications: NotificationTable
  receivers: ReceiverTable
  /** Meaningful only as a sum over lanes; a single lane may be negative. */
  member_counters: {
    member_id: string
    workspace_id: string
    type: string
    lane: number
    total: number
    unread: number
    dismissed: Count
  }
  preferences: PreferenceTable
  subscriptions: SubscriptionTable
  templates: TemplateTable
  digests: DigestTable
  digest_items: DigestItemTable
  deliveries: DeliveryTable
  delivery_attempts: AttemptTable
  webhooks: WebhookTable
  webhook_deliveries: WebhookDeliveryTable
  mail_counters: MailCounter
  erased_members: { id: string; erased_at: Date }
  ended_entities: { workspace_id: string; entity_id: string; ended_at: Date; told_at: Date }
}

export type NotificationDb = Kysely<NotificationTables>
export type NotificationTrx = Transaction<NotificationTables>
export type NotificationRow = Selectable<NotificationTable>
export type DeviceRow = Selectable<SubscriptionTable>
export type TextTemplateRow = Selectable<TemplateTable>
export type DeliveryRow = Selectable<DeliveryTable>
export type AttemptRow = Selectable<AttemptTable>
export type WebhookRow = Selectable<WebhookTable>
export type WebhookDeliveryRow = Selectable<WebhookDeliveryTable>
export type MemberPreferenceRow = Selectable<PreferenceTable>

/** For the tenant guard: an inbox belongs to a member, a notification to a workspace. */
export const tenantTables: TenantTablesOf<NotificationTables> = {
  notifications: { tenant: 'workspace_id' },
  receivers: { tenant: ['member_id', 'notification_id'], owner: 'member_id' },
  member_counters: { tenant: 'member_id', owner: 'member_id' },
  preferences: { tenant: 'member_id', owner: 'member_id' },
  subscriptions: { tenant: ['member_id', 'workspace_id'], owner: 'member_id', private: true },
  digests: { tenant: 'member_id', owner: 'member_id' },
  digest_items: { tenant: 'member_id', owner: 'member_id' },
  deliveries: { tenant: 'workspace_id', owner: null },
  webhooks: { tenant: 'workspace_id' },
  webhook_deliveries: { tenant: ['workspace_id', 'webhook_id'] },
  ended_entities: { tenant: 'workspace_id' },
}
