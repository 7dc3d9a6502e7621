import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { Choice } from './choices.ts'
import { Icon, type IconName } from './icon.tsx'

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'class'> & {
  /** `main` for the screen's main action; `danger` for what can't be undone. */
  variant?: 'main' | 'plain' | 'quiet' | 'danger'
  icon?: IconName
  isBusy?: boolean
  /** Can't be used now, but keeps the focus, such as “Next” on the last page. */
  isDisabled?: boolean
  /** `small` in rows. */
  class?: string
  children?: ComponentChildren
}

export function Button({
  variant = 'plain',
  icon,
  isBusy = false,
  isDisabled = false,
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      class={`button ${variant} ${rest.class ?? ''}`}
      aria-busy={isBusy}
      aria-disabled={isBusy || isDisabled}
    >
      {icon && <Icon name={icon} />}
      {children && <span>{children}</span>}
    </button>
  )
}

/** A button that shows an icon alone; its name is read aloud and shown as a tooltip. */
export function IconButton({
  name,
  icon,
  ...rest
}: Omit<ButtonProps, 'icon' | 'children'> & { name: string; icon: IconName }) {
  return (
    <button {...rest} type="button" class={`icon-button ${rest.class ?? ''}`} aria-label={name} title={name}>
      <Icon name={icon} />
    </button>
  )
}

/** A form that is sent without leaving the page. */
export function Form({
  onSubmit,
  children,
  ...rest
}: {
  onSubmit: () => void
  class?: string
  children: ComponentChildren
}) {
  return (
    <form
      {...rest}
      onSubmit={event => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}

type FieldProps = {
  label: string
  hint?: string | undefined
  error?: string | undefined
}

function LabelledField({ label, hint, error, id, children }: FieldProps & { id: string; children: ComponentChildren }) {
  return (
    <div class={error ? 'field wrong' : 'field'}>
      <label for={id}>{label}</label>
      {children}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="fault" id={`${id}-fault`}>
          {error}
        </p>
      )}
    </div>
  )
}

const describedBy = (id: string, { hint, error }: FieldProps) => ({
  id,
  'aria-invalid': error ? (true as const) : undefined,
  'aria-describedby': [hint && `${id}-hint`, error && `${id}-fault`].filter(Boolean).join(' ') || undefined,
})

/** Attributes of any control. */
type Common = { required?: boolean; disabled?: boolean; autofocus?: boolean }
type InputKind = 'text' | 'email' | 'password' | 'search' | 'tel' | 'url' | 'date' | 'datetime-local' | 'time' | 'color'
type InputProps = Common & {
  type?: InputKind
  autocomplete?: string
  minLength?: number | undefined
  maxLength?: number
  min?: string
}

type Valued = { value: string; onValue: (value: string) => void }

/** A line of text with its label. */
export function TextField({ label, hint, error, onValue, ...rest }: FieldProps & Valued & InputProps) {
  const id = useId()
  return (
    <LabelledField label={label} hint={hint} error={error} id={id}>
      <input
        {...(rest as object)}
        {...describedBy(id, { label, hint, error })}
        onInput={event => onValue(event.currentTarget.value)}
      />
    </LabelledField>
  )
}

/** Several lines of text with their label. */
export function TextArea({
  label,
  hint,
  error,
  onValue,
  ...rest
}: FieldProps & Valued & Common & { rows?: number; maxLength?: number }) {
  const id = useId()
  return (
    <LabelledField label={label} hint={hint} error={error} id={id}>
      <textarea
        {...(rest as object)}
        {...describedBy(id, { label, hint, error })}
        onInput={event => onValue(event.currentTarget.value)}
      />
    </LabelledField>
  )
}

/** One of several choices. */
export function Select({
  label,
  hint,
  error,
  value,
  onValue,
  choices,
  isBusy = false,
  ...rest
}: FieldProps &
  Valued &
  Common & { choices: Choice[] /** Refuses another choice, but keeps the focus. */; isBusy?: boolean }) {
  const id = useId()
  return (
    <LabelledField label={label} hint={hint} error={error} id={id}>
      <select
        {...(rest as object)}
        {...describedBy(id, { label, hint, error })}
        value={value}
        aria-disabled={isBusy}
        onChange={event => {
          if (isBusy) event.currentTarget.value = value
          else onValue(event.currentTarget.value)
        }}
      >
        {choices.map(choice => (
          <option key={choice.value} value={choice.value}>
            {choice.text}
          </option>
        ))}
      </select>
    </LabelledField>
  )
}

type CheckProps = {
  label: string
  hint?: string
  checked: boolean
  onCheck: (checked: boolean) => void
  disabled?: boolean
}

export function Checkbox({ label, hint, checked, onCheck, disabled }: CheckProps) {
  const id = useId()
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={event => onCheck(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
