import { type Process, startProcess } from './process.ts'
import type { WorkerSettings } from './worker.ts'

/** Starts the test worker as a separate process. */
export function startWorker(settings: WorkerSettings): Process {
  const { FAILPOINT: _, ...inherited } = process.env
  return startProcess('test/kit/worker.ts', { ...inherited, ...settings })
}
