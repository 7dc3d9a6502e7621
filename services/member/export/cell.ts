/** Excel refuses a workbook with a longer cell, and breaks such a line of CSV in two. */
const maxCellLength = 32_767

/** Characters that neither XML nor a spreadsheet can hold. */
const unstorable = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** A text as any spreadsheet can hold it: without control characters, and cut with "…" where it is too long. */
export function cellText(text: string): string {
  const storable = text.replace(unstorable, '')
  if (storable.length <= maxCellLength) return storable
  // The cut may split a surrogate pair.
  return `${storable.slice(0, maxCellLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
