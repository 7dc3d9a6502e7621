import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const skipped = /^(node_modules|gen|coverage|\..*)$/

/**
 * The test files under some folders, as paths from the root, in the order in which they should begin: slow ones first,
 * and of the others those that run whole platforms before those of the parts, so that nothing long is left for the end.
 * @param patterns keep the files whose path contains one of these
 */
export function findTests(root: string, folders: string[], patterns: string[]): string[] {
  const walk = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return skipped.test(entry.name) ? [] : walk(path)
      return entry.name.endsWith('.test.ts') ? [path] : []
    })
  const present = new Set(readdirSync(root))
  const wanted = patterns.map(pattern => pattern.replace(/^\.\//, ''))
  return folders
    .filter(folder => present.has(folder))
    .flatMap(walk)
    .filter(file => wanted.length === 0 || wanted.some(pattern => file.includes(pattern)))
    .sort((a, b) => Number(isSlow(b)) - Number(isSlow(a)) || (a < b ? 1 : -1))
}

/** Whether a file says of itself that it takes long. */
export const isSlow = (file: string): boolean => file.endsWith('.slow.test.ts')
