/** What a spreadsheet takes for the start of a formula, in its wide forms too (DECISIONS 89). */
const formula = /^[\s]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u

/** One cell: harmless to a spreadsheet, quoted where it must be. */
export function csvCell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text
  return /[",;\r\n\t]|^\s|\s$/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rows as lines of a file. */
const csvLines = (rows: string[][]): string => rows.map(row => `${row.map(csvCell).join(',')}\r\n`).join('')

/** Tells spreadsheets that the file is UTF-8. */
const byteOrderMark = '\uFEFF'

/** A file of these columns and rows. */
export async function* csvFile(head: string[], rows: AsyncIterable<string[][]>): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark + csvLines([head]))
  for await (const part of rows) yield Buffer.from(csvLines(part))
}
