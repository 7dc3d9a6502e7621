import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '../run.ts'

/** The last commit as a release: its version, its time in seconds, and its tarball, whose files are in a folder `name`. */
export type Source = { name: string; version: string; commit: string; time: number; tarball: string }

/** Writes the tarball of the last commit, which depends on nothing but the commit. */
export function writeSource(folder: string): Source {
  const git = (...args: string[]): Buffer => execFileSync('git', args, { cwd: root, maxBuffer: 2 ** 28 })
  const manifest = JSON.parse(git('show', 'HEAD:package.json').toString()) as { name: string; version: string }
  const [commit = '', time] = git('show', '--no-patch', '--format=%H %ct', 'HEAD').toString().trim().split(' ')
  const name = `${manifest.name}-${manifest.version}`
  const tarball = join(folder, `${name}.tar.gz`)
  // Owner and time of every file are the same: root, and the commit's time.
  const files = git('-c', 'tar.umask=0022', 'archive', '--format=tar', `--prefix=${name}/`, commit)
  writeFileSync(tarball, gzipSync(files, { level: 9 }))
  return { name, version: manifest.version, commit, time: Number(time), tarball }
}
