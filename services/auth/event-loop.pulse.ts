import { Worker } from 'node:worker_threads'
import type { Switch } from './event-loop.realtime.ts'

/**
 * So many threads that wake for nothing every two milliseconds while they are on. Whenever a thread wakes, the kernel looks
 * anew at who should run there, and finds whoever stands behind a hash, the database's threads as well: half a tick
 * before it would look by itself.
 */
export function pulse(count: number): Switch {
  const state = new Int32Array(new SharedArrayBuffer(8))
  let threads: Worker[] | undefined
  const begin = () =>
    Array.from({ length: count }, () => {
      const thread = new Worker(new URL('./event-loop.worker.ts', import.meta.url), { workerData: state })
      // One that cannot live is missed by nobody.
      thread.on('error', () => undefined)
      thread.unref()
      return thread
    })
  return {
    on() {
      threads ??= begin()
      Atomics.store(state, 0, 1)
      Atomics.notify(state, 0)
    },
    off() {
      Atomics.store(state, 0, 0)
    },
    stop() {
      threads ??= []
      for (const thread of threads) void thread.terminate()
    },
  }
}
