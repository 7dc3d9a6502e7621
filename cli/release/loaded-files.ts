import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root } from '../run.ts'

/** Imports for use, with the file of a thread or of another process, and JSON. */
const reference =
  /^(?:import (?!type)|export .* from |} from ).*?['"](\.[^'"]+\.(?:ts|json))['"]|import\('(\.[^']+\.ts)'\)|new URL\('(\.[^']+\.ts)', import/gm

/**
 * The files of the project that programs load.
 * @param except what these files alone import is left out
 */
export function loadedFiles(programs: string[], ...except: string[]): Set<string> {
  const loadedPaths = new Set<string>()
  const load = (path: string): void => {
    if (loadedPaths.has(path)) return
    loadedPaths.add(path)
    if (except.includes(path) || path.endsWith('.json')) return
    for (const [, ...names] of readFileSync(join(root, path), 'utf8').matchAll(reference))
      load(posix.join(posix.dirname(path), names.find(Boolean) ?? ''))
  }
  for (const program of programs) load(program)
  return loadedPaths
}
