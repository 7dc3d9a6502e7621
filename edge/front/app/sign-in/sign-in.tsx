import { useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { Link } from '../platform/router.tsx'
import { signIn } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Card, CardForm } from './card.tsx'
import { EmailField, PasswordField, StaySignedIn } from './fields.tsx'

/** Shown at any address; after the sign-in, the page at that address is shown. */
export function SignIn({ hasEnded }: { hasEnded: boolean }) {
  const t = useTexts('sign-in/sign-in')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [staySignedIn, setStay] = useState(false)
  const enter = useAction(() => signIn({ email, password, staySignedIn }))
  return (
    <Card title={t.title}>
      {hasEnded && !enter.error && <p class="note">{t.ended}</p>}
      <CardForm action={enter} statusTexts={{ 401: t.wrong }} submit={t.title}>
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
