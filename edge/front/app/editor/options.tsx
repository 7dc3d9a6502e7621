import { useStore } from '../platform/store.ts'
import { useTexts } from '../platform/texts.ts'
import { Checkbox, Select } from '../ui/controls.tsx'
import { CategoryField } from './categories.tsx'
import type { PageDraft } from './draft.ts'
import { Medias } from './medias.tsx'
import { ParentField } from './parent.tsx'
import { Prominence } from './prominence.tsx'
import type { EditorRights } from './rights.ts'
import { EventFields, PollFields } from './type-fields.tsx'

export const pageTypes = ['article', 'feed', 'event', 'poll'] as const

/** Type, category, files and settings of a page. */
export function Options({ draft, rights }: { draft: PageDraft; rights: EditorRights }) {
  const t = useTexts('editor/options')
  const { fields, page } = useStore(draft.state)
  const { change } = draft
  // The options of a poll need edit_content.
  const offeredTypes = pageTypes.filter(type => type !== 'poll' || rights.edit || fields.pageType === 'poll')
  return (
    <section class="editor-options" aria-label={t.options}>
      <Select
        label={t.type}
        value={fields.pageType}
        onValue={pageType => change({ pageType })}
        choices={offeredTypes.map(value => ({ value, text: t.types[value] }))}
      />
      <CategoryField
        value={fields.categoryId}
        onValue={categoryId => change({ categoryId })}
        mayCreate={rights.create}
      />
      {fields.pageType === 'event' && <EventFields draft={draft} />}
      {fields.pageType === 'poll' && <PollFields draft={draft} />}
      <Medias value={fields.medias} change={next => change({ medias: next(draft.state.get().fields.medias) })} />
      <fieldset>
        <legend>{t.readers}</legend>
        <Checkbox
          label={t.comments}
          checked={fields.enableComments}
          onCheck={enableComments => change({ enableComments })}
        />
        <Checkbox label={t.likes} checked={fields.enableLikes} onCheck={enableLikes => change({ enableLikes })} />
        <Checkbox
          label={t.notifications}
          checked={fields.enableNotifications}
          onCheck={enableNotifications => change({ enableNotifications })}
        />
      </fieldset>
      {rights.publish && page && <Prominence draft={draft} page={page} />}
      <ParentField ownId={page?.id} value={fields.parent} onValue={parent => change({ parent })} />
    </section>
  )
}
