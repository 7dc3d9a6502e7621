/** Rows under a heading, in columns as wide as needed. */
export function table(head: string[], rows: string[][]): string {
  const all = [head, ...rows]
  const widths = head.map((_, at) => Math.max(...all.map(row => (row[at] ?? '').length)))
  return all
    .map(row =>
      widths
        .map((width, at) => (row[at] ?? '').padEnd(width))
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
export const count = (number: number, one: string, more = `${one}s`): string => `${number} ${number === 1 ? one : more}`
