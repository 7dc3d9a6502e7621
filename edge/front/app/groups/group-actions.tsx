import { useState } from 'preact/hooks'
import { useRefusals } from '../members/refusals.ts'
import { useAction } from '../platform/action.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Confirm } from '../ui/dialogs.tsx'
import { notify } from '../ui/feedback.tsx'

type Props = {
  name: string
  /** What the deletion means, and that it is done. */
  consequence: string
  removedText: string
  onEdit: () => void
  onRemove: () => Promise<void>
}

/** Edits or deletes a team, department or role. */
export function GroupActions({ name, consequence, removedText, onEdit, onRemove }: Props) {
  const t = useTexts('groups/group-actions')
  const refusals = useRefusals()
  const [isAsked, setAsked] = useState(false)
  const remove = useAction(async () => {
    await onRemove()
    setAsked(false)
    notify(removedText)
  })
  return (
    <div class="actions">
      <Button class="small" icon="pen" onClick={onEdit}>
        {t.edit}
      </Button>
      <Button class="small" icon="trash" onClick={() => setAsked(true)}>
        {t.delete}
      </Button>
      {isAsked && (
        <Confirm
          title={fill(t.title, { name })}
          text={consequence}
          submit={t.delete}
          isDanger
          action={remove}
          statusTexts={refusals(remove.error)}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  )
}
