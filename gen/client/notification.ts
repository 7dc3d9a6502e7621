// Written by npm run gen from gen/openapi/notification.json; never edited.
import type { CallOptions, ClientRoutes } from '../../edge/client/call.ts'

/** Totals of each channel. */
export type ChannelAnalytics = {
  /** Push, counted per device. */
  push: ChannelFigures | null
  /** E-mail, counted per member. */
  email: ChannelFigures | null
  /** Socket, counted per member. */
  socket: ChannelFigures | null
}

/** Channels to change. Omitted channels are unchanged, or enabled if never set. */
export type ChannelChange = {
  /** In-app list. */
  app?: boolean | null
  /** Push. */
  push?: boolean | null
  /** E-mail. */
  email?: boolean | null
  /** Socket. */
  socket?: boolean | null
}

/** Totals of one channel. */
export type ChannelFigures = {
  /** Number of attempted deliveries; retries aren't counted. */
  sent: number
  /** Number of deliveries that the provider accepted; for sockets, of notifications that were read. */
  delivered: number
  /** delivered / sent, from 0 to 1; 0 when none was sent. */
  rate: number
}

/** Channels of one <type>.<category>. */
export type ChannelSwitches = {
  /** In-app list. */
  app: boolean
  /** Push. */
  push: boolean
  /** E-mail. */
  email: boolean
  /** Socket. */
  socket: boolean
}

/** The new state of the notification. */
export type ClickNotificationResponse = {
  /** Notification id. */
  id: string
  /** Always true. */
  isClicked: boolean
  /** Time of the first click. */
  clickedAt: string | null
  /** Always true. */
  isRead: boolean
}

/** Fields of a new endpoint. */
export type CreateWebhookRequest = {
  /** Workspace id; the caller's own when absent. */
  workspaceId?: string | null
  /** Address https://…, on port 443 or one from 1024, without credentials; outside production also http://…. */
  url: string
  /** Event types that it takes, of those that the list of endpoints returns; empty for all. */
  eventTypes?: string[]
  /** Free text. */
  description?: string | null
}

/** A message that a consumer failed to process. */
export type DeadLetter = {
  /** Sequence number in the dead-letter stream. */
  id: string
  /** Routing key of the message. */
  key: string
  /** Message type, such as page.created; null when the message couldn't be read. */
  type: string | null
  /** Durable name of the consumer. */
  consumer: string
  /** Reason of the failure. */
  reason: string
  /** Number of attempts. */
  attempts: number
  /** Message id of the publisher. */
  messageId: string | null
  /** Occurrence id of the message. */
  occurrenceId: string | null
  /** Workspace id of the message. */
  workspaceId: string | null
  /** Sequence number in the original stream. */
  originSequence: string
  /** Time of the first publication. */
  publishedAt: string | null
  /** Time of the last failure. */
  failedAt: string | null
  /** Id of the dead letter that was redriven before this failure; null for the first failure. */
  redrivenFrom: string | null
}

/** A reason, and the number of dead letters that have it. */
export type DeadLetterReason = {
  /** Reason of the failure. */
  reason: string
  /** Number of matching dead letters. */
  count: number
  /** Time of the latest failure. */
  failedAt: string | null
}

/** Confirms the deletion. */
export type DeleteWebhookResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Endpoint id. */
  id: string
}

/** One attempt on one channel for one member and, for push, one device. */
export type DeliveryAttempt = {
  /** Attempt id. */
  id: string
  /** Notification id. */
  notificationId: string
  /** Member id of the receiver. */
  memberId: string
  /** Channel. */
  channel: 'push' | 'email' | 'socket'
  /** Status; retry while another attempt is pending. */
  status: 'success' | 'failed' | 'retry'
  /** Number of the attempt, from 1. */
  attemptNumber: number
  /** onesignal, fcm, or the name of the e-mail provider. */
  provider: string | null
  /** Id of the message at the provider. */
  providerId: string | null
  /** Answer of the provider, without secrets. */
  providerResponse: Record<string, unknown> | null
  /** Human-readable error. */
  error: string | null
  /** Error code of the provider; MAIL_LIMIT for a mail beyond MAIL_LIMIT_PER_HOUR. */
  errorCode: string | null
  /** Time of the attempt. */
  sentAt: string | null
  /** Time when it reached the receiver, if the provider reported it. */
  deliveredAt: string | null
  /** Creation time of the record. */
  createdAt: string | null
}

/** Deliveries of one channel with one status in an hour. */
export type DeliveryCount = {
  /** Start of the hour. */
  hour: string | null
  /** Channel. */
  channel: 'push' | 'email' | 'socket'
  /** Status of the attempts; retry if another one followed. Always success for sockets. */
  status: 'success' | 'failed' | 'retry'
  /** Number of attempts; for sockets, of members to whom a frame was sent. */
  count: number
}

/** Confirms the deletion. */
export type DiscardDeadLetterResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Sequence number in the dead-letter stream. */
  id: string
}

/** The new state of the notification. */
export type DismissNotificationResponse = {
  /** Notification id. */
  id: string
  /** Always true. */
  isDismissed: boolean
  /** Time when it was dismissed. */
  dismissedAt: string | null
}

/** A dead letter with its content. */
export type GetDeadLetterResponse = {
  /** The dead letter. */
  deadLetter: DeadLetter | null
  /** Content of the message; null when it isn't a JSON object. */
  message: Record<string, unknown> | null
  /** Text of the message, cut at 10,000 characters; null when the message is a JSON object. */
  raw: string | null
}

/** Counts by hour, channel and status; hours without deliveries are omitted. */
export type GetDeliveryStatisticsResponse = {
  /** Start of the first hour. */
  from: string | null
  /** Counts, oldest first. */
  data: DeliveryCount[]
}

/** Totals, counted per receiver. */
export type GetNotificationAnalyticsResponse = {
  /** Length of the period. */
  period: string
  /** Number of receivers with at least one delivery attempt. */
  sent: number
  /** Number of receivers for whom a provider accepted a push or an e-mail, or who read the notification. Sending a frame to a socket doesn't count. */
  delivered: number
  /** Number of receivers who read the notification. */
  read: number
  /** Number of receivers who clicked the notification. */
  clicked: number
  /** Totals by channel. */
  byChannel: ChannelAnalytics | null
  /** Notifications by type; only types with notifications are listed. */
  byType: Record<string, number>
  /** read / delivered, from 0 to 1; 0 when none was delivered. */
  engagementRate: number
}

/** What became of the redriven messages. */
export type GetRedriveOutcomesResponse = {
  /** Outcomes, in the order of the request. */
  data: RedriveOutcome[]
}

/** The number of unread notifications. */
export type GetUnreadCountResponse = {
  /** Number of unread notifications of the caller. */
  count: number
  /** Unread notifications by type; types without any are omitted. */
  byType: Record<string, number>
}

/** A notification as its receiver sees it. */
export type InboxItem = {
  /** Notification id. */
  id: string
  /** Type: page, comment, member, message and so on. */
  type: string
  /** Category: created, updated, invitation and so on. */
  category: string
  /** Rendered title. */
  title: string
  /** Rendered text. */
  body: string
  /** The member who caused it; without id and names for the system. */
  actor: NotificationActor | null
  /** Additional data of the event, such as the page id; null for none. */
  data: Record<string, unknown> | null
  /** Whether the caller read it. */
  isRead: boolean
  /** Creation time. */
  createdAt: string | null
}

/** Pagination of the inbox. */
export type InboxMeta = {
  /** Number of matching notifications on all pages. */
  total: number
  /** Number of all unread notifications of the caller; ignores filters. */
  unread: number
  /** Number of this page, starting at 1. */
  page: number
  /** Notifications per page, at most 100. */
  limit: number
  /** Number of pages: ceil(total / limit). */
  totalPages: number
  /** Cursor of the next page; absent on the last one. */
  nextCursor?: string
}

/** A page of dead letters. */
export type ListDeadLettersResponse = {
  /** Dead letters, newest first. */
  data: DeadLetter[]
  /** Pagination. */
  meta: PageMeta | null
  /** The 50 most frequent reasons of all matching dead letters. */
  reasons: DeadLetterReason[]
}

/** A page of attempts. */
export type ListDeliveriesResponse = {
  /** Attempts, oldest first. */
  data: DeliveryAttempt[]
  /** Pagination. */
  meta: PageMeta | null
}

/** The caller's devices. */
export type ListDevicesResponse = {
  /** Devices, most recently used first. */
  data: Subscription[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** A page of the caller's notifications. */
export type ListNotificationsResponse = {
  /** Notifications, newest first. */
  data: InboxItem[]
  /** Pagination and the number of unread notifications. */
  meta: InboxMeta | null
}

/** The templates. */
export type ListTemplatesResponse = {
  /** Templates, by slug and language. */
  data: Template[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** Deliveries to an endpoint. */
export type ListWebhookDeliveriesResponse = {
  /** Deliveries, newest first. */
  data: WebhookDelivery[]
  /** Pagination. */
  meta: PageMeta | null
}

/** The endpoints of a workspace. */
export type ListWebhooksResponse = {
  /** Endpoints, oldest first. */
  data: Webhook[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
  /** Every event type that an endpoint can take. */
  availableEventTypes: string[]
}

/** No parameters; the token identifies the member. */
export type MarkAllReadRequest = {
  /** Only notifications of this type, such as page. */
  type?: string | null
}

/** Result of the change. */
export type MarkAllReadResponse = {
  /** Number of notifications marked as read. */
  updated: number
  /** Number of unread notifications left. */
  unread: number
}

/** The new state of the notification. */
export type MarkReadResponse = {
  /** Notification id. */
  id: string
  /** Always true. */
  isRead: boolean
  /** Time when it was read. */
  readAt: string | null
}

/** The new state of the notification. */
export type MarkUnreadResponse = {
  /** Notification id. */
  id: string
  /** Always false. */
  isRead: boolean
  /** Always null. */
  readAt: string | null
}

/** A notification as its sender sees it. */
export type Notification = {
  /** Notification id. */
  id: string
  /** Type, such as page. */
  type: string
  /** What happened. */
  category: string
  /** Workspace id. */
  workspaceId: string
  /** Ecosystem (hotel) id. */
  ecosystemId: string | null
  /** Rendered title. */
  title: string
  /** Rendered text. */
  body: string
  /** Additional data. */
  data: Record<string, unknown> | null
  /** Member id of the member who caused it; null for the system. */
  actorId: string | null
  /** Kind of actor. */
  actorType: 'member' | 'system'
  /** Id of the related record. */
  entityId: string | null
  /** Type of the related record: page, comment, member. */
  entityType: string | null
  /** Channels. */
  channels: ('push' | 'email' | 'socket' | 'app')[]
  /** 1 normal, 2 important, 3 urgent. */
  priority: number
  /** Number of receivers with at least one delivery attempt. */
  sentCount: number
  /** Number of receivers for whom a provider accepted a push or an e-mail, or who read it. */
  deliveredCount: number
  /** Number of receivers who read it. */
  readCount: number
  /** Number of receivers for whom every attempted channel failed. */
  failedCount: number
  /** Number of receivers after applying their preferences. */
  receiverCount: number
  /** True once archived. */
  isArchived: boolean
  /** Time when it was archived. */
  archivedAt: string | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
  /** Number of receivers reached at once on all their channels. */
  reachedNow: number
  /** Number of receivers whose push and e-mail wait until their quiet hours or do-not-disturb end. */
  reachedLater: number
}

/** The member who caused a notification. */
export type NotificationActor = {
  /** Member id; null for the system. */
  id: string | null
  /** First name; null for the system and for an erased member. */
  firstName: string | null
  /** Last name; null for the system and for an erased member. */
  lastName: string | null
  /** URL of the picture. */
  photo_url: string | null
}

/** Pagination of a list. */
export type PageMeta = {
  /** Number of matching records on all pages. */
  total: number
  /** Number of this page, starting at 1. */
  page: number
  /** Records per page, at most 100. */
  limit: number
  /** Number of pages: ceil(total / limit). */
  totalPages: number
  /** Cursor of the next page; absent on the last one, and on lists without cursors. */
  nextCursor?: string
}

/** Preferences of a member. */
export type Preferences = {
  /** Member id. */
  memberId: string
  /** True discards every notification. */
  isGlobalSilent: boolean
  /** True discards notifications until dndUntil, except reminders, messages and what has a deadline. */
  doNotDisturb: boolean
  /** End of do-not-disturb; null when it is off. */
  dndUntil: string | null
  /** Daily hours without push and e-mail. Off, from 22:00 to 07:00 in the member's time zone, until they are set. */
  quietHours: QuietHours | null
  /** Channels by <type>.<category>. Categories without an entry are delivered on every channel. */
  categoryPrefs: Record<string, ChannelSwitches>
  /** Language of notifications, from the member's settings. Read-only here. */
  language: 'fr' | 'en'
  /** How often one mail lists unread pages and collects the mails of notifications: daily, weekly, or off. automatic: weekly, with pages only, while the member hasn't opened a client for seven days. Unless daily or weekly, each notification with e-mail among its channels is mailed by itself. */
  emailDigest: 'automatic' | 'off' | 'daily' | 'weekly'
  /** Hour of the digest in the member's time zone, 0 to 23; 8 by default. */
  digestHour: number
  /** Day of a weekly digest, 1 (Monday, the default) to 7. */
  digestWeekday: number
}

/** The rendered texts. */
export type PreviewTemplateResponse = {
  /** Title. */
  title: string
  /** Text. */
  body: string
  /** Subject of the e-mail. */
  emailSubject: string
  /** HTML of the e-mail, with escaped values. */
  emailBody: string
  /** Text part of the e-mail. */
  emailText: string
  /** Variables without a value. */
  missingVariables: string[]
}

/** Daily hours without push and e-mail, in a time zone. A start later than the end spans midnight. */
export type QuietHours = {
  /** False keeps the hours without applying them. */
  enabled: boolean
  /** Start, HH:mm, inclusive. */
  start: string
  /** End, HH:mm, exclusive. */
  end: string
  /** IANA time zone, such as Europe/Paris. */
  timezone: string
}

/** Fields of the quiet hours to change. Omitted fields are unchanged. */
export type QuietHoursChange = {
  /** Whether the hours apply. Naming both start and end for the first time switches them on. */
  enabled?: boolean | null
  /** Start, HH:mm, inclusive. */
  start?: string | null
  /** End, HH:mm, exclusive. */
  end?: string | null
  /** IANA time zone, such as Europe/Paris. */
  timezone?: string | null
}

/** Confirms the redrive. */
export type RedriveDeadLetterResponse = {
  /** Sequence number in the dead-letter stream. */
  id: string
  /** New message id. */
  messageId: string
  /** Sequence number of the redriven message in the event stream. */
  sequence: string
}

/** Filters for the dead letters to redrive; all without a filter. */
export type RedriveDeadLettersRequest = {
  /** Only dead letters whose type, or key when they have none, contains this text. */
  type?: string | null
  /** Only dead letters whose consumer contains this text. */
  consumer?: string | null
  /** Only dead letters whose reason contains this text. */
  reason?: string | null
  /** True to match whole texts, rather than texts that contain a filter; false when absent. */
  exact?: boolean | null
  /** Only these dead letters, at most 1000; unknown ones are skipped. */
  ids?: string[]
}

/** Result of the redrive. */
export type RedriveDeadLettersResponse = {
  /** Number of dead letters redriven. */
  redriven: number
  /** Number of matching dead letters that remain for another call. */
  remaining: number
  /** The redriven dead letters, oldest first. */
  data: RedrivenDeadLetter[]
}

/** What became of a redriven message. */
export type RedriveOutcome = {
  /** Sequence number in the event stream. */
  sequence: string
  /** Id of the dead letter that was redriven. */
  id: string
  /** pending until the consumer has settled it, then processed, or failed when it is a dead letter again. */
  outcome: 'pending' | 'processed' | 'failed'
  /** Id of the new dead letter; null unless it failed. */
  failedId: string | null
}

/** A redriven dead letter. */
export type RedrivenDeadLetter = {
  /** Id of the dead letter. */
  id: string
  /** Sequence number of the redriven message in the event stream. */
  sequence: string
}

/** The device to register. */
export type RegisterDeviceRequest = {
  /** Player id or mobile push token, 1 to 512 characters. */
  deviceToken: string
  /** onesignal or fcm. */
  platform: 'onesignal' | 'fcm'
  /** ios, android or web. */
  deviceType: 'ios' | 'android' | 'web'
  /** Version of the app. */
  appVersion?: string | null
  /** Model of the device. */
  deviceModel?: string | null
  /** Version of its operating system. */
  osVersion?: string | null
  /** Workspace whose notifications are sent to it; the caller's own when absent. */
  workspaceId?: string | null
}

/** A direct message. */
export type SendNotificationRequest = {
  /** Workspace id of the receivers; the caller's own when absent. */
  workspaceId?: string | null
  /** Member ids of the receivers, at most 1000; members of other workspaces are skipped. */
  receiverIds?: string[]
  /** True sends to every active member of the workspace instead of receiverIds. */
  toAll?: boolean | null
  /** Title, 1 to 255 characters. */
  title: string
  /** Text, 1 to 2000 characters. */
  body: string
  /** Channels: any of push, email, socket, app; socket and app when empty. */
  channels?: ('push' | 'email' | 'socket' | 'app')[]
  /** 1 normal (when absent), 2 important, 3 urgent. */
  priority?: number | null
  /** Additional data for the receiving app, at most 64 kB. */
  data?: Record<string, unknown> | null
}

/** The duration of do-not-disturb. */
export type SetDoNotDisturbRequest = {
  /** Duration in seconds; 0 ends do-not-disturb. */
  duration: number
}

/** Whether to silence. The body is optional. */
export type SetGlobalSilenceRequest = {
  /** False ends the silence; true when absent. */
  enabled?: boolean | null
}

/** A browser's subscription at its push service, as PushSubscription of the Push API. */
export type SubscribeBrowserRequest = {
  /** Address of the subscription at the push service, at most 512 characters. */
  endpoint: string
  /** Public key of the browser, a point of P-256 in base64url. */
  p256dh: string
  /** Secret of the subscription, 16 bytes in base64url. */
  auth: string
}

/** The browser is subscribed. */
export type SubscribeBrowserResponse = {}

/** A registered device. */
export type Subscription = {
  /** Subscription id. */
  id: string
  /** Member id of the owner. */
  memberId: string
  /** Workspace whose notifications are sent to it. */
  workspaceId: string
  /** Player id or mobile push token of the device. */
  deviceToken: string
  /** Kind of device. */
  deviceType: 'ios' | 'android' | 'web'
  /** Push service. */
  platform: 'onesignal' | 'fcm'
  /** Version of the app. */
  appVersion: string | null
  /** Model of the device. */
  deviceModel: string | null
  /** Version of its operating system. */
  osVersion: string | null
  /** False once the provider permanently rejected the token. */
  isActive: boolean
  /** Time of the last registration or push. */
  lastUsedAt: string | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A template with {{variable}} placeholders. */
export type Template = {
  /** Template id. */
  id: string
  /** Slug <type>_<category>, unique per language. */
  slug: string
  /** Language. */
  language: 'fr' | 'en'
  /** Type, such as page. */
  type: string
  /** What happened. */
  category: string
  /** Title. */
  title: string
  /** Text. */
  body: string
  /** Subject of the e-mail; null to use the title. */
  emailSubject: string | null
  /** HTML of the e-mail; null to use the default layout with the text. In notification e-mails, {{link}} is the front-end page of the notification and {{excerpt}} the excerpt of a page, or empty. Both are appended to HTML without {{link}}, and the unsubscribe link to all HTML. */
  emailBody: string | null
  /** Names of the variables. */
  variables: string[]
  /** Default values of variables that an event doesn't provide. */
  defaultData: Record<string, unknown> | null
  /** False disables the template. */
  isActive: boolean
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** The notification that was sent; its delivery log contains the result. */
export type TestTemplateResponse = {
  /** Notification id. */
  notificationId: string
  /** Rendered title. */
  title: string
  /** Rendered text. */
  body: string
  /** Channels used. */
  channels: ('push' | 'email' | 'socket' | 'app')[]
}

/** The new state of the notification. */
export type UnarchiveNotificationResponse = {
  /** Notification id. */
  id: string
  /** Always false. */
  isDismissed: boolean
  /** Whether it is read, unchanged by the dismissal. */
  isRead: boolean
}

/** Confirms that the device is unregistered. */
export type UnregisterDeviceResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Subscription id. */
  id: string
}

/** The browser isn't subscribed. */
export type UnsubscribeBrowserResponse = {}

/** Confirms the unsubscription. */
export type UnsubscribeResponse = {
  /** Human-readable confirmation. */
  message: string
  /** <type>.<category> that is no longer e-mailed; digest for digests. */
  category: string
  /** Name of the hotel whose mail had the link; null for the platform's. */
  hotelName: string | null
}

/** An endpoint. */
export type Webhook = {
  /** Endpoint id. */
  id: string
  /** Workspace whose events it receives. */
  workspaceId: string
  /** Address. */
  url: string
  /** Event types that it takes; empty for all. */
  eventTypes: string[]
  /** Free text. */
  description: string | null
  /** Whether events are sent to it. */
  isEnabled: boolean
  /** Why the platform disabled it: gone (it answered 410) or failing (every attempt failed for five days); null otherwise. */
  disabledReason: 'gone' | 'failing' | null
  /** When the platform disabled it. */
  disabledAt: string | null
  /** First of the failures since the last success; null for none. */
  failingSince: string | null
  /** Until when the former secret signs, too, or did; null for no former one. */
  previousSecretUntil: string | null
  /** Secret whsec_…; absent except at the creation and the rotation. */
  secret?: string
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A message to one endpoint, with its last attempt. */
export type WebhookDelivery = {
  /** Delivery id, the webhook-id of every attempt. */
  id: string
  /** Endpoint id. */
  webhookId: string
  /** Event type, or webhook.test. */
  eventType: string
  /** Status. */
  status: 'pending' | 'delivered' | 'failed'
  /** Attempts so far. */
  attempts: number
  /** When the next attempt is due; null unless pending. */
  nextAttemptAt: string | null
  /** Time of the last attempt; null for none. */
  attemptedAt: string | null
  /** Status of the last answer; null without an answer. */
  responseStatus: number | null
  /** First 1,000 characters of the last answer; null without an answer. */
  responseBody: string | null
  /** Why the last attempt failed; null unless it failed. */
  error: string | null
  /** First 4,000 characters of the body that is sent, which is JSON. */
  body: string
  /** Creation time. */
  createdAt: string | null
  /** Code of the error; null unless the last attempt failed. status is an answer other than 2xx, secret_unreadable one that none of the platform's keys decrypts, process_ended an end at each attempt. */
  errorCode:
    | 'status'
    | 'timeout'
    | 'connection_failed'
    | 'name_unresolved'
    | 'address_not_public'
    | 'address_not_allowed'
    | 'endpoint_disabled'
    | 'hotel_closed'
    | 'secret_unreadable'
    | 'process_ended'
    | null
}

/** An error. `error` is machine-readable, `message` human-readable. */
export type Error = {
  statusCode: number
  error: string
  message: string
  requestId: string
}

/** All invalid fields. */
export type ValidationErrors = {
  error: FieldError[]
}

/** An invalid field: its path as the client wrote it, a human-readable message, a machine-readable rule. */
export type FieldError = {
  path: string
  message: string
  rule: string
}

/** Notification service. */
export type NotificationOperations = {
  /** Returns totals over the notifications of a workspace in a period that ends now.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_analytics` */
  getNotificationAnalytics(
    input?: {
      /** Length of the period in hours or days, such as 24h, 7d or 90d, at most 999d; 7d when absent. */
      period?: string
      /** Workspace id; the caller's own when absent. */
      workspaceId?: string
    },
    options?: CallOptions,
  ): Promise<GetNotificationAnalyticsResponse>
  /** Subscribes the browser of the caller's session to their pushes, in all their workspaces, until the session ends. It replaces the session's earlier subscription and counts as one of the member's 20 devices. ListDevices leaves it out. ValidationError of `endpoint` when it isn't an address of a known push service.
   *
   * **Callers:** person · **Tenant:** own tenants
   *
   * Added to the original contract: pushes reach browsers without an app. */
  subscribeBrowser(
    input: {
      body: SubscribeBrowserRequest
    },
    options?: CallOptions,
  ): Promise<SubscribeBrowserResponse>
  /** Ends the subscription of the browser of the caller's session. Succeeds without one.
   *
   * **Callers:** person · **Tenant:** own tenants
   *
   * Added to the original contract: the counterpart of subscribing. */
  unsubscribeBrowser(options?: CallOptions): Promise<UnsubscribeBrowserResponse>
  /** Lists dead letters, newest first, and their reasons. Filters ignore case and match texts that contain them.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: operators need to see failed messages. */
  listDeadLetters(
    input?: {
      /** Only dead letters whose type, or key when they have none, contains this text. */
      type?: string
      /** Only dead letters whose consumer contains this text. */
      consumer?: string
      /** Page number, starting at 1. */
      page?: number
      /** Dead letters per page; 20 when absent, at most 100. */
      limit?: number
      /** Only dead letters whose reason contains this text. */
      reason?: string
      /** True to match whole texts, rather than texts that contain a filter; false when absent. */
      exact?: boolean
    },
    options?: CallOptions,
  ): Promise<ListDeadLettersResponse>
  /** Tells what became of redriven messages. Messages that aren't redriven ones, or aren't stored any more, are omitted.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: operators see whether a redrive succeeded. */
  getRedriveOutcomes(
    input: {
      /** Sequence numbers in the event stream, from the answer to a redrive; at most 100. */
      sequences: string[]
    },
    options?: CallOptions,
  ): Promise<GetRedriveOutcomesResponse>
  /** Redrives the matching dead letters, oldest first, at most 1000 per call. Filters are those of the list. ValidationError for ids together with a filter.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: redrives the dead letters of an outage in one call. */
  redriveDeadLetters(
    input: {
      body: RedriveDeadLettersRequest
    },
    options?: CallOptions,
  ): Promise<RedriveDeadLettersResponse>
  /** Returns one dead letter with its content. NotFoundError for an unknown dead letter.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: operators see the content of a failed message. */
  getDeadLetter(
    input: {
      /** Sequence number in the dead-letter stream. */
      id: string
    },
    options?: CallOptions,
  ): Promise<GetDeadLetterResponse>
  /** Deletes a dead letter permanently. NotFoundError for an unknown dead letter.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: removes messages that can't be processed. */
  discardDeadLetter(
    input: {
      /** Sequence number in the dead-letter stream. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DiscardDeadLetterResponse>
  /** Publishes a dead letter again, with a new message id and the old occurrence id, and removes it from the list. NotFoundError for an unknown dead letter.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: redelivers a message once the cause is fixed. */
  redriveDeadLetter(
    input: {
      /** Sequence number in the dead-letter stream. */
      id: string
    },
    options?: CallOptions,
  ): Promise<RedriveDeadLetterResponse>
  /** Returns the number of deliveries per channel and hour. Statistics are kept for 90 days.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: operators see when a channel fails. */
  getDeliveryStatistics(
    input?: {
      /** Number of hours to look back, including the current one, at most 744; 24 when absent. */
      hours?: number
    },
    options?: CallOptions,
  ): Promise<GetDeliveryStatisticsResponse>
  /** Lists the caller's notifications, newest first.
   *
   * **Callers:** person · **Tenant:** own tenants */
  listNotifications(
    input?: {
      /** Only read (true) or unread (false) notifications. */
      isRead?: boolean
      /** Only notifications of this type, such as page. */
      type?: string
      /** Page number, starting at 1. */
      page?: number
      /** Notifications per page; 20 when absent, at most 100. */
      limit?: number
      /** True lists the dismissed notifications instead of the others. */
      isArchived?: boolean
      /** fr or en: the language of title and body; the caller's own when absent. */
      language?: 'fr' | 'en'
      /** nextCursor of the page before; no page may be given with it. */
      cursor?: string
    },
    options?: CallOptions,
  ): Promise<ListNotificationsResponse>
  /** Sends a direct message to members of a workspace over the given channels, subject to their preferences. ValidationError when no receiver is an active member of the workspace. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person, credential, service key · **Tenant:** workspace (`workspaceId`) · **Permission:** `send_notifications`
   *
   * Added to the original contract: the permission send_notifications had no route. */
  sendNotification(
    input: {
      body: SendNotificationRequest
    },
    options?: CallOptions,
  ): Promise<Notification>
  /** Marks all the caller's notifications as read.
   *
   * **Callers:** person · **Tenant:** own tenants */
  markAllRead(
    input: {
      body: MarkAllReadRequest
    },
    options?: CallOptions,
  ): Promise<MarkAllReadResponse>
  /** Lists the active templates by slug.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `send_notifications`
   *
   * Added to the original contract: clients choose a template to preview. */
  listTemplates(
    input?: {
      /** Workspace in which the permission is checked; the caller's own when absent. */
      workspaceId?: string
      /** Only templates in this language: fr or en. */
      language?: 'fr' | 'en'
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListTemplatesResponse>
  /** Renders a template exactly as for a delivery, without sending it. NotFoundError for an unknown slug.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `send_notifications`
   *
   * Added to the original contract: shows a text before it is sent. */
  previewTemplate(
    input: {
      /** Slug of the template. */
      slug: string
      body: {
        /** Workspace in which the permission is checked; the caller's own when absent. */
        workspaceId?: string | null
        /** fr or en; the caller's language when absent. */
        language?: 'fr' | 'en' | null
        /** Values by variable name. A variable without a value is left as it is. */
        variables?: Record<string, string>
      }
    },
    options?: CallOptions,
  ): Promise<PreviewTemplateResponse>
  /** Renders a template and sends it to the caller, ignoring their preferences. NotFoundError for an unknown slug.
   *
   * **Callers:** person · **Tenant:** workspace (`workspaceId`) · **Permission:** `send_notifications`
   *
   * Added to the original contract: lets an operator test a channel on their own account. */
  testTemplate(
    input: {
      /** Slug of the template. */
      slug: string
      body: {
        /** Workspace in which the permission is checked; the caller's own when absent. */
        workspaceId?: string | null
        /** fr or en; the caller's language when absent. */
        language?: 'fr' | 'en' | null
        /** Values by variable name. A variable without a value is left as it is. */
        variables?: Record<string, string>
        /** Channels: any of push, email, socket, app; all when empty. */
        channels?: ('push' | 'email' | 'socket' | 'app')[]
      }
    },
    options?: CallOptions,
  ): Promise<TestTemplateResponse>
  /** Returns the number of the caller's unread notifications.
   *
   * **Callers:** person · **Tenant:** own tenants */
  getUnreadCount(options?: CallOptions): Promise<GetUnreadCountResponse>
  /** Dismisses a notification, which removes it from the list and the unread count. Safe to repeat.
   *
   * **Callers:** person · **Tenant:** own tenants */
  dismissNotification(
    input: {
      /** Notification id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DismissNotificationResponse>
  /** Records a click on a notification and marks it as read. Only the first click counts.
   *
   * **Callers:** person · **Tenant:** own tenants
   *
   * Added to the original contract: records the clicks that the statistics count. */
  clickNotification(
    input: {
      /** Notification id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<ClickNotificationResponse>
  /** Marks a notification as read and notifies the caller's other devices. A notification that was read before keeps its time.
   *
   * **Callers:** person · **Tenant:** own tenants */
  markRead(
    input: {
      /** Notification id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<MarkReadResponse>
  /** Restores a dismissed notification to the list.
   *
   * **Callers:** person · **Tenant:** own tenants
   *
   * Added to the original contract: undoes a dismissal. */
  unarchiveNotification(
    input: {
      /** Notification id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<UnarchiveNotificationResponse>
  /** Marks a notification as unread.
   *
   * **Callers:** person · **Tenant:** own tenants
   *
   * Added to the original contract: marks a notification for later. */
  markUnread(
    input: {
      /** Notification id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<MarkUnreadResponse>
  /** Lists the delivery attempts of one notification, oldest first. NotFoundError for an unknown notification.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `send_notifications`
   *
   * Added to the original contract: senders see whether a message was delivered. */
  listDeliveries(
    input: {
      /** Notification id. */
      notificationId: string
      /** Only attempts on this channel: push, email or socket. */
      channel?: 'push' | 'email' | 'socket'
      /** Only attempts with this status: success, failed or retry. */
      status?: 'success' | 'failed' | 'retry'
      /** Page number, starting at 1. */
      page?: number
      /** Attempts per page; 20 when absent, at most 100. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListDeliveriesResponse>
  /** Returns the caller's preferences; the defaults before the first change.
   *
   * **Callers:** person · **Tenant:** own tenants */
  getPreferences(options?: CallOptions): Promise<Preferences>
  /** Updates the fields in the body. Entries and channels missing in categoryPrefs are unchanged. ValidationError for an unknown time zone.
   *
   * **Callers:** person · **Tenant:** own tenants */
  updatePreferences(
    input: {
      body: {
        /** True discards every notification. */
        isGlobalSilent?: boolean | null
        /** False ends do-not-disturb; true needs dndUntil. */
        doNotDisturb?: boolean | null
        /** End of do-not-disturb, in the future. Without doNotDisturb it starts do-not-disturb, and null ends it. */
        dndUntil?: string | null
        /** Fields of the quiet hours to change. */
        quietHours?: QuietHoursChange | null
        /** Channels to change by <type>.<category>, at most 200 entries. null removes all entries; over RPC, so does an empty map that the mask names. */
        categoryPrefs?: Record<string, ChannelChange>
        /** automatic, off, daily or weekly. Turning digests off sends what was collected; null is automatic. */
        emailDigest?: 'automatic' | 'off' | 'daily' | 'weekly' | null
        /** Hour of the digest; null is 8. */
        digestHour?: number | null
        /** Day of a weekly digest, from 1 for Monday; null is 1. */
        digestWeekday?: number | null
      }
    },
    options?: CallOptions,
  ): Promise<Preferences>
  /** Starts do-not-disturb for a duration from now; ends it with {duration: 0}.
   *
   * **Callers:** person · **Tenant:** own tenants */
  setDoNotDisturb(
    input: {
      body: SetDoNotDisturbRequest
    },
    options?: CallOptions,
  ): Promise<Preferences>
  /** Ends do-not-disturb early.
   *
   * **Callers:** person · **Tenant:** own tenants
   *
   * Added to the original contract: ends do-not-disturb early. */
  endDoNotDisturb(options?: CallOptions): Promise<Preferences>
  /** Starts global silence; ends it with {enabled: false}.
   *
   * **Callers:** person · **Tenant:** own tenants */
  setGlobalSilence(
    input: {
      body: SetGlobalSilenceRequest
    },
    options?: CallOptions,
  ): Promise<Preferences>
  /** Ends global silence.
   *
   * **Callers:** person · **Tenant:** own tenants
   *
   * Added to the original contract: the original contract only starts silence. */
  endGlobalSilence(options?: CallOptions): Promise<Preferences>
  /** Disables the e-mail channel for the member and category of a List-Unsubscribe link, in one click and without sign-in (RFC 8058); the link of a digest ends the digests, and the mails that they collected. Safe to repeat. ValidationError for an invalid token.
   *
   * **Callers:** public
   *
   * Added to the original contract: the large mail providers require one-click unsubscribe. */
  unsubscribe(
    input: {
      /** Token with the member and the category. */
      token: string
    },
    options?: CallOptions,
  ): Promise<UnsubscribeResponse>
  /** Lists the caller's registered devices, most recently used first.
   *
   * **Callers:** person · **Tenant:** own tenants */
  listDevices(
    input?: {
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListDevicesResponse>
  /** Registers a device for the caller. A known token, for instance of a shared tablet, moves to the caller. A member has at most 20 devices: a further one replaces a refused one, else the one used longest ago. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person · **Tenant:** workspace (`workspaceId`) */
  registerDevice(
    input: {
      body: RegisterDeviceRequest
    },
    options?: CallOptions,
  ): Promise<Subscription>
  /** Unregisters one of the caller's devices. NotFoundError for an unknown token and for a device of another member.
   *
   * **Callers:** person · **Tenant:** own tenants */
  unregisterDevice(
    input: {
      /** Player id or mobile push token of the device. */
      deviceToken: string
    },
    options?: CallOptions,
  ): Promise<UnregisterDeviceResponse>
  /** Lists the endpoints of a workspace, oldest first, and the event types that they can take.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_settings`
   *
   * Added to the original contract: administrators see their endpoints. */
  listWebhooks(
    input?: {
      /** Workspace id; the caller's own when absent. */
      workspaceId?: string
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListWebhooksResponse>
  /** Adds an endpoint. Only this answer and that of a rotation hold its secret. ValidationError for an address that is never called, ConflictError for an eleventh endpoint of a workspace. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_settings`
   *
   * Added to the original contract: a hotel's own systems receive its events. */
  createWebhook(
    input: {
      body: CreateWebhookRequest
    },
    options?: CallOptions,
  ): Promise<Webhook>
  /** Returns an endpoint. NotFoundError for an unknown one.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_settings`
   *
   * Added to the original contract: administrators see an endpoint. */
  getWebhook(
    input: {
      /** Endpoint id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<Webhook>
  /** Updates the fields in the body. Enabling clears the reason for which the platform disabled it; what waits for a disabled endpoint fails. NotFoundError for an unknown endpoint, ValidationError for an address that is never called.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_settings`
   *
   * Added to the original contract: an endpoint moves, or takes other events. */
  updateWebhook(
    input: {
      /** Endpoint id. */
      id: string
      body: {
        /** New address; cannot be cleared. */
        url?: string
        /** New event types; replaces all existing ones, empty for all. */
        eventTypes?: string[]
        /** New free text. */
        description?: string | null
        /** False disables it, true enables it; cannot be cleared. */
        isEnabled?: boolean
      }
    },
    options?: CallOptions,
  ): Promise<Webhook>
  /** Deletes an endpoint with its deliveries. NotFoundError for an unknown one.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_settings`
   *
   * Added to the original contract: an endpoint is no longer used. */
  deleteWebhook(
    input: {
      /** Endpoint id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteWebhookResponse>
  /** Lists the deliveries to an endpoint of the last 30 days, newest first. NotFoundError for an unknown endpoint.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_settings`
   *
   * Added to the original contract: administrators see what was delivered. */
  listWebhookDeliveries(
    input: {
      /** Endpoint id. */
      id: string
      /** Only deliveries in this state: pending, delivered or failed. */
      status?: 'pending' | 'delivered' | 'failed'
      /** Page number, starting at 1. */
      page?: number
      /** Entries per page, at most 100; 20 by default. */
      limit?: number
      /** nextCursor of the page before; no page may be given with it. */
      cursor?: string
    },
    options?: CallOptions,
  ): Promise<ListWebhookDeliveriesResponse>
  /** Sends a delivery again, at once and with new attempts; the receiver gets the same webhook-id. NotFoundError for an unknown one, ConflictError while the endpoint is disabled.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_settings`
   *
   * Added to the original contract: a delivery that failed is sent again. */
  resendWebhookDelivery(
    input: {
      /** Endpoint id. */
      id: string
      /** Delivery id. */
      deliveryId: string
      body: {}
    },
    options?: CallOptions,
  ): Promise<WebhookDelivery>
  /** Replaces the secret. For 24 hours, deliveries are signed with both. NotFoundError for an unknown endpoint, ConflictError during these 24 hours.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_settings`
   *
   * Added to the original contract: a secret is replaced without a lost delivery. */
  rotateWebhookSecret(
    input: {
      /** Endpoint id. */
      id: string
      body: {}
    },
    options?: CallOptions,
  ): Promise<Webhook>
  /** Sends an event of the type webhook.test. NotFoundError for an unknown endpoint, ConflictError for a disabled one. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_settings`
   *
   * Added to the original contract: an integrator tries an endpoint. */
  testWebhook(
    input: {
      /** Endpoint id. */
      id: string
      body: {}
    },
    options?: CallOptions,
  ): Promise<WebhookDelivery>
}

export const notificationRoutes: ClientRoutes<NotificationOperations> = {
  getNotificationAnalytics: {
    verb: 'GET',
    path: '/api/v1/analytics/notifications',
    query: ['period', 'workspaceId'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  subscribeBrowser: {
    verb: 'PUT',
    path: '/api/v1/browser-subscription',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  unsubscribeBrowser: {
    verb: 'DELETE',
    path: '/api/v1/browser-subscription',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listDeadLetters: {
    verb: 'GET',
    path: '/api/v1/dead-letters',
    query: ['type', 'consumer', 'page', 'limit', 'reason', 'exact'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getRedriveOutcomes: {
    verb: 'GET',
    path: '/api/v1/dead-letters/outcomes',
    query: ['sequences'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  redriveDeadLetters: {
    verb: 'POST',
    path: '/api/v1/dead-letters/redrive',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  getDeadLetter: {
    verb: 'GET',
    path: '/api/v1/dead-letters/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  discardDeadLetter: {
    verb: 'DELETE',
    path: '/api/v1/dead-letters/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  redriveDeadLetter: {
    verb: 'POST',
    path: '/api/v1/dead-letters/{id}/redrive',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  getDeliveryStatistics: {
    verb: 'GET',
    path: '/api/v1/deliveries/statistics',
    query: ['hours'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listNotifications: {
    verb: 'GET',
    path: '/api/v1/notifications',
    query: ['isRead', 'type', 'page', 'limit', 'isArchived', 'language', 'cursor'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  sendNotification: {
    verb: 'POST',
    path: '/api/v1/notifications',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  markAllRead: {
    verb: 'POST',
    path: '/api/v1/notifications/read-all',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  listTemplates: {
    verb: 'GET',
    path: '/api/v1/notifications/templates',
    query: ['workspaceId', 'language', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  previewTemplate: {
    verb: 'POST',
    path: '/api/v1/notifications/templates/{slug}/preview',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  testTemplate: {
    verb: 'POST',
    path: '/api/v1/notifications/templates/{slug}/test',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  getUnreadCount: {
    verb: 'GET',
    path: '/api/v1/notifications/unread-count',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  dismissNotification: {
    verb: 'DELETE',
    path: '/api/v1/notifications/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  clickNotification: {
    verb: 'PATCH',
    path: '/api/v1/notifications/{id}/click',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  markRead: {
    verb: 'PATCH',
    path: '/api/v1/notifications/{id}/read',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  unarchiveNotification: {
    verb: 'PATCH',
    path: '/api/v1/notifications/{id}/unarchive',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  markUnread: {
    verb: 'PATCH',
    path: '/api/v1/notifications/{id}/unread',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  listDeliveries: {
    verb: 'GET',
    path: '/api/v1/notifications/{notificationId}/deliveries',
    query: ['channel', 'status', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getPreferences: {
    verb: 'GET',
    path: '/api/v1/preferences',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updatePreferences: {
    verb: 'PATCH',
    path: '/api/v1/preferences',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  setDoNotDisturb: {
    verb: 'POST',
    path: '/api/v1/preferences/do-not-disturb',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  endDoNotDisturb: {
    verb: 'DELETE',
    path: '/api/v1/preferences/do-not-disturb',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  setGlobalSilence: {
    verb: 'POST',
    path: '/api/v1/preferences/global-silence',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  endGlobalSilence: {
    verb: 'DELETE',
    path: '/api/v1/preferences/global-silence',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  unsubscribe: {
    verb: 'POST',
    path: '/api/v1/preferences/unsubscribe/{token}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: true,
  },
  listDevices: {
    verb: 'GET',
    path: '/api/v1/subscriptions',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  registerDevice: {
    verb: 'POST',
    path: '/api/v1/subscriptions',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  unregisterDevice: {
    verb: 'DELETE',
    path: '/api/v1/subscriptions/{deviceToken}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listWebhooks: {
    verb: 'GET',
    path: '/api/v1/webhooks',
    query: ['workspaceId', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  createWebhook: {
    verb: 'POST',
    path: '/api/v1/webhooks',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  getWebhook: {
    verb: 'GET',
    path: '/api/v1/webhooks/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updateWebhook: {
    verb: 'PATCH',
    path: '/api/v1/webhooks/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  deleteWebhook: {
    verb: 'DELETE',
    path: '/api/v1/webhooks/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listWebhookDeliveries: {
    verb: 'GET',
    path: '/api/v1/webhooks/{id}/deliveries',
    query: ['status', 'page', 'limit', 'cursor'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  resendWebhookDelivery: {
    verb: 'POST',
    path: '/api/v1/webhooks/{id}/deliveries/{deliveryId}/resend',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  rotateWebhookSecret: {
    verb: 'POST',
    path: '/api/v1/webhooks/{id}/rotate',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  testWebhook: {
    verb: 'POST',
    path: '/api/v1/webhooks/{id}/test',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
}
