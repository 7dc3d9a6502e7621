import { useId, useState } from 'preact/hooks'
import type { WorkspaceMemberItem } from '../../../../gen/client/member.ts'
import { useLast, useLoad, withoutBlanks } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { IconButton } from '../ui/controls.tsx'
import { Problem } from '../ui/feedback.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'
import { useTyped } from '../ui/typed.ts'

export type PickedPerson = { id: string; firstName: string; lastName: string }

type Props = {
  label: string
  pickedPerson: PickedPerson | null
  onPick: (person: PickedPerson | null) => void
  /** Members that can't be picked. */
  excludedIds?: string[]
}

/** A field that finds a member of the workspace by name: a combobox with its list below. */
export function PersonPicker({ label, pickedPerson, onPick, excludedIds = [] }: Props) {
  const t = useTexts('members/person-picker')
  const nameOf = useNameOf()
  const id = useId()
  const [search, setSearch] = useState('')
  const [typedText, setTypedText] = useTyped(search, setSearch)
  const [isOpen, setOpen] = useState(false)
  const [focusedIndex, setFocusedIndex] = useState(0)
  const { members, error, isLoaded } = useMemberSearch(isOpen ? search : null)
  const matchesSearch = ({ firstName, lastName, email }: WorkspaceMemberItem) =>
    toPlainText(`${firstName} ${lastName} ${email}`).includes(toPlainText(typedText.trim()))
  const people = members.filter(one => !excludedIds.includes(one.memberId) && matchesSearch(one)).slice(0, 8)
  const choose = (member: WorkspaceMemberItem | undefined) => {
    if (!member) return
    onPick({ ...member, id: member.memberId })
    setTypedText('')
    setOpen(false)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      setFocusedIndex(now => (isOpen ? Math.max(0, Math.min(people.length - 1, now + step)) : 0))
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      choose(people[focusedIndex])
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    }
  }
  if (pickedPerson)
    return (
      <div class="field">
        <span class="label">{label}</span>
        <span class="picked row">
          <Avatar person={pickedPerson} size={28} />
          <bdi>{nameOf(pickedPerson)}</bdi>
          <IconButton name={fill(t.clear, { name: nameOf(pickedPerson) })} icon="close" onClick={() => onPick(null)} />
        </span>
      </div>
    )
  return (
    <div class="field anchor">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && people[focusedIndex] ? `${id}-${focusedIndex}` : undefined}
        placeholder={t.hint}
        value={typedText}
        onInput={event => {
          setTypedText(event.currentTarget.value)
          setOpen(true)
          setFocusedIndex(0)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKey}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={label} hidden={!isOpen} class="picker-list">
        {people.map((member, index) => (
          <li
            key={member.memberId}
            class="row"
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === focusedIndex}
            onMouseDown={event => {
              event.preventDefault()
              choose(member)
            }}
          >
            <Avatar person={member} size={28} />
            <span>
              <bdi>{nameOf(member)}</bdi> <span class="hint">{member.email}</span>
            </span>
          </li>
        ))}
        {isLoaded && search === typedText.trim() && people.length === 0 && (
          <li role="option" aria-disabled="true" aria-selected="false" class="hint">
            {t.noResults}
          </li>
        )}
      </ul>
      <Problem error={error} />
    </div>
  )
}

/** A text for comparisons, which ignore accents and case. */
export const toPlainText = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * Members of the workspace who match a search; null loads nothing. The last ones stay until the next answer arrives, so
 * that Enter picks what is shown.
 */
export function useMemberSearch(search: string | null) {
  const { id } = useMemberContext().workspace
  const { value, error } = useLoad(search === null ? null : `search/${id}/${search}`, signal =>
    platform.member.listWorkspaceMembers({ id, limit: 20, ...withoutBlanks({ search }) }, { signal }),
  )
  const members: WorkspaceMemberItem[] = useLast(value)?.data ?? []
  return { members, error, isLoaded: value !== undefined }
}
