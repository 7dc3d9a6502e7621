import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button, Form } from './controls.tsx'
import { Problem } from './feedback.tsx'

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

type ActionFormProps = {
  action: { run: () => Promise<unknown>; isRunning: boolean; error: unknown }
  statusTexts?: Record<number, string>
  /** Text of the button that sends the form. */
  submit: string
  isDisabled?: boolean
  children?: ComponentChildren
}

/** What went wrong, the fields, the button. */
export function ActionForm({ action, statusTexts = {}, submit, isDisabled = false, children }: ActionFormProps) {
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
