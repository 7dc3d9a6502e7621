import { useStore } from '../platform/store.ts'
import { texts, useTexts } from '../platform/texts.ts'
import { localOf, momentOf, zoneName } from '../platform/times.ts'
import { Button, Checkbox, IconButton, TextField } from '../ui/controls.tsx'
import type { Draft } from './draft.ts'
import { hasTwins, isReady } from './poll.ts'

const words = texts({
  en: {
    event: 'Event',
    starts: 'Starts',
    ends: 'Ends',
    zone: (zone: string) => `In your time zone: ${zone}`,
    order: 'The end must not be before the start.',
    place: 'Place',
    poll: 'Poll',
    question: 'Question',
    questionHint: 'If this is empty, the title is the question.',
    option: (number: number) => `Option ${number}`,
    removeOption: (number: number) => `Remove option ${number}`,
    addOption: 'Add an option',
    multiple: 'Allow several answers',
    closes: 'Voting ends',
    closesHint: 'Leave empty for no end.',
    twins: 'Two options are the same.',
    few: 'A poll needs at least two options.',
    voted: 'People have already voted: the poll can no longer be changed.',
  },
  fr: {
    event: 'Événement',
    starts: 'Début',
    ends: 'Fin',
    zone: (zone: string) => `Dans votre fuseau horaire : ${zone}`,
    order: 'La fin ne peut pas précéder le début.',
    place: 'Lieu',
    poll: 'Sondage',
    question: 'Question',
    questionHint: 'Si ce champ est vide, le titre sert de question.',
    option: (number: number) => `Réponse ${number}`,
    removeOption: (number: number) => `Retirer la réponse ${number}`,
    addOption: 'Ajouter une réponse',
    multiple: 'Autoriser plusieurs réponses',
    closes: 'Fin du vote',
    closesHint: 'Laissez le champ vide pour ne pas fixer de fin.',
    twins: 'Deux réponses sont identiques.',
    few: 'Un sondage demande au moins deux réponses.',
    voted: 'Des personnes ont déjà voté : le sondage ne peut plus être modifié.',
  },
})

/** When and where an event is. */
export function EventFields({ draft }: { draft: Draft }) {
  const t = useTexts(words)
  const { fields } = useStore(draft.state)
  const { eventStartsAt, eventEndsAt, eventLocation } = fields
  const isTurned = eventStartsAt !== null && eventEndsAt !== null && eventEndsAt < eventStartsAt
  return (
    <fieldset>
      <legend>{t.event}</legend>
      <TextField
        label={t.starts}
        hint={t.zone(zoneName())}
        type="datetime-local"
        value={localOf(eventStartsAt)}
        onValue={value => draft.change({ eventStartsAt: momentOf(value) })}
      />
      <TextField
        label={t.ends}
        error={isTurned ? t.order : undefined}
        type="datetime-local"
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

const mostOptions = 20

/** The question and the options of a poll. After the first vote they stay. */
export function PollFields({ draft }: { draft: Draft }) {
  const t = useTexts(words)
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
      {options.map((option, at) => (
        // biome-ignore lint: options have no identity of their own
        <div class="poll-option" key={at}>
          <TextField
            label={t.option(at + 1)}
            maxLength={200}
            value={option}
            onValue={value => set({ options: options.with(at, value) })}
          />
          {options.length > 2 && (
            <IconButton
              name={t.removeOption(at + 1)}
              icon="close"
              onClick={() => set({ options: options.toSpliced(at, 1) })}
            />
          )}
        </div>
      ))}
      {hasTwins(poll) ? <p class="fault">{t.twins}</p> : !isReady(poll) && <p class="hint">{t.few}</p>}
      {options.length < mostOptions && (
        <Button class="small" icon="plus" onClick={() => set({ options: [...options, ''] })}>
          {t.addOption}
        </Button>
      )}
      <Checkbox label={t.multiple} checked={poll.multipleChoice} onCheck={multipleChoice => set({ multipleChoice })} />
      <TextField
        label={t.closes}
        hint={t.closesHint}
        type="datetime-local"
        value={localOf(poll.closesAt)}
        onValue={value => set({ closesAt: momentOf(value) })}
      />
    </fieldset>
  )
}
