import { clockHint } from '../platform/times.ts'
import { TextField } from './controls.tsx'

type MomentFieldProps = {
  label: string
  hint?: string
  error?: string | undefined
  required?: boolean
  /** As `localOf` and `momentOf` have it. */
  value: string
  onValue: (value: string) => void
}

/** A date and time in the person's zone, which it names. */
export function MomentField({ hint, ...rest }: MomentFieldProps) {
  return <TextField {...rest} type="datetime-local" hint={[hint, clockHint(rest.value)].filter(Boolean).join(' ')} />
}
