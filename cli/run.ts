import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The folder of the project. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

/** A command's output, and whether it succeeded. */
export type CheckResult = { ok: boolean; output: string }

/** Runs a command of node_modules/.bin or of the system in the project's folder. Throws when it doesn't exist. */
export const run = (command: string, ...args: string[]): CheckResult => pipe('', command, ...args)

/** Like `run`, with a text as the command's input. */
export function pipe(input: string, command: string, ...args: string[]): CheckResult {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    input,
  })
  if (error) throw new Error(`${command} cannot be run: ${error.message}`)
  return { ok: status === 0, output: `${stdout}${stderr}`.trim() }
}
