import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useAction } from '../../front/app/platform/action.ts'
import { Button, Form, TextField } from '../../front/app/ui/controls.tsx'
import { Icon } from '../../front/app/ui/icon.tsx'
import { refresh } from './refresh.ts'
import { endSession, messageOf, resumeSession, signIn, statusOf, waitOf } from './session.ts'

const Sheet = ({ title, children }: { title: string; children: ComponentChildren }) => {
  useEffect(() => {
    document.title = `${title} · Console`
  }, [title])
  return (
    <main class="sign-in">
      <div class="card">
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}

/** E-mail, password and the button. */
function SignInForm({ name = '' }: { name?: string }) {
  const [email, setEmail] = useState(name)
  const [password, setPassword] = useState('')
  const { run, isRunning, error } = useAction(async () => {
    await signIn(email, password).catch((refusal: unknown) => {
      if (statusOf(refusal) !== 403) throw refusal
      endSession(refusal)
    })
  })
  return (
    <Form onSubmit={() => void run()}>
      <TextField
        label="E-mail"
        type="email"
        autocomplete="username"
        required
        autofocus={!name}
        value={email}
        onValue={setEmail}
      />
      <TextField
        label="Password"
        type="password"
        autocomplete="current-password"
        required
        autofocus={Boolean(name)}
        value={password}
        onValue={setPassword}
      />
      {Boolean(error) && (
        <p class="fault" role="alert">
          {statusOf(error) === 401 ? 'Wrong e-mail or password.' : messageOf(error)}
        </p>
      )}
      <Button variant="main" type="submit" isBusy={isRunning}>
        Sign in
      </Button>
    </Form>
  )
}

/** The sign-in form, or the refusal of a user who isn't a platform administrator. */
export const SignIn = ({ error }: { error: unknown }) =>
  error ? (
    <Sheet title="No access">
      <p>You are signed out. {messageOf(error)}.</p>
      <p class="hint">Ask a platform administrator for access (403).</p>
      <Button variant="main" onClick={() => endSession()}>
        Sign in as another user
      </Button>
    </Sheet>
  ) : (
    <Sheet title="Operator’s console">
      <p class="hint">For platform administrators.</p>
      <SignInForm />
    </Sheet>
  )

/** The form over a page whose session has expired: the page stays hidden below, with what was opened and typed. */
export function SignInAgain({ email }: { email: string }) {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => {
      dialog?.close()
      void refresh()
    }
  }, [])
  return (
    <dialog ref={element} class="dialog again" aria-labelledby="again-title" onCancel={event => event.preventDefault()}>
      <h2 id="again-title">Sign in again</h2>
      <p class="hint">Your session has expired. The page stays as you left it.</p>
      <SignInForm name={email} />
      <Button variant="quiet" onClick={() => endSession()}>
        Leave this page
      </Button>
    </dialog>
  )
}

/** Replaces the page while the platform doesn't answer, or refuses too many requests, and the user is unknown. */
export function NotAvailable({ error }: { error: unknown }) {
  const isBlocked = statusOf(error) === 429
  useEffect(() => {
    const timer = setTimeout(() => void resumeSession(), isBlocked ? waitOf(error) : 5_000)
    return () => clearTimeout(timer)
  }, [error])
  return (
    <Sheet title={isBlocked ? 'Too many requests' : 'Not available'}>
      <p role="alert">
        <Icon name="warning" /> {messageOf(error)}
      </p>
      <p class="hint">
        The console retries {isBlocked ? 'by then' : 'every few seconds'} and resumes where you left off.
      </p>
      <Button variant="main" onClick={() => void resumeSession()}>
        Try again
      </Button>
    </Sheet>
  )
}
