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
