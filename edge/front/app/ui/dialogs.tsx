import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { fill, useTexts } from '../platform/texts.ts'
import { Button, Form, IconButton, TextField } from './controls.tsx'
import { Problem } from './feedback.tsx'
import { focusHeading } from './title.ts'

type DialogProps = {
  title: string
  onClose: () => void
  /** `large` for what is read or compared. */
  size?: 'large'
  children: ComponentChildren
}

/** A question or form above the page. Takes the focus, and restores it when it closes. */
export function Dialog({ title, onClose, size, children }: DialogProps) {
  const t = useTexts('ui/dialogs')
  const heading = useId()
  const element = useRef<HTMLDialogElement>(null)
  // Before anything else can move the focus.
  useLayoutEffect(() => {
    const previousFocus = document.activeElement
    const dialog = element.current
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (previousFocus instanceof HTMLElement) previousFocus.focus()
      // The button that opened the dialog may be gone, or about to go, and the focus with it.
      queueMicrotask(() => {
        if (document.activeElement === document.body) focusHeading()
      })
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={size ? `dialog ${size}` : 'dialog'}
      aria-labelledby={heading}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        <IconButton name={t.close} icon="close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  )
}

type FormDialogProps = {
  title: string
  /** Text of the button that sends the form. */
  submit: string
  action: { run: () => Promise<unknown>; isRunning: boolean; error: unknown }
  statusTexts?: Record<number, string>
  isDanger?: boolean
  isDisabled?: boolean
  onClose: () => void
  children: ComponentChildren
}

/** A form in a dialog, with the error above its fields. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, action, statusTexts = {}, isDanger = false, isDisabled = false, onClose, children } = props
  const t = useTexts('ui/dialogs')
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => isDisabled || void action.run()}>
        <Problem error={action.error} statusTexts={statusTexts} />
        {children}
        <footer>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button variant={isDanger ? 'danger' : 'main'} type="submit" isBusy={action.isRunning} disabled={isDisabled}>
            {submit}
          </Button>
        </footer>
      </Form>
    </Dialog>
  )
}

type ConfirmProps = Omit<FormDialogProps, 'isDisabled' | 'children'> & {
  text: string
  /** What must be typed, ignoring case, before something that can't be undone. */
  phrase?: string
}

/** Asks before something that others notice or that can't be undone. */
export function Confirm({ text, phrase, ...rest }: ConfirmProps) {
  const t = useTexts('ui/dialogs')
  const [typed, setTyped] = useState('')
  const isPhraseTyped = !phrase || typed.trim().toLocaleLowerCase() === phrase.trim().toLocaleLowerCase()
  return (
    <FormDialog {...rest} isDisabled={!isPhraseTyped}>
      <p>{text}</p>
      {phrase && <TextField label={fill(t.type, { phrase })} value={typed} onValue={setTyped} autocomplete="off" />}
    </FormDialog>
  )
}
