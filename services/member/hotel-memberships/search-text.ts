import { fold } from '../../kernel/base/texts/fold.ts'

/** Size of the column. The address is cut after names of two hundred letters outside Latin. */
const maxBytes = 880

/** Search text of a member: the full name, a line break that no search contains, and the address. */
export function searchText(person: { first_name: string; last_name: string; email: string }): Buffer {
  const text = Buffer.from(`${fold(`${person.first_name} ${person.last_name}`)}\n${fold(person.email)}`)
  return text.length > maxBytes ? text.subarray(0, maxBytes) : text
}
