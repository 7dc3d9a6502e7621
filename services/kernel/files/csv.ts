/** Excel refuses a workbook with a longer cell, and breaks such a line of CSV in two. */
const maxCellLength = 32_767

/** Characters that neither XML nor a spreadsheet can hold. */
const unstorableCharacters = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** A text as any spreadsheet can hold it: without control characters, and cut with "…" where it is too long. */
export function cellText(text: string): string {
  const storableText = text.replace(unstorableCharacters, '')
  if (storableText.length <= maxCellLength) return storableText
  // The cut may split a surrogate pair.
  return `${storableText.slice(0, maxCellLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** Characters that a spreadsheet takes for the start of a formula, including their full-width forms. */
const formula = /^[\s]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u

/** One cell: formulas escaped, quoted where necessary. */
export function csvCell(text: string): string {
  const safe = cellText(formula.test(text) ? `'${text}` : text)
  return /[",;\r\n\t]|^\s|\s$/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const csvLines = (rows: string[][]): string => rows.map(row => `${row.map(csvCell).join(',')}\r\n`).join('')

/** Makes spreadsheets read the file as UTF-8. */
const byteOrderMark = '\uFEFF'

/** Streams a CSV file with these columns and rows. */
export async function* csvFile(head: string[], rows: AsyncIterable<string[][]>): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark + csvLines([head]))
  for await (const part of rows) yield Buffer.from(csvLines(part))
}
