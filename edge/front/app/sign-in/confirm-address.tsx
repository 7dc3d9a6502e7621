import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { withoutBlanks } from '../platform/load.ts'
import { Link, useQuery } from '../platform/router.tsx'
import { loadSession, platform, session } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Loading, Problem } from '../ui/feedback.tsx'
import { ActionForm } from '../ui/form.tsx'
import { Card, PasswordField } from './card.tsx'

/** Target of the link in a confirmation e-mail. A button confirms, because mail scanners open links. */
export function ConfirmAddress() {
  const t = useTexts('sign-in/confirm-address')
  const { token } = useQuery('token')
  const { kind } = useStore(session)
  const [isDone, setDone] = useState(false)
  const [password, setPassword] = useState('')
  const confirm = useAction(async () => {
    // Renews an expired access token: confirmation is a public route, which would take the person for a stranger.
    if (session.get().kind === 'in') await platform.auth.getMe().catch(() => undefined)
    await platform.auth.verifyEmail({ body: { token, ...withoutBlanks({ password }) } })
    // The link may bring the address that an administrator set.
    if (session.get().kind === 'in') await loadSession().catch(() => undefined)
    setDone(true)
  })
  const [asksPassword, askPassword] = useState(false)
  const fault = confirm.fields['password']
  useEffect(confirm.clear, [token])
  useEffect(() => {
    if (!fault || asksPassword) return
    // The first refusal only says that a password is needed.
    confirm.clear()
    askPassword(true)
  }, [fault])
  const expiredTexts = { 401: t.expired, 404: t.expired, 409: t.expired, 410: t.expired }
  const statusTexts = fault ? expiredTexts : { ...expiredTexts, 400: t.expired }
  // The session decides whether a password is needed.
  if (kind === 'starting') return <Loading />
  return (
    <Card title={t.title}>
      {isDone ? (
        <>
          <p class="note" role="status">
            {t.done}
          </p>
          <p>
            <Link to="/" class="button main">
              {t.go}
            </Link>
          </p>
        </>
      ) : asksPassword ? (
        <>
          <p>{t.password}</p>
          <ActionForm action={confirm} statusTexts={statusTexts} submit={t.save}>
            <PasswordField isNew value={password} onValue={setPassword} error={fault} />
          </ActionForm>
        </>
      ) : (
        <>
          <Problem error={confirm.error} statusTexts={statusTexts} />
          <p>{t.text}</p>
          {confirm.isRunning && <Loading />}
          <Button variant="main" action={confirm}>
            {t.confirm}
          </Button>
        </>
      )}
    </Card>
  )
}
