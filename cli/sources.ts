import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './run.ts'

/** A source file: its path from the project's folder, and its text. */
export type SourceFile = { path: string; text: string }

/**
 * Every TypeScript file that is tracked by git or untracked and not ignored, without generated ones. Throws outside of
 * a git checkout.
 */
export function sources(): SourceFile[] {
  return tracked('*.ts', '*.tsx', '*.mjs')
    .filter(path => !path.startsWith('gen/'))
    .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/**
 * Every text file that is tracked by git or untracked and not ignored, without generated ones.
 * @param patterns of the wanted files, all without one
 */
export function texts(...patterns: string[]): SourceFile[] {
  return tracked(...patterns)
    .filter(path => !path.startsWith('gen/') && !/\.(png|jpe?g|woff2?|gz)$/.test(path))
    .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/**
 * Paths of files that are tracked by git or untracked and not ignored.
 * @param patterns of the wanted files, all without one
 */
export function tracked(...patterns: string[]): string[] {
  const listing = run(
    'git',
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '--deduplicate',
    '--',
    ...patterns,
  )
  if (!listing.ok) throw new Error(`finding the sources with git failed: ${listing.output}`)
  const deletedPaths = new Set(run('git', 'ls-files', '--deleted').output.split('\n'))
  // git lists untracked files first; what is generated must not change when they are added.
  const paths = listing.output.split('\n').toSorted()
  return paths.filter(path => path !== '' && !deletedPaths.has(path))
}
