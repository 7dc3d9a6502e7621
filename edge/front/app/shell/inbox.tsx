import { useEffect, useRef } from 'preact/hooks'
import { basePath, serviceAddress } from '../platform/place.ts'
import { showUnread } from '../platform/push/device.ts'
import { offerPushes } from '../platform/push/push.ts'
import { go } from '../platform/router.tsx'
import { accessToken } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { language, useTexts } from '../platform/texts.ts'
import { type Theme, theme } from '../platform/theme.ts'
import { browserZone, profileZone } from '../platform/zone.ts'
import { useTitle } from '../ui/page.tsx'

type Component = HTMLElement & { token: (isRefused: boolean) => Promise<string>; open: boolean }
type Click = CustomEvent<{ id: string; type: string; data: Record<string, unknown> | null }>
type UnreadChange = CustomEvent<{ unread: number }>

/** The script of the component, which the notification service serves. */
const inboxScript = `${basePath}services/notification/inbox.js`

type InboxProps = { isInline?: boolean; hasPreferences?: boolean; selected?: string | undefined }

/**
 * The platform's inbox component: unread count, notifications and their preferences.
 * @param isInline shows it as part of the page, instead of behind a bell
 * @param hasPreferences begins with the preferences
 * @param selected the notification to begin with
 */
export function Inbox({ isInline = false, hasPreferences = false, selected }: InboxProps) {
  const holder = useRef<HTMLDivElement>(null)
  const interfaceLanguage = useStore(language)
  const colours = useStore(theme)
  const timeZone = useStore(profileZone) ?? browserZone()
  const adapt = (element: Element | null | undefined) => {
    element?.setAttribute('lang', interfaceLanguage)
    element?.setAttribute('timezone', timeZone)
    showTheme(element, colours)
  }
  useEffect(() => {
    // Offline, the script may be missing: the page works without the inbox.
    import(inboxScript).catch(() => undefined)
    const element = document.createElement('platform-inbox') as Component
    element.setAttribute('src', serviceAddress('notification'))
    element.toggleAttribute('inline', isInline)
    element.toggleAttribute('preferences', hasPreferences)
    if (selected) element.setAttribute('selected', selected)
    // Without a connection any token will do: the service worker answers what was read.
    element.token = async isRefused => (await accessToken(isRefused).catch(() => 'offline')) ?? ''
    element.addEventListener('notification-click', event => openNotification((event as Click).detail, isInline))
    element.addEventListener('unread-change', event => void showUnread((event as UnreadChange).detail.unread))
    element.addEventListener('click', () => element.open && offerPushes())
    void showUnread(0)
    adapt(element)
    holder.current?.append(element)
    return () => element.remove()
  }, [isInline, hasPreferences, selected])
  useEffect(() => adapt(holder.current?.firstElementChild), [interfaceLanguage, colours, timeZone])
  return <div class={isInline ? 'inbox' : 'bell'} ref={holder} />
}

function showTheme(element: Element | null | undefined, colours: Theme): void {
  if (colours === 'system') element?.removeAttribute('theme')
  else element?.setAttribute('theme', colours)
}

/** Opens what a notification is about; a message is about nothing else, and is read in the inbox. */
function openNotification({ id, type, data }: Click['detail'], isInline: boolean): void {
  const page = type === 'page' ? data?.['id'] : data?.['pageId']
  if (typeof page === 'string') return go(`/pages/${page}`)
  if (type === 'member' && typeof data?.['memberId'] === 'string') return go(`/members/${data['memberId']}`)
  if (!isInline) go(`/notifications/${id}`)
}

/** The inbox as a page, the target of e-mails whose subject has no page. */
export function InboxPage({ hasPreferences = false, selected }: Omit<InboxProps, 'isInline'>) {
  const t = useTexts('shell/inbox')
  useTitle(t.title)
  useEffect(offerPushes, [])
  return (
    <>
      <h1 class="unseen">{t.title}</h1>
      <Inbox isInline hasPreferences={hasPreferences} selected={selected} />
    </>
  )
}
