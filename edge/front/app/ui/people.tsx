import { fileAddress } from '../platform/addresses.ts'
import { useTexts } from '../platform/texts.ts'
import { Breakable } from './facts.tsx'

type Person = { firstName: string | null; lastName: string | null; photo_url?: string | null }

/** A person's full name; people who were erased have none. */
export function useNameOf(): (person: Person | null) => string {
  const t = useTexts('ui/people')
  return person => [person?.firstName, person?.lastName].filter(Boolean).join(' ') || t.former
}

/** A person's picture, or their initials. */
export function Avatar({ person, size = 40 }: { person: Person | null; size?: number }) {
  const initials = [person?.firstName, person?.lastName]
    .map(name => name?.trim().charAt(0) ?? '')
    .join('')
    .toUpperCase()
  const style = { width: `${size}px`, height: `${size}px`, fontSize: `${size * 0.4}px` }
  const photo = fileAddress(person?.photo_url)
  if (photo) return <img class="avatar" src={photo} alt="" width={size} height={size} style={style} loading="lazy" />
  // Drawn by the style sheet: a control's visible text would have to be in its name.
  return <span class="avatar" style={style} data-initials={initials || '·'} aria-hidden="true" />
}

/** Somebody's name above their address, in a table. */
export const PersonCell = ({ person: { firstName, lastName, email } }: { person: Person & { email: string } }) => (
  <>
    <bdi>{[firstName, lastName].filter(Boolean).join(' ')}</bdi>
    <span class="hint">
      <Breakable text={email} />
    </span>
  </>
)
