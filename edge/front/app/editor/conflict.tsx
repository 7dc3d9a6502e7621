import { useState } from 'preact/hooks'
import type { Page } from '../../../../gen/client/news.ts'
import { dateAndTimeOf, fill, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import type { PageDraft } from './draft.ts'
import { type Fields, fieldsOf } from './fields.ts'
import { Preview } from './preview.tsx'

/** Both versions side by side, after two people changed the same. */
export function Conflict({ draft, otherVersion, fields }: { draft: PageDraft; otherVersion: Page; fields: Fields }) {
  const t = useTexts('editor/conflict')
  const [isOpen, setOpen] = useState(true)
  if (!isOpen)
    return (
      <p class="note" role="alert">
        {t.waits}{' '}
        <Button class="small" onClick={() => setOpen(true)}>
          {t.compare}
        </Button>
      </p>
    )
  return (
    <Dialog title={t.title} onClose={() => setOpen(false)} size="large">
      <p>{t.text}</p>
      <div class="both-versions">
        <section aria-label={t.mine}>
          <h3>{t.mine}</h3>
          <p class="hint">{t.unsaved}</p>
          <Preview fields={fields} />
          <Button variant="main" onClick={() => void draft.keepMine()}>
            {t.keepMine}
          </Button>
        </section>
        <section aria-label={t.theirs}>
          <h3>{t.theirs}</h3>
          {otherVersion.updatedAt && (
            <p class="hint">{fill(t.savedAt, { time: dateAndTimeOf(otherVersion.updatedAt) })}</p>
          )}
          <Preview fields={fieldsOf(otherVersion)} />
          <Button onClick={() => draft.takeTheirs()}>{t.takeTheirs}</Button>
        </section>
      </div>
    </Dialog>
  )
}
