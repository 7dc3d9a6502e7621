import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { type Result, run } from '../run.ts'

/** Files below a folder by their path in it, with what they hold. */
export function filesOf(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = entries.map(entry => join(entry.parentPath, entry.name))
  return new Map(paths.map(path => [relative(folder, path), readFileSync(path, 'utf8')]))
}

/** What buf makes of the protos, by path below gen/; files stay undefined when it refuses them. */
export function generate(): Result & { files?: Map<string, string> } {
  const folder = mkdtempSync(join(tmpdir(), 'gen-'))
  try {
    const result = run('buf', 'generate', '-o', folder)
    return result.ok ? { ...result, files: filesOf(join(folder, 'gen')) } : result
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Brings files to what they should hold. Whoever reads them meanwhile finds each as it was or as it will be; those that
 * hold it already keep their time.
 * @returns the paths that were written
 */
export function writeFiles(folder: string, files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([name, text]) => {
    const path = join(folder, name)
    if (textOf(path) === text) return []
    const fresh = `${path}.${process.pid}`
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(fresh, text)
    renameSync(fresh, path)
    return [name]
  })
}

/** Removes files below a folder that nobody makes any more. @returns their paths */
export function removeOthers(folder: string, isStale: (name: string) => boolean): string[] {
  const stale = [...filesOf(folder).keys()].filter(isStale)
  for (const name of stale) rmSync(join(folder, name))
  return stale
}

/** What a file holds; undefined when there is none. */
export function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
