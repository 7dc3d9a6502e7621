import { setTimeout as sleep } from 'node:timers/promises'

/** A handler that hangs must not keep everything else waiting for a suspect. */
const DRAIN_MS = 30_000

let busy = 0
let closed: Promise<void> | undefined
let drained = () => {}
let queue: Promise<unknown> = Promise.resolve()

/** Runs beside any number of others in this process, but not while a suspect runs alone. */
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
 * Runs while no other handler of this process does: if the process dies now, `work` is to blame and not a neighbour.
 * Consumers share the lane, for they share the process.
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
