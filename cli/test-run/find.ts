import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const skipped = /^(node_modules|gen|coverage|\..*)$/

/** `test` proves behaviour; `trial` proves timing or endurance, and runs every benchmark in its smallest form. */
export type Kind = 'test' | 'trial'

/**
 * The test files of a kind under some folders, as paths from the root, in starting order: the folders in the given
 * order, the files of each backwards.
 * @param patterns keep the files whose path contains one of these
 */
export function findTests(root: string, kind: Kind, folders: string[], patterns: string[]): string[] {
  const walk = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return skipped.test(entry.name) ? [] : walk(path)
      return entry.name.endsWith(`.${kind}.ts`) ? [path] : []
    })
  const present = new Set(readdirSync(root))
  const wanted = patterns.map(pattern => pattern.replace(/^\.\//, ''))
  return folders
    .filter(folder => present.has(folder))
    .flatMap(folder => walk(folder).sort((a, b) => (a < b ? 1 : -1)))
    .filter(file => wanted.length === 0 || wanted.some(pattern => file.includes(pattern)))
}
