import { useState } from 'preact/hooks'
import type { PageReference } from '../../../../gen/client/news.ts'
import type { PageRights } from '../page/page-rights.ts'
import { useLast, useLoad, withoutBlanks } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { localOf, momentOf } from '../platform/times.ts'
import { Button, Checkbox, IconButton, MomentField, Select, TextField } from '../ui/controls.tsx'
import { Dialog, openDialog } from '../ui/dialogs.tsx'
import { Problem } from '../ui/feedback.tsx'
import { useTyped } from '../ui/typed.ts'
import { CategoryField } from './categories.tsx'
import type { PageDraft } from './draft.ts'
import { hasTwins, isReady } from './fields.ts'
import { Medias } from './medias.tsx'
import { Prominence } from './prominence.tsx'

const pageTypes = ['article', 'feed', 'event', 'poll'] as const

/** Type, category, files and settings of a page. */
export function Options({ draft, rights }: { draft: PageDraft; rights: PageRights }) {
  const t = useTexts('editor/options')
  const { fields, page } = useStore(draft.state)
  const { change } = draft
  // The options of a poll need edit_content.
  const offeredTypes = pageTypes.filter(type => type !== 'poll' || rights.edit || fields.pageType === 'poll')
  return (
    <section class="editor-options box" aria-label={t.options}>
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

type ParentProps = {
  ownId: string | undefined
  value: PageReference | null
  onValue: (page: PageReference | null) => void
}

/** The parent of a page. */
function ParentField({ ownId, value, onValue }: ParentProps) {
  const t = useTexts('editor/options')
  return (
    <fieldset>
      <legend>{t.parent}</legend>
      <div class="row wrap spread tight">
        <span dir="auto">{value?.title ?? t.none}</span>
        {value && <IconButton name={t.remove} icon="close" onClick={() => onValue(null)} />}
        <Button
          class="small"
          onClick={() => openDialog(close => <ParentDialog ownId={ownId} onClose={close} onChoice={onValue} />)}
        >
          {t.choose}
        </Button>
      </div>
    </fieldset>
  )
}

type ParentDialogProps = { ownId: string | undefined; onClose: () => void; onChoice: (page: PageReference) => void }

function ParentDialog({ ownId, onClose, onChoice }: ParentDialogProps) {
  const t = useTexts('editor/options')
  const workspaceId = useMemberContext().workspace.id
  const [search, setSearch] = useState('')
  const [typedText, setTypedText] = useTyped(search, setSearch)
  const { value, error } = useLoad(`parents/${workspaceId}/${search}`, signal =>
    platform.news.listPages({ workspaceId, limit: 12, ...withoutBlanks({ search }) }, { signal }),
  )
  const results = useLast(value)
  const pages = (results?.data ?? []).filter(page => page.id !== ownId)
  return (
    <Dialog title={t.choose} onClose={onClose}>
      <TextField label={t.search} type="search" autofocus maxLength={500} value={typedText} onValue={setTypedText} />
      <Problem error={error} />
      <ul class="parent-choices stack tight" aria-label={t.found}>
        {pages.map(({ id, title }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => {
                onChoice({ id, title })
                onClose()
              }}
            >
              <span dir="auto">{title}</span>
            </button>
          </li>
        ))}
      </ul>
      {results && pages.length === 0 && <p>{t.noResults}</p>}
      {results && (results.meta?.total ?? 0) > results.data.length && <p class="hint">{t.more}</p>}
    </Dialog>
  )
}

/** When and where an event is. */
function EventFields({ draft }: { draft: PageDraft }) {
  const t = useTexts('editor/type-fields')
  const { fields } = useStore(draft.state)
  const { eventStartsAt, eventEndsAt, eventLocation } = fields
  const endsBeforeStart = eventStartsAt !== null && eventEndsAt !== null && eventEndsAt < eventStartsAt
  return (
    <fieldset>
      <legend>{t.event}</legend>
      <MomentField
        label={t.starts}
        value={localOf(eventStartsAt)}
        onValue={value => draft.change({ eventStartsAt: momentOf(value) })}
      />
      <MomentField
        label={t.ends}
        error={endsBeforeStart ? t.order : undefined}
        value={localOf(eventEndsAt)}
        onValue={value => draft.change({ eventEndsAt: momentOf(value) })}
      />
      <TextField
        label={t.place}
        maxLength={255}
        value={eventLocation ?? ''}
        onValue={value => draft.change({ eventLocation: value || null })}
      />
    </fieldset>
  )
}

const maxOptions = 20

/** The question and the options of a poll. After the first vote they stay. */
function PollFields({ draft }: { draft: PageDraft }) {
  const t = useTexts('editor/type-fields')
  const { poll, hasVotes } = useStore(draft.state)
  const { options } = poll
  const set = draft.changePoll
  return (
    <fieldset disabled={hasVotes}>
      <legend>{t.poll}</legend>
      {hasVotes && <p class="note">{t.voted}</p>}
      <TextField
        label={t.question}
        hint={t.questionHint}
        maxLength={255}
        value={poll.question}
        onValue={question => set({ question })}
      />
      {options.map((option, index) => (
        // biome-ignore lint: options have no identity of their own
        <div class="poll-option row" key={index}>
          <TextField
            label={fill(t.option, { number: index + 1 })}
            maxLength={200}
            value={option}
            onValue={value => set({ options: options.with(index, value) })}
          />
          {options.length > 2 && (
            <IconButton
              name={fill(t.removeOption, { number: index + 1 })}
              icon="close"
              onClick={() => set({ options: options.toSpliced(index, 1) })}
            />
          )}
        </div>
      ))}
      {hasTwins(poll) ? <p class="fault">{t.twins}</p> : !isReady(poll) && <p class="hint">{t.few}</p>}
      {options.length < maxOptions && (
        <Button class="small" icon="plus" onClick={() => set({ options: [...options, ''] })}>
          {t.addOption}
        </Button>
      )}
      <Checkbox label={t.multiple} checked={poll.multipleChoice} onCheck={multipleChoice => set({ multipleChoice })} />
      <MomentField
        label={t.closes}
        hint={t.closesHint}
        value={localOf(poll.closesAt)}
        onValue={value => set({ closesAt: momentOf(value) })}
      />
    </fieldset>
  )
}
