import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { MyWorkspace } from '../../../../gen/client/member.ts'
import { Feed } from '../feed/feed.tsx'
import { SavedPages } from '../feed/saved.tsx'
import { PageScreen } from '../page/page.tsx'
import { useAction } from '../platform/action.ts'
import { closeLive } from '../platform/live.ts'
import { useFollowRights } from '../platform/rights.ts'
import { go, isRenamed, Link, matchRoute, place, type Routes } from '../platform/router.tsx'
import {
  chooseWorkspace,
  loadSession,
  restoreSession,
  type SignedInSession,
  session,
  signOut,
} from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { useTexts } from '../platform/texts.ts'
import { ConfirmAddress } from '../sign-in/confirm-address.tsx'
import { Invitation, InvitationSignIn } from '../sign-in/invitation.tsx'
import { ForgottenPassword, ResetPassword } from '../sign-in/reset-password.tsx'
import { NewPassword, SignIn } from '../sign-in/sign-in.tsx'
import { Button } from '../ui/controls.tsx'
import { closeDialogs, Dialogs } from '../ui/dialogs.tsx'
import { useEnterWorkspace } from '../ui/entering.ts'
import { EmptyPage, Loading, notify, PageProblem, Problem, Toasts } from '../ui/feedback.tsx'
import { focusHeading } from '../ui/page.tsx'
import { Frame, usePauseText } from './frame.tsx'
import { InboxPage } from './inbox.tsx'

/** Pages that need no sign-in, mostly opened from mails. */
const publicPages: Routes = {
  '/invitation': () => <Invitation />,
  '/invitation/sign-in': () => <InvitationSignIn />,
  '/reset-password': () => <ResetPassword />,
  '/forgotten-password': () => <ForgottenPassword />,
  '/verify-email': () => <ConfirmAddress />,
}

export function App() {
  return (
    <>
      <Screen />
      <Dialogs />
      <Toasts />
    </>
  )
}

function Screen() {
  const t = useTexts('shell/app')
  const now = useStore(session)
  const path = useStore(place)
  const pauseText = usePauseText()
  useMove(path)
  useEffect(() => {
    if (now.kind === 'in') return
    closeLive()
    closeDialogs()
  }, [now.kind])
  if (now.kind === 'must-change-password') return <NewPassword {...now} />
  const openPage = matchRoute(publicPages, path)
  if (openPage) return openPage
  if (now.kind === 'starting') return <Loading />
  if (now.kind === 'unreachable')
    return (
      <main class="alone stack loose">
        <EmptyPage icon="warning" title={pauseText ?? t.unreachable}>
          {!pauseText && <p>{t.unreachableText}</p>}
          <Button variant="main" onClick={() => void restoreSession()}>
            {t.retry}
          </Button>
        </EmptyPage>
      </main>
    )
  if (now.kind !== 'in') return <SignIn note={now.kind === 'ended' ? t.ended : undefined} />
  return <SignedInScreen now={now} path={path} />
}

/** The pages of a signed-in person, following changes of their rights. */
function SignedInScreen({ now, path }: { now: SignedInSession; path: string }) {
  const t = useTexts('shell/app')
  useFollowRights(now, () => notify(t.rights))
  if (!now.workspace) return <NoWorkspace now={now} />
  const missingPage = (
    <EmptyPage icon="search" title={t.missing}>
      <Link to="/">{t.home}</Link>
    </EmptyPage>
  )
  return (
    <Frame now={now} workspace={now.workspace} choose={id => go('/', { before: () => chooseWorkspace(id) })}>
      {pageAt(path, missingPage)}
    </Frame>
  )
}

function NoWorkspace({ now }: { now: SignedInSession }) {
  const t = useTexts('shell/app')
  const check = useAction(loadSession)
  const status = now.workspaces[0]?.status
  const [title, text] =
    status === 'pending'
      ? [t.pending, t.pendingText]
      : status === 'suspended'
        ? [t.suspended, t.suspendedText]
        : status === 'active'
          ? [t.resting, t.restingText]
          : [t.noMembership, t.noMembershipText]
  return (
    <main class="alone stack loose">
      <EmptyPage icon="hotel" title={title}>
        <p>{text}</p>
        <Problem error={check.error} />
        <Button variant="main" action={check}>
          {t.checkAgain}
        </Button>
        <Button variant="quiet" onClick={() => void signOut()}>
          {t.signOut}
        </Button>
      </EmptyPage>
    </main>
  )
}

/** Closes what was open, and moves the focus to the heading of the page, so that screen readers read it. */
function useMove(path: string): void {
  const page = path.split('?')[0]
  const before = useRef(page)
  useEffect(() => {
    if (before.current === page) return
    before.current = page
    if (isRenamed()) return
    closeDialogs()
    let focused = document.activeElement
    // A page that loads shows its heading later.
    const observer = new MutationObserver(() => {
      // Screen readers move the focus without keys and pointers.
      if (document.activeElement === focused || document.activeElement === document.body) focusAgain()
      else stop()
    })
    const focusAgain = () => {
      focusHeading()
      focused = document.activeElement
    }
    // A person who acts on the page keeps the focus where they put it.
    const userActions = new AbortController()
    const stop = () => {
      observer.disconnect()
      userActions.abort()
    }
    focusAgain()
    observer.observe(document.body, { childList: true, subtree: true })
    for (const eventName of ['keydown', 'pointerdown'])
      addEventListener(eventName, stop, { capture: true, signal: userActions.signal })
    return stop
  }, [page])
}

/** The pages of a signed-in member, by address. */
const pages: Routes = {
  '/': () => <Feed />,
  '/saved': () => <SavedPages />,
  '/pages/:id': ({ id = '' }) => <PageScreen key={id} id={id} />,
  '/notifications': () => <InboxPage />,
  '/notifications/preferences': () => <InboxPage key="preferences" hasPreferences />,
  '/notifications/:id': ({ id = '' }) => <InboxPage key={id} selected={id} />,
  // Targets of links in e-mails.
  '/workspaces/:id': ({ id }) => <OtherWorkspaces to="/" isSuitable={one => one.id === id} />,
  '/hotels/:id': ({ id }) => <OtherWorkspaces to="/hotel" isSuitable={one => one.ecosystemId === id} />,
}

/** Redirects a link of an e-mail to the page that shows its subject, in a workspace that holds it. */
function OtherWorkspaces({ to, isSuitable }: { to: string; isSuitable: (workspace: MyWorkspace) => boolean }) {
  useEnterWorkspace(isSuitable)
  useEffect(() => go(to, { replace: true }), [to])
  return null
}

/** Whether a path is of a page whose code is loaded later. */
const isRoom = (path: string): boolean => /^\/(account|write|members|hotel)(?=[/?]|$)/.test(path)

/** The page at an address; `missingPage` where there is none. */
const pageAt = (path: string, missingPage: ComponentChildren): ComponentChildren =>
  matchRoute(pages, path) ?? (isRoom(path) ? <Room path={path} missing={missingPage} /> : missingPage)

function Room({ path, missing }: { path: string; missing: ComponentChildren }) {
  const [routes, setRoutes] = useState<Routes | undefined>(undefined)
  const [error, setError] = useState<unknown>(undefined)
  useEffect(() => {
    import('./rooms.tsx').then(({ roomPages }) => setRoutes(() => roomPages), setError)
  }, [])
  // The files of an older version are gone after an update: a reload of the page gets the current ones.
  if (error) return <PageProblem error={error} onRetry={() => location.reload()} />
  return routes ? (matchRoute(routes, path) ?? missing) : <Loading />
}
