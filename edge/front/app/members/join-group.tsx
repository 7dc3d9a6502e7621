import { useId } from 'preact/hooks'
import { Link } from '../platform/router.tsx'
import { fill, useTexts } from '../platform/texts.ts'
import { IconButton } from '../ui/controls.tsx'

type Props = {
  title: string
  add: string
  emptyText: string
  isChangeable: boolean
  memberships: { id: string; name: string; part: string; to: string }[]
  choices: { value: string; text: string }[]
  onJoin: (id: string) => void
  onLeave: (id: string) => void
}

/** The groups of one kind that somebody belongs to, with a field that adds one. */
export function JoinGroup({ title, add, emptyText, isChangeable, memberships, choices, onJoin, onLeave }: Props) {
  const t = useTexts('members/join-group')
  const id = useId()
  const joinableGroups = choices.filter(({ value }) => memberships.every(one => one.id !== value))
  return (
    <>
      <h3 id={id}>{title}</h3>
      {memberships.length === 0 && <p class="hint">{emptyText}</p>}
      <ul class="plain-list" aria-labelledby={id}>
        {memberships.map(group => (
          <li key={group.id}>
            <Link to={group.to}>
              <bdi>{group.name}</bdi>
            </Link>
            {group.part && <span class="tag">{group.part}</span>}
            {isChangeable && (
              <IconButton name={fill(t.leave, { name: group.name })} icon="close" onClick={() => onLeave(group.id)} />
            )}
          </li>
        ))}
      </ul>
      {isChangeable && joinableGroups.length > 0 && (
        <select
          aria-label={add}
          value=""
          onChange={event => {
            const { value } = event.currentTarget
            event.currentTarget.value = ''
            if (value) onJoin(value)
          }}
        >
          <option value="">{add}…</option>
          {joinableGroups.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </>
  )
}
