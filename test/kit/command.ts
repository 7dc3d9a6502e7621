import { main } from '../../cli/commands/main.ts'
import type { Environment } from '../../services/kernel/process/config.ts'

/** Runs a command of `npm run platform` with these settings, in this process. */
export async function runCommand(words: string[], env: Environment) {
  const said = { stdout: '', stderr: '' }
  const status = await main(words, {
    env,
    print: line => (said.stdout += `${line}\n`),
    printError: line => (said.stderr += `${line}\n`),
  })
  return { status, ...said }
}
