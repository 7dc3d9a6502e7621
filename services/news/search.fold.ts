import { crc32 } from 'node:zlib'

/** Accents and other marks that people leave out when they search: Latin, Greek and Cyrillic, Hebrew, Arabic. */
const marks =
  /[\u0300-\u036f]|[\u0591-\u05bd]|[\u05bf\u05c1\u05c2]|\u05c7|[\u0610-\u061a]|[\u064b-\u065f]|\u0670|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/g
/** Joiners, soft hyphens, variation selectors: nobody sees them. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu
/** Letters without a decomposition, as they are typed on a keyboard that lacks them. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
}

/**
 * The form in which texts are compared: without case and accents, in compatibility characters ("Ｃœur ½" is "coeur 1⁄2"),
 * with a space for each control character. Hangul and kana keep their syllables.
 */
export const fold = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(marks, '')
    .replace(unseen, '')
    .replace(/[ßœæøđðłþħıς]/g, letter => letters[letter] ?? letter)
    .replace(/\p{Cc}/gu, ' ')
    .normalize('NFC')

/** The searched text of a page; no search contains the line break between its parts. */
export const searchedText = ({ title, excerpt }: { title: string; excerpt: string | null }): string =>
  `${fold(title)}\n${fold(excerpt ?? '')}`

const isPlain = (char: string): boolean => char < '\u0080'

/** All runs of three characters, and shorter ones that hold more than ASCII: one ideogram or emoji says a lot. */
function runsOf(text: string): Set<string> {
  const runs = new Set<string>()
  for (const part of text.split('\n')) {
    const chars = Array.from(part)
    for (const [at, first] of chars.entries()) {
      const [second = '', third = ''] = [chars[at + 1], chars[at + 2]]
      if (third) runs.add(first + second + third)
      if (!isPlain(first)) runs.add(first)
      if (second && !(isPlain(first) && isPlain(second))) runs.add(first + second)
    }
  }
  return runs
}

const checksum = (workspaceId: string, run: string): number => crc32(workspaceId + run)

/** What a folded text is found by in a workspace, in order. */
export const gramsOf = (workspaceId: string, text: string): number[] =>
  [...new Set([...runsOf(text)].map(run => checksum(workspaceId, run)))].toSorted((a, b) => a - b)

/** Most grams of a search that are looked at: of a long one, some from all over it. */
const mostGrams = 8

/** Some grams that every text with the folded term has; none for one or two plain letters, which stand everywhere. */
export function gramsOfTerm(workspaceId: string, term: string): number[] {
  const chars = Array.from(term)
  const runs =
    chars.length < 3
      ? chars.every(isPlain)
        ? []
        : [term]
      : [...new Set(chars.slice(2).map((third, at) => `${chars[at]}${chars[at + 1]}${third}`))]
  const step = Math.max(1, runs.length / mostGrams)
  const some = Array.from({ length: Math.min(runs.length, mostGrams) }, (_, i) => runs[Math.floor(i * step)] ?? '')
  return some.map(run => checksum(workspaceId, run))
}
