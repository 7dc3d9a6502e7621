import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useStore } from '../../front/app/platform/store.ts'
import { chooseTheme, theme } from '../../front/app/platform/theme.ts'
import { Button } from '../../front/app/ui/controls.tsx'
import { closeDialogs, Dialogs } from '../../front/app/ui/dialogs.tsx'
import { Toasts } from '../../front/app/ui/feedback.tsx'
import { Icon, type IconName } from '../../front/app/ui/icon.tsx'
import * as format from './format.ts'
import { Audit } from './pages/audit.tsx'
import { DeadLetters } from './pages/dead-letters.tsx'
import { Deliveries } from './pages/deliveries.tsx'
import { Events } from './pages/events.tsx'
import { Hotel } from './pages/hotel.tsx'
import { Hotels } from './pages/hotels.tsx'
import { Legacy } from './pages/legacy.tsx'
import { Overview } from './pages/overview.tsx'
import { People, Person } from './pages/people.tsx'
import { Requests } from './pages/requests.tsx'
import { Sessions } from './pages/sessions.tsx'
import { Failure, Nothing } from './parts.tsx'
import { readPlace, recordName } from './place.ts'
import { forgetRedrives } from './redrives.tsx'
import { freshness, pauseUpdates, refresh, resetFreshness } from './refresh.ts'
import { operator, signOut } from './session.ts'
import { NotAvailable, SignIn, SignInAgain } from './sign-in.tsx'

/** A page's address, name, icon and view. */
type Page = [address: string, name: string, icon: IconName, view: ComponentType]
const overview: Page = ['overview', 'Overview', 'home', Overview]
const pages: Page[] = [
  overview,
  ['hotels', 'Hotels & setups', 'hotel', Hotels],
  ['events', 'Events', 'bell', Events],
  ['dead-letters', 'Dead letters', 'archive', DeadLetters],
  ['deliveries', 'Deliveries', 'mail', Deliveries],
  ['requests', 'Requests', 'search', Requests],
  ['audit', 'Audit', 'file', Audit],
  ['people', 'People', 'people', People],
  ['sessions', 'Sessions', 'device', Sessions],
  ['legacy', 'Legacy', 'clock', Legacy],
]

/** The pages of one record, by the address of their list. */
const recordPages: Record<string, ComponentType<{ id: string }>> = { hotels: Hotel, people: Person }

const NotFound = () => (
  <Nothing title="There is no page at this address">
    <a href="#/overview">Overview</a>
  </Nothing>
)
const notFound: Page = ['missing', 'Not found', 'search', NotFound]

export function App() {
  const current = useStore(operator)
  const email = current.kind === 'in' ? current.email : undefined
  useEffect(
    () => () => {
      closeDialogs()
      forgetRedrives()
      resetFreshness()
    },
    [email],
  )
  if (current.kind === 'starting') return null
  if (current.kind === 'out') return <SignIn error={current.error} />
  if (current.kind === 'unknown') return <NotAvailable error={current.error} />
  return (
    <>
      <Frame key={current.email} email={current.email} />
      <Dialogs />
      {current.hasExpired && <SignInAgain email={current.email} />}
      <Toasts />
    </>
  )
}

/** Counts the changes of the address: each mounts its page again. */
function useVisits(): number {
  const [visits, setVisits] = useState(0)
  // A layout effect listens before the browser paints, so that no change is missed.
  useLayoutEffect(() => {
    const visit = () => {
      closeDialogs()
      setVisits(count => count + 1)
      scrollTo({ top: 0, behavior: 'instant' })
    }
    addEventListener('hashchange', visit)
    return () => removeEventListener('hashchange', visit)
  }, [])
  return visits
}

function Frame({ email }: { email: string }) {
  const visits = useVisits()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const { name, id } = readPlace()
  const Record = id === undefined ? undefined : recordPages[name]
  const page = name === '' ? overview : pages.find(([address]) => address === name)
  const isFound = page !== undefined && (id === undefined || Record !== undefined)
  const [section, text, , View] = isFound ? page : notFound
  const title = useStore(recordName) ?? text
  useEffect(() => setMenuOpen(false), [visits])
  useEffect(() => {
    document.title = `${title} · Console`
  }, [title])
  const skip = (event: Event) => {
    event.preventDefault()
    heading.current?.focus()
  }
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <aside class={isMenuOpen ? 'open' : ''}>
        <div class="brand row">
          <img src="/assets/favicon.svg" alt="" width={28} height={28} />
          Console
          <Button
            class="small menu"
            variant="quiet"
            aria-expanded={isMenuOpen}
            aria-controls="nav"
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            Menu
          </Button>
        </div>
        <Navigation section={section} isRecord={Record !== undefined} />
        <div class="account">
          <p class="hint">Times in {format.zone}</p>
          <p class="hint cut" title={email}>
            {email}
          </p>
          <Button class="small" variant="quiet" icon="leave" onClick={() => void signOut()}>
            Sign out
          </Button>
        </div>
      </aside>
      <div class="page">
        <div class="head">
          <header class="row">
            <h1 class="cut" ref={heading} tabIndex={-1}>
              {title}
            </h1>
            <UpdateStatus />
          </header>
          <RefreshProblem />
        </div>
        <main id="main" class={`page-${section}${Record ? '-record' : ''}`} key={visits}>
          {Record && id ? <Record id={id} /> : <View />}
        </main>
      </div>
    </div>
  )
}

/** The pages; dead letters with their number. */
function Navigation({ section, isRecord }: { section: string; isRecord: boolean }) {
  const dead = useStore(freshness).status?.bus.dead ?? 0
  return (
    <nav aria-label="Pages" id="nav">
      <ul class="nav">
        {pages.map(([address, text, icon]) => (
          <li key={address}>
            <a
              class="row"
              href={`#/${address}`}
              aria-current={address === section ? (isRecord ? 'true' : 'page') : undefined}
            >
              <Icon name={icon} />
              {text}
              {address === 'dead-letters' && dead > 0 && (
                <span class="tag tone-warn">
                  {format.short(dead)}
                  <span class="unseen"> pending</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** When the page was refreshed, with the buttons that pause the refreshes and change the theme. */
function UpdateStatus() {
  const { refreshedAt, isPaused } = useStore(freshness)
  return (
    <>
      {refreshedAt && (
        <p class="hint">
          {isPaused ? 'Paused at' : 'Updated'} {format.exactTime(refreshedAt)} {format.zone}
        </p>
      )}
      <Button
        class="small"
        variant="quiet"
        aria-label={isPaused ? 'Resume updates' : 'Pause updates'}
        onClick={() => pauseUpdates(!isPaused)}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <ThemeButton />
    </>
  )
}

function ThemeButton() {
  const chosenTheme = useStore(theme)
  const systemTheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const next = (chosenTheme === 'system' ? systemTheme : chosenTheme) === 'dark' ? 'light' : 'dark'
  const text = next === 'dark' ? 'Dark' : 'Light'
  return (
    <Button
      class="small"
      variant="quiet"
      aria-label={`${text} theme`}
      onClick={() => chooseTheme(next === systemTheme ? 'system' : next)}
    >
      {text}
    </Button>
  )
}

/** Why the page isn't refreshed. */
function RefreshProblem() {
  const { refreshedAt, error, blockedUntil = 0 } = useStore(freshness)
  if (blockedUntil > Date.now())
    return (
      <div class="problem wait" role="status">
        <Icon name="clock" />
        <div>
          <p>Too many requests. Updates resume in {format.duration(blockedUntil - Date.now())}.</p>
          <p>
            The page stays as it is until {format.exactTime(blockedUntil)} {format.zone}.
          </p>
        </div>
      </div>
    )
  if (error === undefined) return null
  return (
    <Failure error={error}>
      {refreshedAt && (
        <p>
          This page shows {format.exactTime(refreshedAt)} {format.zone}. Actions are off until it is up to date.
        </p>
      )}
      <Button class="small" onClick={() => void refresh()}>
        Try again
      </Button>
    </Failure>
  )
}
