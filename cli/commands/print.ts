/** Rows under a heading, in columns as wide as needed. */
export function table(head: string[], rows: string[][]): string {
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map(row => (row[column] ?? '').length)))
  return lines
    .map(row =>
      widths
        .map((width, column) => (row[column] ?? '').padEnd(width))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A value of an answer as a table cell. */
export const cell = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

/** A time of an answer without its milliseconds. */
export const time = (value: unknown): string => cell(value).replace('T', ' ').slice(0, 19)

/** A number with its noun in the singular or plural. */
export const count = (number: number, one: string, plural = `${one}s`): string =>
  `${number} ${number === 1 ? one : plural}`
