import { useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { Link } from '../platform/router.tsx'
import { enterAfterSignIn, platform, signIn, signOut } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { ActionForm, useFields } from '../ui/form.tsx'
import { Card, EmailField, PasswordField, StaySignedIn } from './card.tsx'

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

type NewPasswordProps = { currentPassword: string; staySignedIn: boolean }

/** Replaces a temporary password before anything else. */
export function NewPassword({ currentPassword, staySignedIn }: NewPasswordProps) {
  const t = useTexts('sign-in/new-password')
  const [newPassword, setPassword] = useState('')
  const save = useAction(async () => {
    await platform.auth.changePassword({ body: { currentPassword, newPassword } })
    await enterAfterSignIn(staySignedIn)
  })
  return (
    <Card title={t.title}>
      <p>{t.text}</p>
      <ActionForm action={save} submit={t.save}>
        <PasswordField isNew value={newPassword} onValue={setPassword} error={save.fields['newPassword']} />
      </ActionForm>
      <Button variant="quiet" onClick={() => void signOut()}>
        {t.signOut}
      </Button>
    </Card>
  )
}
