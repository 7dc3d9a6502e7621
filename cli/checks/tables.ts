import type { SourceFile } from '../sources.ts'

/** Number of cells of a table's row. A `|` in a cell is written `\|`, in code too. */
const cellsOf = (row: string): number => row.trim().split(/(?<!\\)\|/).length - 2

/** Rows of tables in Markdown with more or fewer cells than the head. Markdown drops extra cells without a word. */
export function raggedRows(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, text }) => {
      let head = 0
      let isCode = false
      return text.split('\n').flatMap((line, index) => {
        if (/^\s*```/.test(line)) isCode = !isCode
        if (isCode || !/^\s*\|/.test(line)) head = 0
        else head ||= cellsOf(line)
        return head === 0 || cellsOf(line) === head
          ? []
          : [`${path}:${index + 1}: ${cellsOf(line)} cells under a head of ${head}; write \\| for a | in a cell`]
      })
    })
}
