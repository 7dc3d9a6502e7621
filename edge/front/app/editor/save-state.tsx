import { dateAndTimeOf, useTexts } from '../platform/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { type DraftState, savesItself } from './draft.ts'

type PublicationState = { status: string; scheduledAt: string | null }
export const statusOf = (page: PublicationState | undefined): 'draft' | 'scheduled' | 'published' | 'archived' => {
  if (page?.status === 'published' || page?.status === 'archived') return page.status
  return page?.scheduledAt ? 'scheduled' : 'draft'
}

/** Status of the page and whether its text is saved; also read aloud. */
export function SaveState({ state }: { state: DraftState }) {
  const t = useTexts('editor/save-state')
  const status = statusOf(state.page)
  // While a draft is written, it is about to be saved.
  const shownState = state.status === 'unsaved' && savesItself(state) ? 'saving' : state.status
  return (
    <p class="save-state row soft">
      <span class={`tag ${status}`}>{t.statuses[status]}</span>
      {status === 'scheduled' && <time>{dateAndTimeOf(state.page?.scheduledAt ?? '')}</time>}
      {status === 'draft' && state.page?.scheduleRefusal && <span class="failed">{t.refused}</span>}
      <span role="status" class={`inline-row ${shownState}`}>
        {state.page || state.status !== 'saved' ? (
          <>
            {shownState === 'saved' && <Icon name="check" size={16} />}
            {t.states[shownState]}
          </>
        ) : null}
      </span>
    </p>
  )
}
