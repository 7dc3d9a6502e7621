import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../services/kernel/process/config.ts'

export type Process = {
  child: ChildProcess
  /** The signal or exit code it ended with. */
  exitStatus: Promise<string>
  /** Sends it a signal; resolves when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<string>
}

const root = new URL('../../', import.meta.url)
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/**
 * Runs a script of the project, such as edge/main.ts, in a process that ends with this one.
 * @param folder of another version of the project
 */
export function startProcess(
  script: string,
  env: Environment,
  options: ForkOptions = {},
  folder = fileURLToPath(root),
): Process {
  const stdio: ForkOptions['stdio'] = ['ignore', 'inherit', 'inherit', 'ipc']
  const child = fork(join(folder, script), { env, stdio, ...options })
  children.add(child)
  const exitStatus = new Promise<string>(resolve => {
    child.once('exit', (code, signal) => {
      children.delete(child)
      resolve(String(signal ?? code))
    })
  })
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return exitStatus
  }
  return { child, exitStatus, stop }
}

/** Resolves when a process is ready, or has died at a failpoint before. */
export const readyOrDead = ({ child, exitStatus }: Process): Promise<unknown> =>
  Promise.race([once(child, 'message'), exitStatus])

/** Resolves when a process of the platform reports that it is ready. */
export function ready(name: string, child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${name} was not ready within 2 minutes`)), 120_000)
    child.on('message', (message: { type: string }) => {
      if (message.type !== 'ready') return
      clearTimeout(timer)
      resolve()
    })
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      reject(new Error(`${name} ended with ${signal ?? code} before it was ready`))
    })
  })
}

/** Sends a process a signal, unless it has ended; resolves when it has. */
export async function endChild(child: ChildProcess | undefined, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}
