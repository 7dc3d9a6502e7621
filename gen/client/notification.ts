// Written by npm run gen from gen/openapi/notification.json; never edited.
import type { CallOptions, Routes } from '../../edge/client/call.ts'

/** Figures of each channel. */
export type ChannelAnalytics = {
  /** Push, counted per device. */
  push: ChannelFigures | null
  /** E-mail, counted per member. */
  email: ChannelFigures | null
  /** Socket, counted per member. */
  socket: ChannelFigures | null
}

/** Channels to change; an absent one is left alone, and is wanted before it was ever set. */
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

/** Figures of one channel. */
export type ChannelFigures = {
  /** Sends that were tried; retries count once. */
  sent: number
  /** Sends that the provider took; of frames to sockets, those that were read. */
  delivered: number
  /** delivered / sent, from 0 to 1; 0 when nothing was sent. */
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

/** The state of the notification. */
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

/** A message that a consumer gave up on. */
export type DeadLetter = {
  /** Sequence number in the dead-letter stream. */
  id: string
  /** Routing key of the message. */
  key: string
  /** Message type, such as page.created; null when the message could not be read. */
  type: string | null
  /** Durable name of the consumer. */
  consumer: string
  /** Why it was given up. */
  reason: string
  /** How often it was tried. */
  attempts: number
  /** Message id of the publisher. */
  messageId: string | null
  /** Occurrence that the message is about. */
  occurrenceId: string | null
  /** Workspace of the message. */
  workspaceId: string | null
  /** Sequence number in the stream it came from. */
  originSequence: string
  /** First publication. */
  publishedAt: string | null
  /** When it was given up. */
  failedAt: string | null
}

/** One try of one channel for one member and, with push, one device. */
export type DeliveryAttempt = {
  /** Attempt id. */
  id: string
  /** Notification id. */
  notificationId: string
  /** Member id of the receiver. */
  memberId: string
  /** push, email or socket. */
  channel: string
  /** success, failed, or retry while another try is pending. */
  status: string
  /** Number of the try, from 1. */
  attemptNumber: number
  /** onesignal, fcm, or the name of the e-mail provider. */
  provider: string | null
  /** Id of the message at the provider. */
  providerId: string | null
  /** What the provider answered, without secrets. */
  providerResponse: Record<string, unknown> | null
  /** What went wrong, for a person. */
  error: string | null
  /** Error code of the provider. */
  errorCode: string | null
  /** Time of the try. */
  sentAt: string | null
  /** When it reached the receiver, if the provider told. */
  deliveredAt: string | null
  /** Creation time of the record. */
  createdAt: string | null
}

/** How often a channel came to one end within an hour. */
export type DeliveryCount = {
  /** Start of the hour. */
  hour: string | null
  /** push, email or socket. */
  channel: string
  /** Of a try: success, failed, or retry when another one was to follow. A socket always has success. */
  status: string
  /** Tries; for sockets, members for whom a frame went out. */
  count: number
}

/** Says what was discarded. */
export type DiscardDeadLetterResponse = {
  /** For a person. */
  message: string
  /** Sequence number that it had in the dead-letter stream. */
  id: string
}

/** The state of the notification. */
export type DismissNotificationResponse = {
  /** Notification id. */
  id: string
  /** Always true. */
  isDismissed: boolean
  /** When it was dismissed. */
  dismissedAt: string | null
}

/** A dead letter with its content. */
export type GetDeadLetterResponse = {
  /** The dead letter. */
  deadLetter: DeadLetter | null
  /** Content of the message; null when it is no JSON object. */
  message: Record<string, unknown> | null
  /** Text of the message, cut at 10,000 characters, when it is no JSON object. */
  raw: string | null
}

/** Counts by hour, channel and status; hours without any are left out. */
export type GetDeliveryStatisticsResponse = {
  /** Start of the first hour. */
  from: string | null
  /** Counts, oldest first. */
  data: DeliveryCount[]
}

/** The sums, counted per receiver. */
export type GetNotificationAnalyticsResponse = {
  /** The period as asked, or 7d. */
  period: string
  /** Receivers that a channel was tried for. */
  sent: number
  /** Receivers for whom a provider took a push or a mail, or who read it: a frame to a socket confirms nothing. */
  delivered: number
  /** Receivers who read. */
  read: number
  /** Receivers who clicked. */
  clicked: number
  /** The same by channel. */
  byChannel: ChannelAnalytics | null
  /** Notifications by type; only types that occurred are listed. */
  byType: Record<string, number>
  /** read / delivered, from 0 to 1; 0 when nothing was delivered. */
  engagementRate: number
}

/** What is unread. */
export type GetUnreadCountResponse = {
  /** Unread notifications of the caller. */
  count: number
  /** The same by type; only types with unread ones are listed. */
  byType: Record<string, number>
}

/** A notification as its receiver sees it. */
export type InboxItem = {
  /** Notification id. */
  id: string
  /** What it is about: page, comment, member, message and so on. */
  type: string
  /** What happened: created, updated, invitation and so on. */
  category: string
  /** Rendered title. */
  title: string
  /** Rendered text. */
  body: string
  /** Who caused it; null when that was the system. */
  actor: NotificationActor | null
  /** Further data of the event, such as the id of the page; null without any. */
  data: Record<string, unknown> | null
  /** Whether the caller read it. */
  isRead: boolean
  /** Creation time. */
  createdAt: string | null
}

/** The meta part of the inbox. */
export type InboxMeta = {
  /** Notifications that match, over all pages. */
  total: number
  /** All unread notifications of the caller, whatever the filter. */
  unread: number
  /** The page answered, from 1. */
  page: number
  /** Notifications per page, at most 100. */
  limit: number
  /** ceil(total / limit). */
  totalPages: number
}

/** A page of dead letters. */
export type ListDeadLettersResponse = {
  /** Dead letters, newest first. */
  data: DeadLetter[]
  /** Position in the whole list. */
  meta: PageMeta | null
}

/** A page of attempts. */
export type ListDeliveriesResponse = {
  /** Attempts, oldest first. */
  data: DeliveryAttempt[]
  /** Position in the whole list. */
  meta: PageMeta | null
}

/** The caller's devices. */
export type ListDevicesResponse = {
  /** Devices, last used first. */
  data: Subscription[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** A page of the caller's notifications. */
export type ListNotificationsResponse = {
  /** Notifications, newest first. */
  data: InboxItem[]
  /** Position in the whole list, and what is unread. */
  meta: InboxMeta | null
}

/** The templates. */
export type ListTemplatesResponse = {
  /** Templates by slug and language. */
  data: Template[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** Nothing to say: the token names the member. */
export type MarkAllReadRequest = {
  /** Only those of this type, such as page. */
  type?: string | null
}

/** How many changed. */
export type MarkAllReadResponse = {
  /** Notifications that were unread until now. */
  updated: number
  /** Unread notifications left. */
  unread: number
}

/** The state of the notification. */
export type MarkReadResponse = {
  /** Notification id. */
  id: string
  /** Always true. */
  isRead: boolean
  /** When it was read. */
  readAt: string | null
}

/** The state of the notification. */
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
  /** What it is about. */
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
  /** Further data. */
  data: Record<string, unknown> | null
  /** Member id of who caused it; null for the system. */
  actorId: string | null
  /** member or system. */
  actorType: string
  /** Id of the record that it is about. */
  entityId: string | null
  /** Kind of that record: page, comment, member. */
  entityType: string | null
  /** Channels: any of push, email, socket, app. */
  channels: string[]
  /** 1 normal, 2 important, 3 urgent. */
  priority: number
  /** Receivers that a channel was tried for. */
  sentCount: number
  /** Receivers for whom a provider took a push or a mail, or who read it. */
  deliveredCount: number
  /** Receivers who read it. */
  readCount: number
  /** Receivers whom every tried channel failed. */
  failedCount: number
  /** Receivers left after the preference filter. */
  receiverCount: number
  /** True once archived. */
  isArchived: boolean
  /** When it was archived. */
  archivedAt: string | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** The member who caused a notification. */
export type NotificationActor = {
  /** Member id. */
  id: string
  /** First name. */
  firstName: string | null
  /** Last name. */
  lastName: string | null
  /** Address of the picture. */
  photo_url: string | null
}

/** The meta part of a paginated answer (document 1, tenancy rule 6). */
export type PageMeta = {
  /** Records that match, over all pages. */
  total: number
  /** The page answered, from 1. */
  page: number
  /** Records per page, at most 100. */
  limit: number
  /** ceil(total / limit). */
  totalPages: number
}

/** Preferences of a member. */
export type Preferences = {
  /** Member id. */
  memberId: string
  /** True drops every notification. */
  isGlobalSilent: boolean
  /** True drops every notification until dndUntil. */
  doNotDisturb: boolean
  /** End of do-not-disturb; null when it is off. */
  dndUntil: string | null
  /** Daily hours without push and e-mail; null before they were ever set. */
  quietHours: QuietHours | null
  /** Channels by <type>.<category>; what has no entry is wanted on every channel. */
  categoryPrefs: Record<string, ChannelSwitches>
  /** fr or en: the language that the member is told in, from their settings; changed there. */
  language: string
}

/** The rendered texts. */
export type PreviewTemplateResponse = {
  /** Title. */
  title: string
  /** Text. */
  body: string
  /** Subject of the mail. */
  emailSubject: string
  /** HTML of the mail, with values escaped. */
  emailBody: string
  /** Text part of the mail. */
  emailText: string
  /** Variables of the template that had no value. */
  missingVariables: string[]
}

/** Daily hours without push and e-mail, by the clock of a time zone. Start later than end crosses midnight. */
export type QuietHours = {
  /** False keeps the hours without applying them. */
  enabled: boolean
  /** First minute, as HH:mm. */
  start: string
  /** First minute after, as HH:mm. */
  end: string
  /** Time zone name, such as Europe/Paris. */
  timezone: string
}

/** Parts of the quiet hours; an absent one is left alone. */
export type QuietHoursChange = {
  /** Whether the hours apply. */
  enabled?: boolean | null
  /** First minute, as HH:mm; required before it was ever set. */
  start?: string | null
  /** First minute after, as HH:mm; required before it was ever set. */
  end?: string | null
  /** Time zone name, such as Europe/Paris; Europe/Paris before it was ever set. */
  timezone?: string | null
}

/** Says how the message goes on. */
export type RedriveDeadLetterResponse = {
  /** Sequence number that it had in the dead-letter stream. */
  id: string
  /** New message id. */
  messageId: string
}

/** Which dead letters to redrive; all without a filter. */
export type RedriveDeadLettersRequest = {
  /** Only those of this type. */
  type?: string | null
  /** Only those of this consumer. */
  consumer?: string | null
}

/** How many went on. */
export type RedriveDeadLettersResponse = {
  /** Dead letters redriven. */
  redriven: number
  /** Matching ones that are left for another call. */
  remaining: number
}

/** The device. */
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
  /** Workspace whose notifications are pushed to it; the caller's own when absent. */
  workspaceId?: string | null
}

/** A direct message. */
export type SendNotificationRequest = {
  /** Workspace of the receivers; the caller's own when absent. */
  workspaceId?: string | null
  /** Member ids of the receivers, at most 1000; members of other workspaces are passed over. */
  receiverIds?: string[]
  /** True sends to every active member of the workspace in place of receiverIds. */
  toAll?: boolean | null
  /** Title, 1 to 255 characters. */
  title: string
  /** Text, 1 to 2000 characters. */
  body: string
  /** Channels: any of push, email, socket, app; socket and app when empty. */
  channels?: ('push' | 'email' | 'socket' | 'app')[]
  /** 1 normal (when absent), 2 important, 3 urgent. */
  priority?: number | null
  /** Further data for the receiving app. */
  data?: Record<string, unknown> | null
}

/** How long not to disturb. */
export type SetDoNotDisturbRequest = {
  /** Seconds from now, at most a year; 0 ends do-not-disturb. */
  duration: number
}

/** Silence on or off. The body may be left out. */
export type SetGlobalSilenceRequest = {
  /** False ends the silence; true when absent. */
  enabled?: boolean | null
}

/** A registered device. */
export type Subscription = {
  /** Subscription id. */
  id: string
  /** Member id of the owner. */
  memberId: string
  /** Workspace whose notifications are pushed to it. */
  workspaceId: string
  /** Player id or mobile push token. */
  deviceToken: string
  /** ios, android or web. */
  deviceType: string
  /** onesignal or fcm. */
  platform: string
  /** Version of the app. */
  appVersion: string | null
  /** Model of the device. */
  deviceModel: string | null
  /** Version of its operating system. */
  osVersion: string | null
  /** False once the provider refused the token for good. */
  isActive: boolean
  /** Last registration or push. */
  lastUsedAt: string | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A template with {{variable}} places. */
export type Template = {
  /** Template id. */
  id: string
  /** <type>_<category>; unique per language. */
  slug: string
  /** fr or en. */
  language: string
  /** What it is about. */
  type: string
  /** What happened. */
  category: string
  /** Title. */
  title: string
  /** Text. */
  body: string
  /** Subject of the mail; null when the title serves. */
  emailSubject: string | null
  /** HTML of the mail; null when the common frame around the text serves. In mails of notifications {{link}} is the page of the front end that it is about, {{excerpt}} the excerpt of a page or nothing; HTML without {{link}} gets both at its end, and all HTML the link that ends such mails. */
  emailBody: string | null
  /** Names of the variables that are filled in. */
  variables: string[]
  /** Values of variables that an event does not carry. */
  defaultData: Record<string, unknown> | null
  /** False keeps it from being used. */
  isActive: boolean
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** What was sent; the delivery log of the notification tells the rest. */
export type TestTemplateResponse = {
  /** Notification id. */
  notificationId: string
  /** Rendered title. */
  title: string
  /** Rendered text. */
  body: string
  /** Channels that are tried. */
  channels: string[]
}

/** The state of the notification. */
export type UnarchiveNotificationResponse = {
  /** Notification id. */
  id: string
  /** Always false. */
  isDismissed: boolean
  /** Whether it is read, as it was before the dismissal. */
  isRead: boolean
}

/** Says that the device gets no more pushes. */
export type UnregisterDeviceResponse = {
  /** For a person. */
  message: string
  /** Subscription id. */
  id: string
}

/** Says what will not be mailed any more. */
export type UnsubscribeResponse = {
  /** For a person. */
  message: string
  /** <type>.<category> that is no longer mailed. */
  category: string
}

/** An error. Programs read `error`; `message` is for people. */
export type Error = {
  statusCode: number
  error: string
  message: string
  requestId: string
}

/** Every invalid field. */
export type ValidationErrors = {
  error: FieldError[]
}

/** An invalid field: its path as the client sent it, a message for people, and the rule for programs. */
export type FieldError = {
  path: string
  message: string
  rule: string
}

/** Notification service. */
export type NotificationOperations = {
  /** Sums over the notifications of a workspace within a period that ends now.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_analytics` */
  getNotificationAnalytics(
    input?: {
      /** Length in hours or days, such as 24h, 7d or 90d; 7d when absent, at most 999d. */
      period?: string
      /** Workspace id; the caller's own when absent. */
      workspaceId?: string
    },
    options?: CallOptions,
  ): Promise<GetNotificationAnalyticsResponse>
  /** Lists dead letters, newest first.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: a failed message must be seen to be mended. */
  listDeadLetters(
    input?: {
      /** Only those of this type. */
      type?: string
      /** Only those of this consumer. */
      consumer?: string
      /** Page, from 1. */
      page?: number
      /** Dead letters per page; 20 when absent, at most 100. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListDeadLettersResponse>
  /** Redrives the dead letters that match, oldest first, at most 1000 per call.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: an outage leaves more than one. */
  redriveDeadLetters(
    input: {
      body: RedriveDeadLettersRequest
    },
    options?: CallOptions,
  ): Promise<RedriveDeadLettersResponse>
  /** One dead letter with its content. NotFoundError.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: the content tells why a message failed. */
  getDeadLetter(
    input: {
      /** Sequence number in the dead-letter stream. */
      id: string
    },
    options?: CallOptions,
  ): Promise<GetDeadLetterResponse>
  /** Discards a dead letter for good. NotFoundError.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: some messages can never be processed. */
  discardDeadLetter(
    input: {
      /** Sequence number in the dead-letter stream. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DiscardDeadLetterResponse>
  /** Publishes a dead letter again under a new message id and its old occurrence, and takes it off the list. NotFoundError.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: once the cause is mended, the message is due. */
  redriveDeadLetter(
    input: {
      /** Sequence number in the dead-letter stream. */
      id: string
    },
    options?: CallOptions,
  ): Promise<RedriveDeadLetterResponse>
  /** How many messages each channel delivered, hour by hour. Kept as it happens and for 90 days.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: an operator sees a channel that fails before anybody complains. */
  getDeliveryStatistics(
    input?: {
      /** Hours to look back, the running one included; 24 when absent, at most 744. */
      hours?: number
    },
    options?: CallOptions,
  ): Promise<GetDeliveryStatisticsResponse>
  /** Lists the caller's notifications, newest first.
   *
   * **Callers:** person · **Tenant:** own tenants */
  listNotifications(
    input?: {
      /** Only read (true) or unread (false) ones. */
      isRead?: boolean
      /** Only those of this type, such as page. */
      type?: string
      /** Page, from 1. */
      page?: number
      /** Notifications per page; 20 when absent, at most 100. */
      limit?: number
      /** True lists the dismissed ones in place of the others. */
      isArchived?: boolean
    },
    options?: CallOptions,
  ): Promise<ListNotificationsResponse>
  /** Sends a direct message to members of a workspace over the named channels; their preferences hold. ValidationError when no receiver is an active member of the workspace. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person, credential, service key · **Tenant:** workspace (`workspaceId`) · **Permission:** `send_notifications`
   *
   * Not documented elsewhere: send_notifications has no route in the documents. */
  sendNotification(
    input: {
      body: SendNotificationRequest
    },
    options?: CallOptions,
  ): Promise<Notification>
  /** Marks all the caller's notifications read.
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
   * Not documented elsewhere: preview and test need to know what there is. */
  listTemplates(
    input?: {
      /** Workspace that carries the right; the caller's own when absent. */
      workspaceId?: string
      /** Only this language: fr or en. */
      language?: 'fr' | 'en'
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListTemplatesResponse>
  /** Renders a template exactly as a delivery would, and sends nothing. NotFoundError for an unknown slug.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `send_notifications`
   *
   * Not documented elsewhere: texts are looked at before they go out. */
  previewTemplate(
    input: {
      /** Slug of the template. */
      slug: string
      body: {
        /** Workspace that carries the right; the caller's own when absent. */
        workspaceId?: string | null
        /** fr or en; the caller's language when absent. */
        language?: 'fr' | 'en' | null | null
        /** Values by variable name; a variable without one stays as it stands. */
        variables?: Record<string, string>
      }
    },
    options?: CallOptions,
  ): Promise<PreviewTemplateResponse>
  /** Renders a template and sends it to the caller alone, past their preferences. NotFoundError for an unknown slug.
   *
   * **Callers:** person · **Tenant:** workspace (`workspaceId`) · **Permission:** `send_notifications`
   *
   * Not documented elsewhere: a channel is tried out without bothering anybody. */
  testTemplate(
    input: {
      /** Slug of the template. */
      slug: string
      body: {
        /** Workspace that carries the right; the caller's own when absent. */
        workspaceId?: string | null
        /** fr or en; the caller's language when absent. */
        language?: 'fr' | 'en' | null | null
        /** Values by variable name; a variable without one stays as it stands. */
        variables?: Record<string, string>
        /** Channels: any of push, email, socket, app; all when empty. */
        channels?: ('push' | 'email' | 'socket' | 'app')[]
      }
    },
    options?: CallOptions,
  ): Promise<TestTemplateResponse>
  /** Counts the caller's unread notifications.
   *
   * **Callers:** person · **Tenant:** own tenants */
  getUnreadCount(options?: CallOptions): Promise<GetUnreadCountResponse>
  /** Dismisses a notification: it leaves the list and the unread count. Dismissing twice answers alike.
   *
   * **Callers:** person · **Tenant:** own tenants */
  dismissNotification(
    input: {
      /** Notification id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DismissNotificationResponse>
  /** Records that the caller opened what the notification is about, and marks it read. The first click counts.
   *
   * **Callers:** person · **Tenant:** own tenants
   *
   * Not documented elsewhere: the statistics count clicks, which no documented route records. */
  clickNotification(
    input: {
      /** Notification id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<ClickNotificationResponse>
  /** Marks a notification read; a read one keeps its time. The caller's other devices are told.
   *
   * **Callers:** person · **Tenant:** own tenants */
  markRead(
    input: {
      /** Notification id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<MarkReadResponse>
  /** Brings a dismissed notification back into the list.
   *
   * **Callers:** person · **Tenant:** own tenants
   *
   * Not documented elsewhere: a dismissal by mistake can be undone. */
  unarchiveNotification(
    input: {
      /** Notification id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<UnarchiveNotificationResponse>
  /** Marks a notification unread again.
   *
   * **Callers:** person · **Tenant:** own tenants
   *
   * Not documented elsewhere: something read in passing is kept for later. */
  markUnread(
    input: {
      /** Notification id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<MarkUnreadResponse>
  /** Lists the attempts to deliver one notification, oldest first. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `send_notifications`
   *
   * Not documented elsewhere: attempts are stored, and a sender asks what became of a message. */
  listDeliveries(
    input: {
      /** Notification id. */
      notificationId: string
      /** Only this channel: push, email or socket. */
      channel?: 'push' | 'email' | 'socket'
      /** Only this status: success, failed or retry. */
      status?: 'success' | 'failed' | 'retry'
      /** Page, from 1. */
      page?: number
      /** Attempts per page; 20 when absent, at most 100. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListDeliveriesResponse>
  /** The caller's preferences; the defaults, with nothing stored, before the first change.
   *
   * **Callers:** person · **Tenant:** own tenants */
  getPreferences(options?: CallOptions): Promise<Preferences>
  /** Changes what the body names. Entries and channels that categoryPrefs does not name are left alone. ValidationError for an unknown time zone.
   *
   * **Callers:** person · **Tenant:** own tenants */
  updatePreferences(
    input: {
      body: {
        /** True silences everything. */
        isGlobalSilent?: boolean | null
        /** False ends do-not-disturb; true needs dndUntil. */
        doNotDisturb?: boolean | null
        /** End of do-not-disturb, in the future: without doNotDisturb it begins it, and null ends it. */
        dndUntil?: string | null
        /** Parts of the quiet hours to change. */
        quietHours?: QuietHoursChange | null
        /** Channels to change by <type>.<category>, at most 200 entries. */
        categoryPrefs?: Record<string, ChannelChange>
      }
    },
    options?: CallOptions,
  ): Promise<Preferences>
  /** Silences everything for some time from now, or with {duration: 0} ends that.
   *
   * **Callers:** person · **Tenant:** own tenants */
  setDoNotDisturb(
    input: {
      body: SetDoNotDisturbRequest
    },
    options?: CallOptions,
  ): Promise<Preferences>
  /** Ends do-not-disturb before its time.
   *
   * **Callers:** person · **Tenant:** own tenants
   *
   * Not documented elsewhere: a shift may start earlier than planned. */
  endDoNotDisturb(options?: CallOptions): Promise<Preferences>
  /** Silences everything, or with {enabled: false} ends that.
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
   * Not documented elsewhere: the documents start silence and never end it. */
  endGlobalSilence(options?: CallOptions): Promise<Preferences>
  /** Switches the e-mail channel off for the member and category of a mail's List-Unsubscribe link, in one click and without a sign-in (RFC 8058). ValidationError for a token that is not ours; repeating it answers alike.
   *
   * **Callers:** public
   *
   * Not documented elsewhere: the large mail providers require one-click unsubscribe. */
  unsubscribe(
    input: {
      /** Token that names the member and the category. */
      token: string
    },
    options?: CallOptions,
  ): Promise<UnsubscribeResponse>
  /** Lists the caller's registered devices, last used first.
   *
   * **Callers:** person · **Tenant:** own tenants */
  listDevices(
    input?: {
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListDevicesResponse>
  /** Registers a device for the caller. A token that is known, on a shared tablet for instance, moves to the caller. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person · **Tenant:** workspace (`workspaceId`) */
  registerDevice(
    input: {
      body: RegisterDeviceRequest
    },
    options?: CallOptions,
  ): Promise<Subscription>
  /** Unregisters one of the caller's devices. NotFoundError for an unknown token and for somebody else's.
   *
   * **Callers:** person · **Tenant:** own tenants */
  unregisterDevice(
    input: {
      /** Player id or mobile push token. */
      deviceToken: string
    },
    options?: CallOptions,
  ): Promise<UnregisterDeviceResponse>
}

export const notificationRoutes: Routes<NotificationOperations> = {
  getNotificationAnalytics: {
    verb: 'GET',
    path: '/api/v1/analytics/notifications',
    query: ['period', 'workspaceId'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listDeadLetters: {
    verb: 'GET',
    path: '/api/v1/dead-letters',
    query: ['type', 'consumer', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  redriveDeadLetters: {
    verb: 'POST',
    path: '/api/v1/dead-letters/redrive',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  getDeadLetter: {
    verb: 'GET',
    path: '/api/v1/dead-letters/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  discardDeadLetter: {
    verb: 'DELETE',
    path: '/api/v1/dead-letters/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  redriveDeadLetter: {
    verb: 'POST',
    path: '/api/v1/dead-letters/{id}/redrive',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  getDeliveryStatistics: {
    verb: 'GET',
    path: '/api/v1/deliveries/statistics',
    query: ['hours'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listNotifications: {
    verb: 'GET',
    path: '/api/v1/notifications',
    query: ['isRead', 'type', 'page', 'limit', 'isArchived'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  sendNotification: {
    verb: 'POST',
    path: '/api/v1/notifications',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  markAllRead: {
    verb: 'POST',
    path: '/api/v1/notifications/read-all',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  listTemplates: {
    verb: 'GET',
    path: '/api/v1/notifications/templates',
    query: ['workspaceId', 'language', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  previewTemplate: {
    verb: 'POST',
    path: '/api/v1/notifications/templates/{slug}/preview',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  testTemplate: {
    verb: 'POST',
    path: '/api/v1/notifications/templates/{slug}/test',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  getUnreadCount: {
    verb: 'GET',
    path: '/api/v1/notifications/unread-count',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  dismissNotification: {
    verb: 'DELETE',
    path: '/api/v1/notifications/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  clickNotification: {
    verb: 'PATCH',
    path: '/api/v1/notifications/{id}/click',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  markRead: {
    verb: 'PATCH',
    path: '/api/v1/notifications/{id}/read',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  unarchiveNotification: {
    verb: 'PATCH',
    path: '/api/v1/notifications/{id}/unarchive',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  markUnread: {
    verb: 'PATCH',
    path: '/api/v1/notifications/{id}/unread',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  listDeliveries: {
    verb: 'GET',
    path: '/api/v1/notifications/{notificationId}/deliveries',
    query: ['channel', 'status', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getPreferences: {
    verb: 'GET',
    path: '/api/v1/preferences',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updatePreferences: {
    verb: 'PATCH',
    path: '/api/v1/preferences',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  setDoNotDisturb: {
    verb: 'POST',
    path: '/api/v1/preferences/do-not-disturb',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  endDoNotDisturb: {
    verb: 'DELETE',
    path: '/api/v1/preferences/do-not-disturb',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  setGlobalSilence: {
    verb: 'POST',
    path: '/api/v1/preferences/global-silence',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  endGlobalSilence: {
    verb: 'DELETE',
    path: '/api/v1/preferences/global-silence',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  unsubscribe: {
    verb: 'POST',
    path: '/api/v1/preferences/unsubscribe/{token}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: true,
  },
  listDevices: {
    verb: 'GET',
    path: '/api/v1/subscriptions',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  registerDevice: {
    verb: 'POST',
    path: '/api/v1/subscriptions',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  unregisterDevice: {
    verb: 'DELETE',
    path: '/api/v1/subscriptions/{deviceToken}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
}
