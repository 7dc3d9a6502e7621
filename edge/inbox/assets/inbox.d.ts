/** A notification in the element's events. */
export interface InboxNotification {
  id: string
  /** Such as page; together with the category, such as created, it identifies what happened. */
  type: string
  category: string
  title: string
  body: string
  /** The event's data, such as the id of the page. */
  data: Record<string, unknown> | null
  /** Without id and names for the system. */
  actor?: { id: string | null; firstName?: string | null; lastName?: string | null; photo_url?: string | null } | null
  createdAt: string
}

/** A function returns undefined when nobody is signed in. */
type Token = string | ((mustRenew: boolean) => string | undefined | Promise<string | undefined>)

/** <platform-inbox>; attributes: src, token, lang, timezone, theme (light, dark), inline, preferences, selected. */
export interface PlatformInbox extends HTMLElement {
  /** An access token, or a function that gets one; mustRenew is true when the last one was refused or expires soon. */
  token: Token | undefined
  readonly unread: number
  readonly open: boolean
  show(): void
  hide(): void
}

declare global {
  interface HTMLElementTagNameMap {
    'platform-inbox': PlatformInbox
  }
  interface HTMLElementEventMap {
    'notification-click': CustomEvent<InboxNotification>
    'notification-new': CustomEvent<InboxNotification & { recovered: boolean }>
    'unread-change': CustomEvent<{ unread: number }>
    'token-needed': CustomEvent<{ mustRenew: boolean; provide(token: string | Promise<string>): void }>
  }
}
