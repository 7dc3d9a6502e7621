import { useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { Link } from '../platform/router.tsx'
import { signIn } from '../platform/session.ts'
import { texts, useTexts } from '../platform/texts.ts'
import { Card, CardForm } from './card.tsx'
import { EmailField, PasswordField, StaySignedIn } from './fields.tsx'

const words = texts({
  en: {
    title: 'Sign in',
    wrong: 'The e-mail address or the password is wrong.',
    forgotten: 'Forgotten your password?',
    ended: 'Your session has expired. Sign in again to continue.',
  },
  fr: {
    title: 'Se connecter',
    wrong: 'L’adresse e-mail ou le mot de passe est incorrect.',
    forgotten: 'Mot de passe oublié ?',
    ended: 'Votre session a expiré. Reconnectez-vous pour continuer.',
  },
})

/** Shown at any address; after the sign-in, the page at that address is shown. */
export function SignIn({ hasEnded }: { hasEnded: boolean }) {
  const t = useTexts(words)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [staySignedIn, setStay] = useState(false)
  const enter = useAction(() => signIn({ email, password, staySignedIn }))
  return (
    <Card title={t.title}>
      {hasEnded && !enter.error && <p class="note">{t.ended}</p>}
      <CardForm action={enter} own={{ 401: t.wrong }} submit={t.title}>
        <EmailField value={email} onValue={setEmail} error={enter.fields['email']} />
        <PasswordField value={password} onValue={setPassword} error={enter.fields['password']} />
        <StaySignedIn checked={staySignedIn} onCheck={setStay} />
      </CardForm>
      <p>
        <Link to="/forgotten-password">{t.forgotten}</Link>
      </p>
    </Card>
  )
}
