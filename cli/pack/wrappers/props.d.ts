import './inbox.js'

/** What both wrappers take; see docs/guides/inbox.md for the attributes. */
export interface InboxProps {
  /** Gets an access token; mustRenew is true when the last one was refused or expires soon. */
  token?: (mustRenew: boolean) => string | undefined | Promise<string | undefined>
  /** Address of the notification service. */
  src: string
  lang?: string
  timezone?: string
  theme?: 'light' | 'dark'
  /** An empty text shows the panel as part of the page. */
  inline?: ''
  /** An empty text begins with the preferences. */
  preferences?: ''
  selected?: string
  onNotificationClick?: (event: HTMLElementEventMap['notification-click']) => void
  onNotificationNew?: (event: HTMLElementEventMap['notification-new']) => void
  onUnreadChange?: (event: HTMLElementEventMap['unread-change']) => void
  onTokenNeeded?: (event: HTMLElementEventMap['token-needed']) => void
}
