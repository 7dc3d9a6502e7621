import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { Runnable } from '../platform/action.ts'
import { languages } from '../platform/texts.ts'
import { clockHint } from '../platform/times.ts'
import { Icon, type IconName } from './icon.tsx'

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'class'> & {
  /** `main` for the screen's main action; `danger` for what can't be undone. */
  variant?: 'main' | 'plain' | 'quiet' | 'danger'
  icon?: IconName
  /** What it runs; busy meanwhile. */
  action?: Omit<Runnable, 'error'>
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
  action,
  isBusy = action?.isRunning ?? false,
  isDisabled = false,
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...(action && { onClick: () => void action.run() })}
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
type ControlAttributes = { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined }

/** A control with its label, and with what describes it. */
function Field({
  label,
  hint,
  error,
  children,
}: FieldProps & { children: (attributes: ControlAttributes) => ComponentChildren }) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div class={error ? 'field wrong' : 'field'}>
      <label for={id}>{label}</label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy || undefined })}
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
  return (
    <Field label={label} hint={hint} error={error}>
      {attributes => (
        <input {...(rest as object)} {...attributes} onInput={event => onValue(event.currentTarget.value)} />
      )}
    </Field>
  )
}

/** A date and time in the person's zone, which it names; `localOf` and `momentOf` have its value. */
export function MomentField({ hint, ...rest }: FieldProps & Valued & Common) {
  return <TextField {...rest} type="datetime-local" hint={[hint, clockHint(rest.value)].filter(Boolean).join(' ')} />
}

type AreaProps = Common & { rows?: number; maxLength?: number }

/** Several lines of text with their label. */
export function TextArea({ label, hint, error, onValue, ...rest }: FieldProps & Valued & AreaProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {attributes => (
        <textarea {...(rest as object)} {...attributes} onInput={event => onValue(event.currentTarget.value)} />
      )}
    </Field>
  )
}

export type Choice<Value extends string = string> = { value: Value; text: string }

/** Adds the present value when it isn't offered; `unset` is the text for none. */
function withPresent(choices: Choice[], current: string, unset: string): Choice[] {
  if (choices.some(({ value }) => value === current)) return choices
  return [{ value: current, text: current || unset }, ...choices]
}

/** Choices of a field with time zones. */
export const zoneChoices = (current: string, unset = ''): Choice[] =>
  withPresent(
    Intl.supportedValuesOf('timeZone').map(value => ({ value, text: value.replaceAll('_', ' ') })),
    current,
    unset,
  )

/** Choices of a field with languages. */
export const languageChoices = (current: string, unset = ''): Choice[] => withPresent(languages, current, unset)

type SelectProps<Value extends string> = FieldProps & {
  value: Value
  onValue: (value: Value) => void
  choices: Choice<Value>[]
  /** Refuses another choice, but keeps the focus. */
  isBusy?: boolean
}

/** One of several choices. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, hint, error, value, onValue, choices, isBusy = false } = props
  return (
    <Field label={label} hint={hint} error={error}>
      {attributes => (
        <select
          {...attributes}
          value={value}
          aria-disabled={isBusy}
          onChange={event => {
            if (isBusy) event.currentTarget.value = value
            else onValue(event.currentTarget.value as Value)
          }}
        >
          <Options choices={choices} />
        </select>
      )}
    </Field>
  )
}

export const Options = ({ choices }: { choices: Choice[] }) => (
  <>
    {choices.map(({ value, text }) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </>
)

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

type ToggleProps<Value extends string> = {
  label: string
  value: Value
  /** The texts by their values. */
  choices: Record<Value, string>
  onValue: (value: Value) => void
}

/** A few choices beside each other, of which one holds. */
export const Toggle = <Value extends string>({ label, value, choices, onValue }: ToggleProps<Value>) => (
  <div class="toggle" role="group" aria-label={label}>
    {(Object.keys(choices) as Value[]).map(choice => (
      <button key={choice} type="button" aria-pressed={choice === value} onClick={() => onValue(choice)}>
        {choices[choice]}
      </button>
    ))}
  </div>
)

type FileButtonProps = {
  text: string
  accept: string
  class?: string
  onFile: (file: File) => void
}

/** A button that asks for a file. */
export function FileButton({ text, accept, class: className = '', onFile }: FileButtonProps) {
  return (
    <label class={`button file-button ${className}`}>
      {text}
      <input
        class="unseen"
        type="file"
        accept={accept}
        onChange={event => {
          const input = event.currentTarget
          const [file] = input.files ?? []
          if (file) onFile(file)
          // The same file can be chosen again, as after a refusal.
          input.value = ''
        }}
      />
    </label>
  )
}

type FileChooserProps = {
  element: { current: HTMLInputElement | null }
  name: string
  accept?: string
  onFiles: (files: File[]) => void
}

/** The browser's dialog for files, opened by a button. */
export function FileChooser({ element, name, accept, onFiles }: FileChooserProps) {
  return (
    <input
      ref={element}
      type="file"
      hidden
      multiple
      aria-label={name}
      accept={accept}
      onChange={event => {
        onFiles([...(event.currentTarget.files ?? [])])
        event.currentTarget.value = ''
      }}
    />
  )
}
