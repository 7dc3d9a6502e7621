import { useCallback, useEffect, useRef } from 'preact/hooks'
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
import { NewPassword } from '../sign-in/new-password.tsx'
import { ForgottenPassword, ResetPassword } from '../sign-in/reset-password.tsx'
import { SignIn } from '../sign-in/sign-in.tsx'
import { Button } from '../ui/controls.tsx'
import { EmptyPage, Loading, notify, Problem, Toasts } from '../ui/feedback.tsx'
import { focusHeading } from '../ui/title.ts'
import { Frame } from './frame.tsx'
import { pageAt } from './pages.tsx'
import { usePauseText } from './pause-text.ts'

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
      <Toasts />
    </>
  )
}

function Screen() {
  const t = useTexts('shell/app')
  const now = useStore(session)
  const path = useStore(place)
  const pauseText = usePauseText()
  useFocusOnMove(path)
  useEffect(() => {
    if (now.kind !== 'in') closeLive()
  }, [now.kind])
  if (now.kind === 'must-change-password') return <NewPassword {...now} />
  const openPage = matchRoute(publicPages, path)
  if (openPage) return openPage
  if (now.kind === 'starting') return <Loading />
  if (now.kind === 'unreachable')
    return (
      <main class="alone">
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
  const notifyOfChange = useCallback(() => notify(t.rights), [t])
  useFollowRights(now, notifyOfChange)
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
    <main class="alone">
      <EmptyPage icon="hotel" title={title}>
        <p>{text}</p>
        <Problem error={check.error} />
        <Button variant="main" isBusy={check.isRunning} onClick={() => void check.run()}>
          {t.checkAgain}
        </Button>
        <Button variant="quiet" onClick={() => void signOut()}>
          {t.signOut}
        </Button>
      </EmptyPage>
    </main>
  )
}

/** Moves the focus to the heading of a page that replaces another, so that screen readers read it. */
function useFocusOnMove(path: string): void {
  const page = path.split('?')[0]
  const before = useRef(page)
  useEffect(() => {
    if (before.current === page) return
    before.current = page
    if (isRenamed()) return
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
