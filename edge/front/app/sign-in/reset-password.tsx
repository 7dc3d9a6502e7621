import { useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { go, Link, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { notify } from '../ui/feedback.tsx'
import { ActionForm } from '../ui/form.tsx'
import { Card, EmailField, PasswordField } from './card.tsx'

/** Requests the e-mail with the link. Known and unknown addresses get the same answer. */
export function ForgottenPassword() {
  const t = useTexts('sign-in/reset-password')
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(false)
  const send = useAction(async () => {
    await platform.auth.forgotPassword({ body: { email } })
    setSent(true)
  })
  return (
    <Card title={t.forgotten}>
      {isSent ? (
        <p class="note" role="status">
          {t.sent}
        </p>
      ) : (
        <>
          <p>{t.forgottenText}</p>
          <ActionForm action={send} submit={t.send}>
            <EmailField value={email} onValue={setEmail} error={send.fields['email']} />
          </ActionForm>
        </>
      )}
      <p>
        <Link to="/">{t.back}</Link>
      </p>
    </Card>
  )
}

/** Target of the link in that e-mail. */
export function ResetPassword() {
  const t = useTexts('sign-in/reset-password')
  const { token } = useQuery('token')
  const [password, setPassword] = useState('')
  const save = useAction(async () => {
    await platform.auth.resetPassword({ body: { token, password } })
    notify(t.saved)
    go('/', { replace: true })
  })
  const fault = save.fields['password']
  return (
    <Card title={t.title}>
      <ActionForm
        action={save}
        statusTexts={fault ? {} : { 400: t.expired, 401: t.expired, 404: t.expired, 410: t.expired }}
        submit={t.save}
      >
        <PasswordField isNew value={password} onValue={setPassword} error={fault} />
      </ActionForm>
      <p>
        <Link to="/forgotten-password">{t.again}</Link>
      </p>
    </Card>
  )
}
