import { Worker } from 'node:worker_threads'
import { ServiceUnavailableError } from '../../kernel/base/errors.ts'
import type { Task } from './worker.ts'

type PendingTask = { task: Task; resolve(answer: string | boolean): void; reject(error: unknown): void }

type Threads = {
  /** The thread's answer to the task. ServiceUnavailableError when the queue is full or the thread died. */
  run(task: Task): Promise<string | boolean>
  stop(): Promise<void>
}

/**
 * `count` threads for hashing, each with one task at a time, while `queue` more may wait. Not Node's thread pool, where
 * file and network calls would wait behind them.
 */
export function startThreads(count: number, queue: number): Threads {
  const queuedTasks: PendingTask[] = []
  const idle: Worker[] = []
  const taskByWorker = new Map<Worker, PendingTask>()
  let isStopped = false

  /** Threads start on demand: one that crashes at start fails only its task, without a restart loop. */
  const start = (): Worker => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url))
    worker.on('message', (answer: string | boolean) => {
      const finishedTask = taskByWorker.get(worker)
      taskByWorker.delete(worker)
      const next = queuedTasks.shift()
      if (next) assign(worker, next)
      else if (!isStopped) release(worker)
      finishedTask?.resolve(answer)
    })
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      const index = idle.indexOf(worker)
      if (index >= 0) idle.splice(index, 1)
      taskByWorker.get(worker)?.reject(new ServiceUnavailableError())
      taskByWorker.delete(worker)
      const next = isStopped ? undefined : queuedTasks.shift()
      if (next) assign(start(), next)
    })
    return worker
  }
  const assign = (worker: Worker, pending: PendingTask): void => {
    taskByWorker.set(worker, pending)
    worker.ref()
    worker.postMessage(pending.task)
  }
  /** An idle thread must not keep the process alive. */
  const release = (worker: Worker): void => {
    worker.unref()
    idle.push(worker)
  }

  return {
    run(task) {
      return new Promise((resolve, reject) => {
        const pending = { task, resolve, reject }
        const worker = idle.pop() ?? (taskByWorker.size < count && !isStopped ? start() : undefined)
        if (worker) assign(worker, pending)
        else if (queuedTasks.length < queue && !isStopped) queuedTasks.push(pending)
        else reject(new ServiceUnavailableError(undefined, { retryAfterSeconds: 2 }))
      })
    },
    async stop() {
      isStopped = true
      const workers = [...idle, ...taskByWorker.keys()]
      // Reject before terminating: a reply may still arrive.
      for (const { reject } of [...taskByWorker.values(), ...queuedTasks.splice(0)])
        reject(new ServiceUnavailableError())
      await Promise.all(workers.map(worker => worker.terminate()))
    },
  }
}
