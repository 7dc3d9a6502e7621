import { useStore } from '../platform/store.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { localOf, momentOf } from '../platform/times.ts'
import { Button, Checkbox, IconButton, TextField } from '../ui/controls.tsx'
import { MomentField } from '../ui/moment-field.tsx'
import type { PageDraft } from './draft.ts'
import { hasTwins, isReady } from './poll.ts'

/** When and where an event is. */
export function EventFields({ draft }: { draft: PageDraft }) {
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
export function PollFields({ draft }: { draft: PageDraft }) {
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
        <div class="poll-option" key={index}>
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
