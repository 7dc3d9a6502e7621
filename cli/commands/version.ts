import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { platformVersion } from '../../services/kernel/process/version.ts'
import { root } from '../run.ts'
import type { CliCommand } from './command.ts'

/** Also called as `--version`. */
export const versionCommand: CliCommand = {
  name: 'version',
  summary: 'prints the version of this code, with its commit in a working copy',
  async run() {
    const commit = workingCommit()
    const data = { version: platformVersion, ...(commit ? { commit } : {}), node: process.versions.node }
    return { data, text: `${platformVersion}${commit ? ` (${commit})` : ''}` }
  },
}

/** The commit of a working copy; undefined in an image or an unpacked tarball. */
function workingCommit(): string | undefined {
  if (!existsSync(join(root, '.git'))) return undefined
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
