import { PersonPicker } from '../members/person-picker.tsx'
import { useRefusals } from '../members/words.ts'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { Link } from '../platform/router.tsx'
import { fill, useTexts } from '../platform/texts.ts'
import { Button, IconButton } from '../ui/controls.tsx'
import { Loading, notify, Problem } from '../ui/feedback.tsx'
import { confirmAction } from '../ui/form.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'

type Person = { id: string; firstName: string; lastName: string; photo_url: string | null; role: string }
type Act = (memberId: string) => Promise<unknown>
type Props = {
  /** Names the group, such as `team/42`. */
  group: string
  list: (signal: AbortSignal) => Promise<{ data: Person[] }>
  /** Role of who is at the top, such as leader, and who that is by the group itself. */
  firstRole: string
  firstId: string | null | undefined
  texts: { first: string; makeFirst: string; add: string }
  actions: { add: Act; makeFirst: Act; remove: Act }
  onChange: () => void
}

/** The people of a team or department; those who manage members add and remove them here. */
export function GroupPeople({ group, list, firstRole, firstId, texts, actions, onChange }: Props) {
  const t = useTexts('groups/group-people')
  const nameOf = useNameOf()
  const refusals = useRefusals()
  const isChangeable = useMemberContext().may('manage_members')
  const { value, error, reload } = useLoad(group, list)
  const change = useAction(async (act: Act, memberId: string) => {
    await act(memberId)
    await reload()
    onChange()
  })
  const people = (value?.data ?? []).map(one => ({ ...one, isFirst: one.role === firstRole || one.id === firstId }))
  const orderedPeople = people.toSorted((a, b) => Number(b.isFirst) - Number(a.isFirst))
  const problem = <Problem error={error ?? change.error} statusTexts={refusals} />
  if (!value) return error ? problem : <Loading />
  return (
    <div class="group-people" aria-busy={change.isRunning}>
      {problem}
      {people.length === 0 && <p class="hint">{t.nobody}</p>}
      <ul class="plain" aria-label={t.people}>
        {orderedPeople.map(person => (
          <li key={person.id} class="row wrap">
            <Avatar person={person} size={32} />
            <Link to={`/members/${person.id}`}>
              <bdi>{nameOf(person)}</bdi>
            </Link>
            {person.isFirst && <span class="tag">{texts.first}</span>}
            {isChangeable && !person.isFirst && (
              <Button class="small" variant="quiet" onClick={() => void change.run(actions.makeFirst, person.id)}>
                {texts.makeFirst}
              </Button>
            )}
            {isChangeable && (
              <IconButton
                name={fill(t.remove, { name: nameOf(person) })}
                icon="close"
                onClick={() => void change.run(actions.remove, person.id)}
              />
            )}
          </li>
        ))}
      </ul>
      {isChangeable && (
        <PersonPicker
          label={texts.add}
          pickedPerson={null}
          excludedIds={people.map(({ id }) => id)}
          onPick={picked => picked && void change.run(actions.add, picked.id)}
        />
      )}
    </div>
  )
}

type GroupActionsProps = {
  name: string
  /** What the deletion means, and that it is done. */
  consequence: string
  removedText: string
  onEdit: () => void
  onRemove: () => Promise<void>
}

/** Edits or deletes a team, department or role. */
export function GroupActions({ name, consequence, removedText, onEdit, onRemove }: GroupActionsProps) {
  const t = useTexts('groups/group-actions')
  const statusTexts = useRefusals()
  const remove = async () => {
    const question = {
      title: fill(t.title, { name }),
      text: consequence,
      submit: t.delete,
      isDanger: true,
      statusTexts,
    }
    if (await confirmAction(question, onRemove)) notify(removedText)
  }
  return (
    <div class="actions">
      <Button class="small" icon="pen" onClick={onEdit}>
        {t.edit}
      </Button>
      <Button class="small" icon="trash" onClick={() => void remove()}>
        {t.delete}
      </Button>
    </div>
  )
}
