import { useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { enterFirst, platform, signOut } from '../platform/session.ts'
import { texts, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Card, CardForm } from './card.tsx'
import { PasswordField } from './fields.tsx'

const words = texts({
  en: {
    title: 'Choose your own password',
    text: 'You signed in with a temporary password. Choose a new one to continue.',
    save: 'Save and continue',
    signOut: 'Sign out',
  },
  fr: {
    title: 'Choisissez votre mot de passe',
    text: 'Vous vous êtes connecté avec un mot de passe temporaire. Choisissez-en un nouveau pour continuer.',
    save: 'Enregistrer et continuer',
    signOut: 'Se déconnecter',
  },
})

type Props = { currentPassword: string; staySignedIn: boolean }

/** Replaces a temporary password before anything else. */
export function NewPassword({ currentPassword, staySignedIn }: Props) {
  const t = useTexts(words)
  const [newPassword, setPassword] = useState('')
  const save = useAction(async () => {
    await platform.auth.changePassword({ body: { currentPassword, newPassword } })
    await enterFirst(staySignedIn)
  })
  return (
    <Card title={t.title}>
      <p>{t.text}</p>
      <CardForm action={save} submit={t.save}>
        <PasswordField isNew value={newPassword} onValue={setPassword} error={save.fields['newPassword']} />
      </CardForm>
      <Button look="quiet" onClick={() => void signOut()}>
        {t.signOut}
      </Button>
    </Card>
  )
}
