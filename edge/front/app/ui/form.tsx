import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Runnable, useAction } from '../platform/action.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button, Form, TextField } from './controls.tsx'
import { Dialog, openDialog } from './dialogs.tsx'
import { Problem, type StatusTexts } from './feedback.tsx'

/** The values of a form. */
export function useFields<Values extends object>(initial: Values) {
  const [values, setValues] = useState(initial)
  return {
    values,
    setValues,
    /** Binds a field to its value, and to what the action says when it is refused. */
    field: <Name extends keyof Values & string>(name: Name, action: { fields: Record<string, string> }) => ({
      value: values[name],
      error: action.fields[name],
      onValue: (value: Values[Name]) => setValues(now => ({ ...now, [name]: value })),
    }),
  }
}

type FormProps = {
  action: Runnable
  statusTexts?: StatusTexts | undefined
  /** Text of the button that sends the form. */
  submit: string
  isDisabled?: boolean
  children?: ComponentChildren
}

/** What went wrong, the fields, the button. */
export function ActionForm({ action, statusTexts, submit, isDisabled = false, children }: FormProps) {
  return (
    <>
      <Problem error={action.error} statusTexts={statusTexts} />
      <Form onSubmit={() => isDisabled || void action.run()}>
        {children}
        <div class="actions">
          <Button variant="main" type="submit" isBusy={action.isRunning} disabled={isDisabled}>
            {submit}
          </Button>
        </div>
      </Form>
    </>
  )
}

type FormDialogProps = FormProps & { title: string; isDanger?: boolean; onClose: () => void }

/** A form in a dialog, with the error above its fields. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, action, statusTexts, isDanger = false, isDisabled = false, onClose, children } = props
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

/** A question before something that others notice or that can't be undone. */
export type ConfirmQuestion = {
  title: string
  /** The consequence. */
  text: string
  submit: string
  isDanger?: boolean
  /** What must be typed first, ignoring case. */
  phrase?: string
  statusTexts?: StatusTexts
}

type UseRunnable = (perform: () => Promise<unknown>) => Runnable

/**
 * Runs an action once the person confirms it in a dialog, which shows a refusal and stays open.
 * @param useRunnable how it runs, where `useAction` isn't enough
 * @returns whether it was done
 */
export const confirmAction = (
  question: ConfirmQuestion,
  act: () => Promise<unknown>,
  useRunnable: UseRunnable = useAction,
): Promise<boolean> =>
  new Promise(resolve =>
    openDialog(close => {
      const settle = (isDone: boolean) => {
        close()
        resolve(isDone)
      }
      return <ConfirmDialog {...{ question, act, useRunnable }} onClose={settle} />
    }),
  )

type ConfirmProps = {
  question: ConfirmQuestion
  act: () => Promise<unknown>
  useRunnable: UseRunnable
  onClose: (isDone: boolean) => void
}

function ConfirmDialog({ question: { text, phrase, ...rest }, act, useRunnable, onClose }: ConfirmProps) {
  const t = useTexts('ui/dialogs')
  const [typedText, setTypedText] = useState('')
  const isPhraseTyped = !phrase || typedText.trim().toLocaleLowerCase() === phrase.trim().toLocaleLowerCase()
  const action = useRunnable(async () => {
    await act()
    onClose(true)
  })
  return (
    <FormDialog
      {...rest}
      action={action}
      isDisabled={!isPhraseTyped}
      onClose={() => action.isRunning || onClose(false)}
    >
      <p>{text}</p>
      {phrase && (
        <TextField label={fill(t.type, { phrase })} value={typedText} onValue={setTypedText} autocomplete="off" />
      )}
    </FormDialog>
  )
}
