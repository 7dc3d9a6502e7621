import { useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { enter, platform } from '../platform/session.ts'
import { texts, useTexts } from '../platform/texts.ts'
import { PasswordField } from '../sign-in/fields.tsx'
import { Button, Form, TextField } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'

const words = texts({
  en: {
    title: 'E-mail address and password',
    email: 'E-mail address',
    emailHint: 'You use it to sign in. To change it, enter your password; the change applies at once.',
    saveEmail: 'Change the address',
    emailSaved: 'Your address has been changed.',
    taken: 'This address belongs to another account.',
    save: 'Change the password',
    hint: 'This signs out your other devices.',
    saved: 'Your password has been changed.',
    wrong: 'Your current password is wrong.',
  },
  fr: {
    title: 'Adresse e-mail et mot de passe',
    email: 'Adresse e-mail',
    emailHint:
      'Elle vous sert à vous connecter. Pour la modifier, saisissez votre mot de passe ; le changement est immédiat.',
    saveEmail: 'Modifier l’adresse',
    emailSaved: 'Votre adresse a été modifiée.',
    taken: 'Cette adresse appartient à un autre compte.',
    save: 'Modifier le mot de passe',
    hint: 'Vos autres appareils seront déconnectés.',
    saved: 'Votre mot de passe a été modifié.',
    wrong: 'Votre mot de passe actuel est incorrect.',
  },
})

/** What a person signs in with. Each change asks for the present password. */
export function Password({ email: present }: { email: string }) {
  const t = useTexts(words)
  const [email, setEmail] = useState(present)
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const address = useAction(async () => {
    await platform.auth.updateMe({ body: { email, currentPassword } })
    await enter()
    setCurrent('')
    notify(t.emailSaved)
  })
  const password = useAction(async () => {
    await platform.auth.changePassword({ body: { currentPassword, newPassword } })
    setCurrent('')
    setNew('')
    notify(t.saved)
  })
  const isNewAddress = email !== present
  return (
    <section class="card">
      <h2>{t.title}</h2>
      <Problem error={address.error} own={{ 401: t.wrong, 409: t.taken }} />
      <Problem error={password.error} own={{ 401: t.wrong }} />
      <Form onSubmit={() => void (isNewAddress ? address.run() : password.run())}>
        <TextField
          label={t.email}
          hint={t.emailHint}
          error={address.fields['email']}
          type="email"
          autocomplete="email"
          required
          value={email}
          onValue={setEmail}
        />
        <PasswordField
          value={currentPassword}
          onValue={setCurrent}
          error={address.fields['currentPassword'] ?? password.fields['currentPassword']}
        />
        {!isNewAddress && (
          <PasswordField isNew value={newPassword} onValue={setNew} error={password.fields['newPassword']} />
        )}
        <div class="actions">
          <Button look="main" type="submit" isBusy={address.isRunning || password.isRunning}>
            {isNewAddress ? t.saveEmail : t.save}
          </Button>
          {!isNewAddress && <span class="hint">{t.hint}</span>}
        </div>
      </Form>
    </section>
  )
}
