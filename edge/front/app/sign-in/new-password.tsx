import { useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { enterAfterSignIn, platform, signOut } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { ActionForm } from '../ui/form.tsx'
import { Card } from './card.tsx'
import { PasswordField } from './fields.tsx'

type Props = { currentPassword: string; staySignedIn: boolean }

/** Replaces a temporary password before anything else. */
export function NewPassword({ currentPassword, staySignedIn }: Props) {
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
