import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { MyWorkspace } from '../../../../gen/client/member.ts'
import { NewsSearch } from '../feed/search.tsx'
import { fileAddress } from '../platform/addresses.ts'
import { useHotelBrand } from '../platform/hotel.ts'
import { liveState } from '../platform/live.ts'
import { Link, place } from '../platform/router.tsx'
import { isOpen, pausedUntil, type SignedInSession } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { fill, locale, useTexts } from '../platform/texts.ts'
import { personZone } from '../platform/zone.ts'
import { Options } from '../ui/controls.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Avatar } from '../ui/people.tsx'
import { PushOffer } from '../ui/push.tsx'
import { Inbox } from './inbox.tsx'

type Entry = { to: string; icon: IconName; text: string; needs?: string[] }

type FrameProps = {
  now: SignedInSession
  workspace: MyWorkspace
  choose: (workspaceId: string) => void
  children: ComponentChildren
}

/** The frame of every page of a member: the hotel's name, the navigation, the inbox. */
export function Frame({ now, workspace, choose, children }: FrameProps) {
  const t = useTexts('shell/frame')
  useHotelBrand()
  const path = useStore(place)
  const state = useStore(liveState)
  const pauseText = usePauseText()
  const entries: Entry[] = [
    { to: '/', icon: 'home', text: t.news },
    { to: '/write', icon: 'pen', text: t.write, needs: ['create_content', 'edit_content'] },
    { to: '/members', icon: 'people', text: t.colleagues, needs: ['view_members'] },
    {
      to: '/hotel',
      icon: 'hotel',
      text: t.hotel,
      needs: ['manage_settings', 'view_settings', 'view_reports', 'view_analytics', 'export_data'],
    },
  ]
  const visibleEntries = entries.filter(
    ({ needs }) => !needs || needs.some(slug => workspace.permissions.includes(slug)),
  )
  const isHere = (to: string) => (to === '/' ? /^\/(\?|$|pages)/.test(path) : path.startsWith(to))
  const places = now.workspaces.filter(isOpen)
  const logo = fileAddress(workspace.logo_url)
  const content = useRef<HTMLElement>(null)
  // The browser resolves the fragment against the base address, which would open the news.
  const skipToContent = (event: MouseEvent) => {
    event.preventDefault()
    content.current?.focus()
  }
  return (
    <div class="frame">
      <a class="skip" href="#content" onClick={skipToContent}>
        {t.skip}
      </a>
      <header class="bar row">
        <Link to="/" class="brand row">
          {logo ? <img src={logo} alt="" /> : <Icon name="hotel" size={24} />}
          <span class="cut">{workspace.name}</span>
        </Link>
        {places.length > 1 && (
          <select
            aria-label={t.workspace}
            value={workspace.id}
            onChange={event => {
              const { value } = event.currentTarget
              // Shows the other workspace only once it is entered: unsaved changes may keep the person here.
              event.currentTarget.value = workspace.id
              choose(value)
            }}
          >
            <Options choices={places.map(({ id, name }) => ({ value: id, text: name }))} />
          </select>
        )}
        <NewsSearch />
        <Inbox />
        <Link to="/account" class="me" aria-label={t.yourAccount} title={t.yourAccount}>
          <Avatar person={now.user} size={36} />
        </Link>
      </header>
      {(pauseText || state === 'waiting' || state === 'closed') && (
        <p class="connection" role="status">
          {pauseText ?? t.reconnecting}
        </p>
      )}
      <PushOffer />
      <nav class="navigation" aria-label={t.main}>
        {visibleEntries.map(({ to, icon, text }) => (
          <Link key={to} to={to} aria-current={isHere(to) ? 'page' : undefined}>
            <Icon name={icon} size={24} />
            <span>{text}</span>
          </Link>
        ))}
      </nav>
      <main id="content" ref={content} class="content" tabIndex={-1} key={workspace.id}>
        {children}
      </main>
    </div>
  )
}

/** Text that says when the platform accepts session refreshes again; undefined while it does. */
export function usePauseText(): string | undefined {
  const t = useTexts('shell/frame')
  return (
    useStore(pausedUntil) &&
    fill(t.paused, { time: pausedUntil.get()?.toLocaleTimeString(locale(), { timeZone: personZone() }) ?? '' })
  )
}
