/** Letters without a Unicode decomposition, mapped to what people type on a keyboard without them. */
const letters: Readonly<Record<string, string>> = { ß: 'ss', œ: 'oe', æ: 'ae', ø: 'o', đ: 'd', ł: 'l', ı: 'i', ς: 'σ' }

/** The form in which names and addresses are compared: without case, accents and invisible characters, composed. */
export const fold = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}|\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[ßœæøđłıς]/g, letter => letters[letter] ?? letter)
    .replace(/\p{Cc}/gu, ' ')
    .normalize('NFC')

/** Size of the column. Only ligatures of many letters, such as ﷺ, can expand beyond it. */
const mostBytes = 1_800

/** Search text of a member: the full name, a line break that no search contains, and the address. */
export function searchText(person: { first_name: string; last_name: string; email: string }): Buffer {
  const text = Buffer.from(`${fold(`${person.first_name} ${person.last_name}`)}\n${fold(person.email)}`)
  return text.length > mostBytes ? text.subarray(0, mostBytes) : text
}
