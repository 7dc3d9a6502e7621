/** Combining marks that people omit in a search: Latin, Greek and Cyrillic, Hebrew, Arabic. */
const marks =
  /[\u0300-\u036f]|[\u0591-\u05bd]|[\u05bf\u05c1\u05c2]|\u05c7|[\u0610-\u061a]|[\u064b-\u065f]|\u0670|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/g

/** Joiners, soft hyphens, variation selectors. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/** Letters without a Unicode decomposition, as typed on a keyboard without them. */
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
 * Folds a text for comparison: no case, no accents, compatibility forms ("Ｃœur ½" becomes "coeur 1⁄2"), a space for
 * each control character. Hangul, kana and Indic scripts keep their syllables. Stored search texts hold this form, so
 * a change needs a migration of them.
 */
export const fold = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(marks, '')
    .replace(invisible, '')
    .replace(/[ßœæøđðłþħıς]/g, letter => letters[letter] ?? letter)
    .replace(/\p{Cc}/gu, ' ')
    .normalize('NFC')
