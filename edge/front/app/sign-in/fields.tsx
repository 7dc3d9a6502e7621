import { useState } from 'preact/hooks'
import { useTexts } from '../platform/texts.ts'
import { Checkbox, TextField } from '../ui/controls.tsx'

type FieldProps = { value: string; onValue: (value: string) => void; error?: string | undefined }

/** The e-mail address of an account. */
export function EmailField(props: FieldProps) {
  return <TextField {...props} label={useTexts('sign-in/fields').email} type="email" autocomplete="username" required />
}

/** Keeps the session when the browser is closed. */
export function StaySignedIn({ checked, onCheck }: { checked: boolean; onCheck: (checked: boolean) => void }) {
  const t = useTexts('sign-in/fields')
  return <Checkbox label={t.stay} hint={t.stayHint} checked={checked} onCheck={onCheck} />
}

/** A password, which can be shown. */
export function PasswordField({ value, onValue, error, isNew = false }: FieldProps & { isNew?: boolean }) {
  const t = useTexts('sign-in/fields')
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
