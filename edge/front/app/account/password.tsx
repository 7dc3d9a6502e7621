import { useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { reloadAll } from '../platform/load.ts'
import { loadSession, platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { PasswordField } from '../sign-in/fields.tsx'
import { Button, Form, TextField } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'

/** What a person signs in with. Each change asks for the present password. */
export function Password({ email: present }: { email: string }) {
  const t = useTexts('account/password')
  const [email, setEmail] = useState(present)
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const isNewAddress = email !== present
  const save = useAction(async () => {
    if (isNewAddress) {
      const account = await platform.auth.updateMe({ body: { email, currentPassword } })
      // The platform writes addresses in lower case.
      setEmail(account.email)
      await loadSession()
    } else {
      await platform.auth.changePassword({ body: { currentPassword, newPassword } })
      setNew('')
      // The other devices are signed out.
      reloadAll()
    }
    setCurrent('')
    notify(isNewAddress ? t.emailSaved : t.saved)
  })
  return (
    <section class="card">
      <h2>{t.title}</h2>
      <Problem error={save.error} statusTexts={{ 409: t.taken }} />
      <Form onSubmit={() => void save.run()}>
        <TextField
          label={t.email}
          hint={t.emailHint}
          error={save.fields['email']}
          type="email"
          autocomplete="email"
          required
          value={email}
          onValue={setEmail}
        />
        <PasswordField value={currentPassword} onValue={setCurrent} error={save.fields['currentPassword']} />
        {!isNewAddress && (
          <PasswordField isNew value={newPassword} onValue={setNew} error={save.fields['newPassword']} />
        )}
        <div class="actions">
          <Button variant="main" type="submit" isBusy={save.isRunning}>
            {isNewAddress ? t.saveEmail : t.save}
          </Button>
          {!isNewAddress && <span class="hint">{t.hint}</span>}
        </div>
      </Form>
    </section>
  )
}
