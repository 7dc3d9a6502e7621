/** Control characters, and those that turn the reading direction to disguise an ending. */
const unprintable = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** A file name that is safe to show and to offer for saving: its last part, at most 255 characters; never empty. */
export function displayName(given: string): string {
  const last = given.replace(unprintable, '').split(/[/\\]/).at(-1) ?? ''
  const plain = last.replace(/[<>:"|?*]/g, '_').trim()
  if (/^\.*$/.test(plain)) return 'file'
  // Cut first: a character of two parts may be at the end.
  return plain.slice(0, 255).toWellFormed()
}
