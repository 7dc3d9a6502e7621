import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { type CheckResult, run } from '../run.ts'

/** A file generated from the descriptors in gen or from the sources: its path and its content. */
export type Output = { path: string; text: string }

/** The relative paths of the files below a folder. */
export function pathsOf(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return entries.map(entry => relative(folder, join(entry.parentPath, entry.name)))
}

/** The files below a folder, by relative path, with their contents. */
export const filesOf = (folder: string): Map<string, string> =>
  new Map(pathsOf(folder).map(path => [path, readFileSync(join(folder, path), 'utf8')]))

/** buf's output from the protos, by path below gen/; `files` is undefined when buf refuses them. */
export function generate(): CheckResult & { files?: Map<string, string> } {
  const folder = mkdtempSync(join(tmpdir(), 'gen-'))
  try {
    const result = run('buf', 'generate', '-o', folder)
    return result.ok ? { ...result, files: filesOf(join(folder, 'gen')) } : result
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Writes files where their contents differ. Readers always see a whole old or new file; unchanged files keep their
 * time.
 * @returns the written paths
 */
export function writeFiles(folder: string, files: ReadonlyMap<string, string | Uint8Array>): string[] {
  return [...files].flatMap(([name, content]) => {
    const path = join(folder, name)
    if (contentOf(path)?.equals(Buffer.from(content))) return []
    const temporary = `${path}.${process.pid}`
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(temporary, content)
    renameSync(temporary, path)
    return [name]
  })
}

/**
 * Removes stale files below a folder.
 * @returns their paths
 */
export function removeOthers(folder: string, isStale: (name: string) => boolean): string[] {
  const stale = pathsOf(folder).filter(isStale)
  for (const name of stale) rmSync(join(folder, name))
  return stale
}

/** A file's text; undefined when it doesn't exist. */
export const textOf = (path: string): string | undefined => contentOf(path)?.toString()

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
