import { useCallback, useEffect, useRef } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { closeLive } from '../platform/live.ts'
import { useFollowRights } from '../platform/rights.ts'
import { go, isRenamed, Link, place, type Routes, routed } from '../platform/router.tsx'
import { chooseWorkspace, enter, resume, type SignedIn, session, signOut } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { texts, useTexts } from '../platform/texts.ts'
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

const words = texts({
  en: {
    noMembership: 'You don’t belong to a hotel yet',
    noMembershipText: 'Ask an administrator of your hotel to invite you, then check again.',
    pending: 'You have an invitation',
    pendingText: 'Open the link in your invitation e-mail to join.',
    resting: 'Your hotel has closed this workspace for now',
    restingText: 'An administrator can open it again. What you wrote is kept.',
    suspended: 'Your access is suspended',
    suspendedText: 'Ask an administrator of your hotel.',
    checkAgain: 'Check again',
    signOut: 'Sign out',
    unreachable: 'No connection',
    unreachableText:
      'The platform can’t be reached. Once you have signed in on this device, what you read stays available offline.',
    retry: 'Try again',
    missing: 'Page not found',
    home: 'Go to the news',
    rights: 'Your permissions have changed.',
  },
  fr: {
    noMembership: 'Vous n’appartenez encore à aucun hôtel',
    noMembershipText: 'Demandez à un administrateur de votre hôtel de vous inviter, puis vérifiez à nouveau.',
    pending: 'Vous avez une invitation',
    pendingText: 'Ouvrez le lien reçu dans votre e-mail d’invitation.',
    resting: 'Votre hôtel a fermé cet espace pour le moment',
    restingText: 'Un administrateur peut le rouvrir. Ce que vous avez écrit est conservé.',
    suspended: 'Votre accès est suspendu',
    suspendedText: 'Adressez-vous à un administrateur de votre hôtel.',
    checkAgain: 'Vérifier à nouveau',
    signOut: 'Se déconnecter',
    unreachable: 'Pas de connexion',
    unreachableText:
      'La plateforme est injoignable. Une fois connecté sur cet appareil, vous retrouvez hors ligne ce que vous avez lu.',
    retry: 'Réessayer',
    missing: 'Page introuvable',
    home: 'Aller aux actualités',
    rights: 'Vos droits ont changé.',
  },
})

/** Pages that need no sign-in, mostly opened from mails. */
const open: Routes = {
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
  const t = useTexts(words)
  const now = useStore(session)
  const path = useStore(place)
  const paused = usePauseText()
  useFocusOnMove(path)
  useEffect(() => {
    if (now.kind !== 'in') closeLive()
  }, [now.kind])
  if (now.kind === 'must-change-password') return <NewPassword {...now} />
  const openPage = routed(open, path)
  if (openPage) return openPage
  if (now.kind === 'starting') return <Loading />
  if (now.kind === 'unreachable')
    return (
      <main class="alone">
        <EmptyPage icon="warning" title={paused ?? t.unreachable}>
          {!paused && <p>{t.unreachableText}</p>}
          <Button look="main" onClick={() => void resume()}>
            {t.retry}
          </Button>
        </EmptyPage>
      </main>
    )
  if (now.kind !== 'in') return <SignIn hasEnded={now.kind === 'ended'} />
  return <Inside now={now} path={path} />
}

/** What a signed-in person sees, as far as their present rights go. */
function Inside({ now, path }: { now: SignedIn; path: string }) {
  const t = useTexts(words)
  const { rights } = t
  const tell = useCallback(() => notify(rights), [rights])
  useFollowRights(now, tell)
  if (!now.workspace) return <NoWorkspace now={now} />
  const missing = (
    <EmptyPage icon="search" title={t.missing}>
      <Link to="/">{t.home}</Link>
    </EmptyPage>
  )
  return (
    <Frame now={now} workspace={now.workspace} choose={id => go('/', { before: () => chooseWorkspace(id) })}>
      {pageAt(path, missing)}
    </Frame>
  )
}

function NoWorkspace({ now }: { now: SignedIn }) {
  const t = useTexts(words)
  const check = useAction(enter)
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
        <Button look="main" isBusy={check.isRunning} onClick={() => void check.run()}>
          {t.checkAgain}
        </Button>
        <Button look="quiet" onClick={() => void signOut()}>
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
    let expected = document.activeElement
    // A page that loads shows its heading later.
    const observer = new MutationObserver(() => {
      // Screen readers move the focus without keys and pointers.
      if (document.activeElement === expected || document.activeElement === document.body) follow()
      else stop()
    })
    const follow = () => {
      focusHeading()
      expected = document.activeElement
    }
    // A person who acts on the page keeps the focus where they put it.
    const acts = new AbortController()
    const stop = () => {
      observer.disconnect()
      acts.abort()
    }
    follow()
    observer.observe(document.body, { childList: true, subtree: true })
    for (const act of ['keydown', 'pointerdown']) addEventListener(act, stop, { capture: true, signal: acts.signal })
    return stop
  }, [page])
}
