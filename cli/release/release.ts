import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathsOf } from '../generate/files.ts'
import { root } from '../run.ts'
import { LaunchError } from '../stack/messages.ts'
import { pathOf } from '../stack/packages.ts'
import { writeSource } from './source.ts'

/**
 * Makes everything of a release from the last commit.
 * @param parent gets a folder named after the version
 * @returns that folder
 */
export function release(parent: string): string {
  if (!pathOf('buildah'))
    throw new LaunchError('buildah builds the image: apt-get install --no-install-recommends buildah')
  // Also packages that npm installs must have the same modes everywhere.
  const formerMask = process.umask(0o022)
  const work = mkdtempSync(join(tmpdir(), 'release-'))
  try {
    const { name, version, commit, time, tarball } = writeSource(work)
    const folder = join(parent, version)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    execFileSync('tar', ['-xzf', tarball, '-C', work])
    cpSync(tarball, join(folder, `${name}.tar.gz`))
    const sources = join(work, name)
    const env = { ...process.env, PATH: `${join(sources, 'node_modules/.bin')}${delimiter}${process.env['PATH']}` }
    const options: ExecFileSyncOptions = { cwd: sources, env, stdio: ['ignore', 'ignore', 'inherit'] }
    execFileSync('npm', ['ci', '--ignore-scripts', '--include=dev', '--loglevel=error'], options)
    const node = join(root, 'node_modules/node/bin/node')
    execFileSync(node, ['cli/release/artefacts.ts', folder, commit, String(time)], options)
    writeFileSync(join(folder, 'SHA256SUMS'), digestsOf(folder))
    return folder
  } finally {
    rmSync(work, { recursive: true, force: true })
    process.umask(formerMask)
  }
}

/** The digests of all files below a folder, as sha256sum prints and checks them. */
function digestsOf(folder: string): string {
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  return pathsOf(folder)
    .toSorted()
    .map(name => `${digest(name)}  ${name}\n`)
    .join('')
}
