import { Worker } from 'node:worker_threads'
import { ServiceUnavailableError } from '../../kernel/base/errors.ts'
import type { Task } from './worker.ts'

type Waiting = { task: Task; resolve(answer: string | boolean): void; reject(error: unknown): void }

export type Threads = {
  /** The thread's answer to the task. ServiceUnavailableError when the queue is full or the thread died. */
  run(task: Task): Promise<string | boolean>
  stop(): Promise<void>
}

/**
 * `count` threads for hashing, each with one task at a time, while `queue` more may wait. Not Node's thread pool, where
 * file and network calls would wait behind them.
 */
export function startThreads(count: number, queue: number): Threads {
  const waiting: Waiting[] = []
  const idle: Worker[] = []
  const busy = new Map<Worker, Waiting>()
  let stopped = false

  /** Threads start on demand: one that crashes at start fails only its task, without a restart loop. */
  const start = (): Worker => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url))
    worker.on('message', (answer: string | boolean) => {
      const done = busy.get(worker)
      busy.delete(worker)
      const next = waiting.shift()
      if (next) give(worker, next)
      else if (!stopped) rest(worker)
      done?.resolve(answer)
    })
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      const at = idle.indexOf(worker)
      if (at >= 0) idle.splice(at, 1)
      busy.get(worker)?.reject(new ServiceUnavailableError())
      busy.delete(worker)
      const next = stopped ? undefined : waiting.shift()
      if (next) give(start(), next)
    })
    return worker
  }
  const give = (worker: Worker, one: Waiting): void => {
    busy.set(worker, one)
    worker.ref()
    worker.postMessage(one.task)
  }
  /** An idle thread must not keep the process alive. */
  const rest = (worker: Worker): void => {
    worker.unref()
    idle.push(worker)
  }

  return {
    run(task) {
      return new Promise((resolve, reject) => {
        const one = { task, resolve, reject }
        const worker = idle.pop() ?? (busy.size < count && !stopped ? start() : undefined)
        if (worker) give(worker, one)
        else if (waiting.length < queue && !stopped) waiting.push(one)
        else reject(new ServiceUnavailableError(undefined, { retryAfterSeconds: 2 }))
      })
    },
    async stop() {
      stopped = true
      const workers = [...idle, ...busy.keys()]
      // Reject before terminating: a reply may still arrive.
      for (const { reject } of [...busy.values(), ...waiting.splice(0)]) reject(new ServiceUnavailableError())
      await Promise.all(workers.map(worker => worker.terminate()))
    },
  }
}
