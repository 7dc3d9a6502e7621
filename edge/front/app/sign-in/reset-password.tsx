import { useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { go, Link, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { texts, useTexts } from '../platform/texts.ts'
import { notify } from '../ui/feedback.tsx'
import { Card, CardForm } from './card.tsx'
import { EmailField, PasswordField } from './fields.tsx'

const words = texts({
  en: {
    forgotten: 'Reset your password',
    forgottenText: 'Enter your e-mail address. We’ll send you a link that works for one hour.',
    send: 'Send the link',
    sent: 'If this address has an account, an e-mail is on its way. Check your spam folder too.',
    title: 'Choose a new password',
    save: 'Save the password',
    saved: 'Your password has been changed. Sign in with the new one.',
    expired: 'This link has expired or has already been used. Request a new one.',
    back: 'Back to sign-in',
    again: 'Request a new link',
  },
  fr: {
    forgotten: 'Réinitialiser le mot de passe',
    forgottenText: 'Saisissez votre adresse e-mail. Nous vous enverrons un lien valable une heure.',
    send: 'Envoyer le lien',
    sent: 'Si cette adresse a un compte, un e-mail est en route. Vérifiez aussi vos courriers indésirables.',
    title: 'Choisissez un nouveau mot de passe',
    save: 'Enregistrer le mot de passe',
    saved: 'Votre mot de passe a été modifié. Connectez-vous avec le nouveau.',
    expired: 'Ce lien a expiré ou a déjà servi. Demandez-en un nouveau.',
    back: 'Retour à la connexion',
    again: 'Demander un nouveau lien',
  },
})

/** Requests the e-mail with the link. Known and unknown addresses get the same answer. */
export function ForgottenPassword() {
  const t = useTexts(words)
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
          <CardForm action={send} submit={t.send}>
            <EmailField value={email} onValue={setEmail} error={send.fields['email']} />
          </CardForm>
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
  const t = useTexts(words)
  const token = useQuery().get('token') ?? ''
  const [password, setPassword] = useState('')
  const save = useAction(async () => {
    await platform.auth.resetPassword({ body: { token, password } })
    notify(t.saved)
    go('/', { replace: true })
  })
  const fault = save.fields['password']
  return (
    <Card title={t.title}>
      <CardForm
        action={save}
        own={fault ? {} : { 400: t.expired, 401: t.expired, 404: t.expired, 410: t.expired }}
        submit={t.save}
      >
        <PasswordField isNew value={password} onValue={setPassword} error={fault} />
      </CardForm>
      <p>
        <Link to="/forgotten-password">{t.again}</Link>
      </p>
    </Card>
  )
}
