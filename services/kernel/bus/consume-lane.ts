import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Limit of the wait for running handlers, in ms: one that hangs must not block the suspect and everything behind it.
 */
const DRAIN_MS = 30_000

let busy = 0
let closed: Promise<void> | undefined
let drained = () => {}
let queue: Promise<unknown> = Promise.resolve()

/** Runs concurrently with other handlers of this process, but not while a suspect runs alone. */
export async function together<R>(work: () => Promise<R>): Promise<R> {
  while (closed) await closed
  busy++
  try {
    return await work()
  } finally {
    busy--
    if (busy === 0) drained()
  }
}

/**
 * Runs while no other handler of this process does: if the process dies, `work` is to blame. All consumers share the
 * lane, because they share the process.
 */
export function alone<R>(work: () => Promise<R>): Promise<R> {
  const turn = queue.then(async () => {
    let open = () => {}
    closed = new Promise(resolve => (open = resolve))
    try {
      if (busy > 0) {
        const empty = new Promise<void>(resolve => (drained = resolve))
        await Promise.race([empty, sleep(DRAIN_MS, undefined, { ref: false })])
      }
      return await work()
    } finally {
      closed = undefined
      open()
    }
  })
  queue = turn.catch(() => {})
  return turn
}
