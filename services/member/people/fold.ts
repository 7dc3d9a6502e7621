/** Letters without a decomposition, as they are typed on a keyboard that lacks them. */
const letters: Readonly<Record<string, string>> = { ß: 'ss', œ: 'oe', æ: 'ae', ø: 'o', đ: 'd', ł: 'l', ı: 'i', ς: 'σ' }

/** The form in which names and addresses are compared: composed, without case, accents and unseen characters. */
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

/** What the column holds. Only ligatures of many letters, such as ﷺ, could make names that are longer. */
const mostBytes = 1_800

/** What a member is found by: the full name and, after a line break that no search contains, the address. */
export function searchText(person: { first_name: string; last_name: string; email: string }): Buffer {
  const text = Buffer.from(`${fold(`${person.first_name} ${person.last_name}`)}\n${fold(person.email)}`)
  return text.length > mostBytes ? text.subarray(0, mostBytes) : text
}
