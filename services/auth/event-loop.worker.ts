import { workerData } from 'node:worker_threads'

/** First whether to wake all the time, then what nobody ever changes. */
const state: Int32Array = workerData
const everyMs = 2

for (;;) {
  Atomics.wait(state, 0, 0)
  Atomics.wait(state, 1, 0, everyMs)
}
