import { main } from '../../cli/commands/main.ts'
import type { Environment } from '../../services/kernel/process/config.ts'

/** Runs a command of `npm run platform` with these settings, in this process. */
export async function runCommand(words: string[], env: Environment) {
  const output = { stdout: '', stderr: '' }
  const status = await main(words, {
    env,
    print: line => (output.stdout += `${line}\n`),
    printError: line => (output.stderr += `${line}\n`),
  })
  return { status, ...output }
}
