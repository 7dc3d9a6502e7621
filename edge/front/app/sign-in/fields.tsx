import { useState } from 'preact/hooks'
import { texts, useTexts } from '../platform/texts.ts'
import { Checkbox, TextField } from '../ui/controls.tsx'

const words = texts({
  en: {
    email: 'E-mail address',
    stay: 'Stay signed in on this device',
    stayHint: 'Leave this off on a shared device.',
    password: 'Password',
    newPassword: 'New password',
    hint: 'At least 8 characters. Several words make a good password.',
    show: 'Show the password',
  },
  fr: {
    email: 'Adresse e-mail',
    stay: 'Rester connecté sur cet appareil',
    stayHint: 'Ne cochez pas cette case sur un appareil partagé.',
    password: 'Mot de passe',
    newPassword: 'Nouveau mot de passe',
    hint: 'Au moins 8 caractères. Plusieurs mots font un bon mot de passe.',
    show: 'Afficher le mot de passe',
  },
})

type FieldProps = { value: string; onValue: (value: string) => void; error?: string | undefined }

/** The e-mail address of an account. */
export function EmailField(props: FieldProps) {
  return <TextField {...props} label={useTexts(words).email} type="email" autocomplete="username" required />
}

/** Keeps the session when the browser is closed. */
export function StaySignedIn({ checked, onCheck }: { checked: boolean; onCheck: (checked: boolean) => void }) {
  const t = useTexts(words)
  return <Checkbox label={t.stay} hint={t.stayHint} checked={checked} onCheck={onCheck} />
}

/** A password, which can be shown. */
export function PasswordField({ value, onValue, error, isNew = false }: FieldProps & { isNew?: boolean }) {
  const t = useTexts(words)
  const [isShown, show] = useState(false)
  return (
    <>
      <TextField
        label={isNew ? t.newPassword : t.password}
        hint={isNew ? t.hint : undefined}
        error={error}
        type={isShown ? 'text' : 'password'}
        autocomplete={isNew ? 'new-password' : 'current-password'}
        required
        minLength={isNew ? 8 : undefined}
        value={value}
        onValue={onValue}
      />
      <Checkbox label={t.show} checked={isShown} onCheck={show} />
    </>
  )
}
