import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Fires at random moments, `perSecond` on average, whatever the answers take: as many people as there are, each on
 * their own.
 * @param fire gets the moment at which it was due, from which its time counts; of `performance.now()`
 */
export async function openLoop(perSecond: number, seconds: number, fire: (dueAt: number) => void): Promise<void> {
  const began = performance.now()
  const end = began + seconds * 1_000
  // Times between independent people are distributed exponentially.
  const gap = () => (-Math.log(1 - Math.random()) / perSecond) * 1_000
  for (let dueAt = began + gap(); dueAt < end; dueAt += gap()) {
    const wait = dueAt - performance.now()
    if (wait > 0) await sleep(wait)
    fire(dueAt)
  }
}
