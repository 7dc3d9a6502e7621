import { useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { Link } from '../platform/router.tsx'
import { signIn } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { ActionForm, useFields } from '../ui/form.tsx'
import { Card } from './card.tsx'
import { EmailField, PasswordField, StaySignedIn } from './fields.tsx'

/**
 * Shown at any address; after the sign-in, the page at that address is shown.
 * @param note why it is shown
 */
export function SignIn({ note }: { note?: string | undefined }) {
  const t = useTexts('sign-in/sign-in')
  const { values, field } = useFields({ email: '', password: '' })
  const [staySignedIn, setStay] = useState(false)
  const submit = useAction(() => signIn({ ...values, staySignedIn }))
  return (
    <Card title={t.title}>
      {note && !submit.error && <p class="note">{note}</p>}
      <ActionForm action={submit} statusTexts={{ 401: t.wrong }} submit={t.title}>
        <EmailField {...field('email', submit)} />
        <PasswordField {...field('password', submit)} />
        <StaySignedIn checked={staySignedIn} onCheck={setStay} />
      </ActionForm>
      <p>
        <Link to="/forgotten-password">{t.forgotten}</Link>
      </p>
    </Card>
  )
}
