import { texts, useTexts } from '../platform/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { type DraftState, savesItself } from './draft.ts'

const words = texts({
  en: {
    draft: 'Draft',
    scheduled: 'Scheduled',
    published: 'Published',
    archived: 'Archived',
    saved: 'Saved',
    saving: 'Saving…',
    unsaved: 'Not saved yet',
    incomplete: 'Not saved: the poll needs two different options',
    failed: 'Not saved',
    conflict: 'Changed by somebody else',
    refused: 'Not published: the right of the person who scheduled it has ended',
  },
  fr: {
    draft: 'Brouillon',
    scheduled: 'Programmée',
    published: 'Publiée',
    archived: 'Archivée',
    saved: 'Enregistré',
    saving: 'Enregistrement…',
    unsaved: 'Pas encore enregistré',
    incomplete: 'Non enregistré : le sondage demande deux réponses différentes',
    failed: 'Non enregistré',
    conflict: 'Modifié par quelqu’un d’autre',
    refused: 'Non publiée : la personne qui l’a programmée n’en a plus le droit',
  },
})

export const useStatusNames = () => useTexts(words)

type Standing = { status: string; scheduledAt: string | null }
export const statusOf = (page: Standing | undefined): 'draft' | 'scheduled' | 'published' | 'archived' => {
  if (page?.status === 'published' || page?.status === 'archived') return page.status
  return page?.scheduledAt ? 'scheduled' : 'draft'
}

/** Status of the page and whether its text is saved; also read aloud. */
export function SaveState({ state }: { state: DraftState }) {
  const t = useTexts(words)
  const status = statusOf(state.page)
  // While a draft is written, it is about to be saved.
  const shown = state.status === 'unsaved' && savesItself(state) ? 'saving' : state.status
  return (
    <p class="save-state">
      <span class={`tag ${status}`}>{t[status]}</span>
      {status === 'draft' && state.page?.scheduleRefusal && <span class="failed">{t.refused}</span>}
      <span role="status" class={shown}>
        {state.page || state.status !== 'saved' ? (
          <>
            {shown === 'saved' && <Icon name="check" size={16} />}
            {t[shown]}
          </>
        ) : null}
      </span>
    </p>
  )
}
