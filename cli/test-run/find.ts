import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const skippedFolders = /^(node_modules|gen|coverage|\..*)$/

/** `test` proves behaviour; `trial` proves timing or endurance, and runs every benchmark in its smallest form. */
type Kind = 'test' | 'trial'

/**
 * The test files of a kind under some folders, as paths from the root, in starting order: the folders in the given
 * order, the files of each backwards.
 * @param patterns keep the files whose path contains one of these
 */
export function findTests(root: string, kind: Kind, folders: string[], patterns: string[]): string[] {
  const walk = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return skippedFolders.test(entry.name) ? [] : walk(path)
      return entry.name.endsWith(`.${kind}.ts`) ? [path] : []
    })
  const topFolders = new Set(readdirSync(root))
  const parts = patterns.map(pattern => pattern.replace(/^\.\//, ''))
  return folders
    .filter(folder => topFolders.has(folder))
    .flatMap(folder => walk(folder).sort((a, b) => (a < b ? 1 : -1)))
    .filter(file => parts.length === 0 || parts.some(pattern => file.includes(pattern)))
}

/**
 * The most files in one process. Loading the services takes one or two seconds, and starting a platform four; many test
 * files take less. Those of `test/browser` take longer, and would be one process that all others wait for.
 */
const mostOf = (subject: string): number => (subject === 'test/browser/' ? 8 : 24)

/**
 * Groups test files by the process that runs them, in the given order. The files of a service, of the edge, of the
 * commands or of a folder of `test` share processes. Those of `operations`, `faults` and `bench` run alone: they are
 * long.
 */
export function inProcesses(files: string[]): string[][] {
  const groups: string[][] = []
  let previousSubject = ''
  for (const file of files) {
    const subject = /^(?:services\/\w+|edge|cli|test\/(?!operations|faults)\w+)\//.exec(file)?.[0] ?? ''
    const group = groups.at(-1)
    if (group && subject && subject === previousSubject && group.length < mostOf(subject)) group.push(file)
    else groups.push([file])
    previousSubject = subject
  }
  return groups
}
