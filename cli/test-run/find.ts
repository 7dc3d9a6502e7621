import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const skipped = /^(node_modules|gen|coverage|\..*)$/

/**
 * The test files under some folders, as paths from the root, in starting order: slow ones first, then those that run
 * whole platforms, so that nothing long remains for the end.
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

/** Whether a file's name marks it as slow. */
export const isSlow = (file: string): boolean => file.endsWith('.slow.test.ts')
