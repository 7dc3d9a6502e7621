import type { SourceFile } from '../sources.ts'

/** A figure of the repository's size, with its goal. */
export type SizeFigure = [name: string, count: number, goal: number]

const isForTests = (path: string): boolean => /\.(test|trial)\.tsx?$|^test\/|\/fixtures\//.test(path)

/** Lines of code by what they are for. */
export function lineFigures(files: SourceFile[]): SizeFigure[] {
  const lines = { product: 0, tests: 0, bench: 0 }
  for (const { path, text } of files) {
    if (path.startsWith('third_party/')) continue
    const part = path.startsWith('bench/') ? 'bench' : isForTests(path) ? 'tests' : 'product'
    lines[part] += text.split('\n').length - 1
  }
  return [
    ['lines of the product', lines.product, 80_000],
    ['lines of tests with their kit', lines.tests, 50_000],
    ['lines of bench', lines.bench, 3200],
  ]
}

/** The figures as a table. */
export function sizeTable(figures: SizeFigure[]): string {
  const row = (name: string, count: string, goal: string): string =>
    name.padEnd(36) + count.padStart(8) + goal.padStart(8)
  const rows = figures.map(([name, count, goal]) => row(name, count.toLocaleString('en'), goal.toLocaleString('en')))
  return [row('', 'now', 'goal'), ...rows].join('\n')
}
