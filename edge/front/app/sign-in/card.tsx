import type { ComponentChildren } from 'preact'
import type { Action } from '../platform/action.ts'
import { useStore } from '../platform/store.ts'
import { chooseLanguage, type Language, language, languages, useTexts } from '../platform/texts.ts'
import { Button, Form } from '../ui/controls.tsx'
import { Problem } from '../ui/feedback.tsx'
import { useTitle } from '../ui/title.ts'

/** A page of one form, for people who aren't signed in. */
export function Card({ title, children }: { title: string; children: ComponentChildren }) {
  const t = useTexts('common')
  const spoken = useStore(language)
  useTitle(title)
  return (
    <main class="alone">
      <div class="card">
        <h1>{title}</h1>
        {children}
      </div>
      <p class="languages">
        <select
          aria-label={t.language}
          value={spoken}
          onChange={event => chooseLanguage(event.currentTarget.value as Language)}
        >
          {languages.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </p>
    </main>
  )
}

type CardFormProps = {
  action: Action<[]>
  statusTexts?: Record<number, string>
  submit: string
  children: ComponentChildren
}

/** The form of a card: what went wrong, the fields, the button. */
export function CardForm({ action, statusTexts = {}, submit, children }: CardFormProps) {
  return (
    <>
      <Problem error={action.error} statusTexts={statusTexts} />
      <Form onSubmit={() => void action.run()}>
        {children}
        <Button look="main" type="submit" isBusy={action.isRunning}>
          {submit}
        </Button>
      </Form>
    </>
  )
}
