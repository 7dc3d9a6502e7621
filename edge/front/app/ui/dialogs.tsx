import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Action } from '../platform/action.ts'
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

/** A question or form above the page. It takes the focus, and returns it when it closes. */
export function Dialog({ title, onClose, size, children }: DialogProps) {
  const t = useTexts('ui/dialogs')
  const heading = useId()
  const element = useRef<HTMLDialogElement>(null)
  // Before anything else can move the focus.
  useLayoutEffect(() => {
    const before = document.activeElement
    const dialog = element.current
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
      // The action may have removed the button that opened the dialog, or the present render is about to.
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
  action: Action<[]>
  statusTexts?: Record<number, string>
  onClose: () => void
  children: ComponentChildren
}

/** A form in a dialog, with what went wrong above its fields. */
export function FormDialog({ title, submit, action, statusTexts = {}, onClose, children }: FormDialogProps) {
  const t = useTexts('ui/dialogs')
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => void action.run()}>
        <Problem error={action.error} statusTexts={statusTexts} />
        {children}
        <footer>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="main" type="submit" isBusy={action.isRunning}>
            {submit}
          </Button>
        </footer>
      </Form>
    </Dialog>
  )
}

type ConfirmProps = {
  title: string
  text: string
  /** Text of the button that confirms. */
  action: string
  isBusy: boolean
  error: unknown
  statusTexts?: Record<number, string>
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that others notice or that can't be undone. */
export function Confirm({
  title,
  text,
  action,
  isDanger = false,
  isBusy,
  error,
  statusTexts = {},
  onConfirm,
  onClose,
}: ConfirmProps & { isDanger?: boolean }) {
  const t = useTexts('ui/dialogs')
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <Problem error={error} statusTexts={statusTexts} />
      <footer>
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button look={isDanger ? 'danger' : 'main'} isBusy={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </footer>
    </Dialog>
  )
}

/**
 * Asks before something that can't be undone: its object has to be typed.
 * @param props with `phrase`, what must be typed, ignoring case
 */
export function TypedConfirm(props: ConfirmProps & { phrase: string }) {
  const { title, text, phrase, action, isBusy, error, statusTexts = {}, onConfirm, onClose } = props
  const t = useTexts('ui/dialogs')
  const [typed, setTyped] = useState('')
  const isTyped = typed.trim().toLocaleLowerCase() === phrase.trim().toLocaleLowerCase()
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => isTyped && onConfirm()}>
        <p>{text}</p>
        <Problem error={error} statusTexts={statusTexts} />
        <TextField label={fill(t.type, { phrase })} value={typed} onValue={setTyped} autocomplete="off" />
        <footer>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="danger" type="submit" disabled={!isTyped} isBusy={isBusy}>
            {action}
          </Button>
        </footer>
      </Form>
    </Dialog>
  )
}
