import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { useTexts } from '../platform/texts.ts'
import { Button, Form } from '../ui/controls.tsx'
import { Problem } from '../ui/feedback.tsx'

type CommentFormProps = {
  label: string
  action: string
  text?: string
  isFocused?: boolean
  onSend: (text: string) => Promise<void>
  onCancel?: () => void
}

/** A form that writes or edits a comment or reply. Keeps the text when sending fails. */
export function CommentForm({ label, action, text = '', isFocused = false, onSend, onCancel }: CommentFormProps) {
  const t = useTexts('page/comment-form')
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [value, setValue] = useState(text)
  useEffect(() => {
    if (isFocused) area.current?.focus()
  }, [])
  const send = useAction(async () => {
    await onSend(value.trim())
    setValue('')
  })
  return (
    <Form class="comment-form" onSubmit={() => void (value.trim() && send.run())}>
      <label class="unseen" for={id}>
        {label}
      </label>
      <textarea
        ref={area}
        id={id}
        dir="auto"
        rows={value.includes('\n') || value.length > 60 ? 4 : 2}
        maxLength={10_000}
        placeholder={label}
        value={value}
        onInput={event => setValue(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Escape' && value === text && !event.isComposing) onCancel?.()
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) event.currentTarget.form?.requestSubmit()
        }}
      />
      <Problem error={send.error} statusTexts={{ 403: t.off }} />
      <div class="actions">
        <Button variant="main" class="small" type="submit" isBusy={send.isRunning} disabled={!value.trim()}>
          {action}
        </Button>
        {onCancel && (
          <Button variant="quiet" class="small" onClick={onCancel}>
            {t.cancel}
          </Button>
        )}
      </div>
    </Form>
  )
}
