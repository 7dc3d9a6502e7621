import { PersonPicker } from '../members/person-picker.tsx'
import { Link } from '../platform/router.tsx'
import { fill, useTexts } from '../platform/texts.ts'
import { Button, IconButton } from '../ui/controls.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'

type One = { id: string; firstName: string; lastName: string; photo_url: string | null; isFirst: boolean }
type Props = {
  people: One[]
  /** Name of the first one's part: leader, manager. */
  first: string
  makeFirst: string
  add: string
  isBusy: boolean
  isChangeable: boolean
  onAdd: (memberId: string) => void
  onFirst: (memberId: string) => void
  onRemove: (memberId: string) => void
}

/** The people of a team or department, with a field that adds one. */
export function GroupPeople(props: Props) {
  const { people, first, makeFirst, add, isBusy, isChangeable, onAdd, onFirst, onRemove } = props
  const t = useTexts('groups/group-people')
  const nameOf = useNameOf()
  const ordered = people.toSorted((a, b) => Number(b.isFirst) - Number(a.isFirst))
  return (
    <div class="group-people" aria-busy={isBusy}>
      {people.length === 0 && <p class="hint">{t.nobody}</p>}
      <ul aria-label={t.people}>
        {ordered.map(person => (
          <li key={person.id}>
            <Avatar person={person} size={32} />
            <Link to={`/members/${person.id}`}>
              <bdi>{nameOf(person)}</bdi>
            </Link>
            {person.isFirst && <span class="tag">{first}</span>}
            {isChangeable && !person.isFirst && (
              <Button class="small" look="quiet" onClick={() => onFirst(person.id)}>
                {makeFirst}
              </Button>
            )}
            {isChangeable && (
              <IconButton
                name={fill(t.remove, { name: nameOf(person) })}
                icon="close"
                onClick={() => onRemove(person.id)}
              />
            )}
          </li>
        ))}
      </ul>
      {isChangeable && (
        <PersonPicker
          label={add}
          picked={null}
          excludedIds={people.map(({ id }) => id)}
          onPick={picked => picked && onAdd(picked.id)}
        />
      )}
    </div>
  )
}
