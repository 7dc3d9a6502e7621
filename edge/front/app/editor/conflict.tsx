import { useState } from 'preact/hooks'
import type { Page } from '../../../../gen/client/news.ts'
import { dateAndTimeOf, texts, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import type { Draft } from './draft.ts'
import { type Fields, fieldsOf } from './fields.ts'
import { Preview } from './preview.tsx'

const words = texts({
  en: {
    title: 'Somebody else has changed this page',
    text: 'Choose which version to keep. If the other one was saved, it stays in the list of versions.',
    mine: 'Your version',
    unsaved: 'Not saved yet',
    theirs: 'Their version',
    compare: 'Compare both versions',
    waits: 'Nothing is saved until you choose a version.',
    savedAt: (time: string) => `Saved ${time}`,
    keepMine: 'Keep mine',
    takeTheirs: 'Take theirs',
  },
  fr: {
    title: 'Quelqu’un d’autre a modifié cette page',
    text: 'Choisissez la version à garder. Si l’autre a été enregistrée, elle reste dans la liste des versions.',
    mine: 'Votre version',
    unsaved: 'Pas encore enregistrée',
    theirs: 'L’autre version',
    compare: 'Comparer les deux versions',
    waits: 'Rien n’est enregistré tant que vous n’avez pas choisi une version.',
    savedAt: (time: string) => `Enregistrée : ${time}`,
    keepMine: 'Garder la mienne',
    takeTheirs: 'Prendre l’autre',
  },
})

/** Both versions side by side, after two people changed the same. */
export function Conflict({ draft, theirs, fields }: { draft: Draft; theirs: Page; fields: Fields }) {
  const t = useTexts(words)
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
          <Button look="main" onClick={() => void draft.keepMine()}>
            {t.keepMine}
          </Button>
        </section>
        <section aria-label={t.theirs}>
          <h3>{t.theirs}</h3>
          {theirs.updatedAt && <p class="hint">{t.savedAt(dateAndTimeOf(theirs.updatedAt))}</p>}
          <Preview fields={fieldsOf(theirs)} />
          <Button onClick={() => draft.takeTheirs()}>{t.takeTheirs}</Button>
        </section>
      </div>
    </Dialog>
  )
}
