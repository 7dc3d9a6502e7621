import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { WorkerSettings } from './worker.ts'

const worker = fileURLToPath(new URL('worker.ts', import.meta.url))

export interface WorkerProcess {
  /** The signal or exit code it ended with. */
  ended: Promise<string>
  stop(): Promise<string>
}

/** Starts the test worker as a separate process. */
export function startWorker(settings: WorkerSettings): WorkerProcess {
  const { FAILPOINT: _, ...inherited } = process.env
  const child = spawn(process.execPath, [worker], {
    env: { ...inherited, ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit').then(([code, signal]) => {
    process.off('exit', kill)
    return String(signal ?? code)
  })
  return {
    ended,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}
