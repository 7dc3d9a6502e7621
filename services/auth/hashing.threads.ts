import { Worker } from 'node:worker_threads'
import { ServiceUnavailableError } from '../kernel/errors.ts'
import type { Task } from './hashing.worker.ts'

type Waiting = { task: Task; resolve(answer: string | boolean): void; reject(error: unknown): void }

export type Threads = {
  /** What a thread answers to the task. ServiceUnavailableError when too many wait, or when its thread died. */
  run(task: Task): Promise<string | boolean>
  stop(): Promise<void>
}

/**
 * So many threads of their own for hashing, each at one task at a time, while `queue` more may wait in line. They are
 * not those of Node's pool, in which file and network calls would wait behind them.
 */
export function startThreads(count: number, queue: number): Threads {
  const waiting: Waiting[] = []
  const idle: Worker[] = []
  const busy = new Map<Worker, Waiting>()
  let stopped = false

  const start = (): void => {
    const worker = new Worker(new URL('./hashing.worker.ts', import.meta.url))
    // An idle thread keeps no process alive; one at work does.
    worker.unref()
    worker.on('message', (answer: string | boolean) => {
      const done = busy.get(worker)
      release(worker)
      done?.resolve(answer)
    })
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      const at = idle.indexOf(worker)
      if (at >= 0) idle.splice(at, 1)
      busy.get(worker)?.reject(new ServiceUnavailableError())
      busy.delete(worker)
      if (!stopped) start()
    })
    idle.push(worker)
  }

  const give = (worker: Worker, one: Waiting): void => {
    busy.set(worker, one)
    worker.ref()
    worker.postMessage(one.task)
  }
  const release = (worker: Worker): void => {
    busy.delete(worker)
    const next = waiting.shift()
    if (next) return give(worker, next)
    worker.unref()
    idle.push(worker)
  }

  for (let n = 0; n < count; n++) start()
  return {
    run(task) {
      return new Promise((resolve, reject) => {
        const one = { task, resolve, reject }
        const worker = idle.pop()
        if (worker) return give(worker, one)
        if (waiting.length >= queue || stopped)
          return reject(new ServiceUnavailableError(undefined, { retryAfterSeconds: 2 }))
        waiting.push(one)
      })
    },
    async stop() {
      stopped = true
      await Promise.all([...idle, ...busy.keys()].map(worker => worker.terminate()))
      for (const { reject } of waiting.splice(0)) reject(new ServiceUnavailableError())
    },
  }
}
