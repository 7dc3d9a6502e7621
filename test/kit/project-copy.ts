import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeSource } from '../../cli/release/source.ts'

export type Ran = { ok: boolean; output: string }

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const isLeftOut = /\/(node_modules|\.git|\.data|\.cache|coverage|images)$/

/** The text of a file of the project. */
export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

/**
 * An empty folder for a copy of the project; `fill` copies it, `unpack` takes the last commit's source tarball, `run`
 * runs a command there.
 */
export function projectCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'guides-'))
  function run(command: string, ...args: string[]): Promise<Ran> {
    const { TEST_COVERAGE: _, ...inheritedEnv } = process.env
    const env = { ...inheritedEnv, NODE_COMPILE_CACHE: join(folder, '.cache') }
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const pipe of [child.stdout, child.stderr]) pipe.setEncoding('utf8').on('data', text => (output += text))
    return new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', status => resolve({ ok: status === 0, output }))
    })
  }
  const linkPackages = () => symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return {
    folder,
    run,
    async fill(): Promise<void> {
      cpSync(root, folder, { recursive: true, filter: path => !isLeftOut.test(path) })
      linkPackages()
      // The checks list the files with git.
      await run('git', 'init', '--quiet')
    },
    async unpack(): Promise<Ran> {
      await run('tar', '-xzf', writeSource(folder).tarball, '--strip-components=1')
      linkPackages()
      return run(process.execPath, 'cli/build/main.ts')
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  }
}
