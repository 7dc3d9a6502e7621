import { availableParallelism } from 'node:os'
import type { Log } from '../kernel/log.ts'
import { pulse } from './event-loop.pulse.ts'
import { realtimeEventLoop } from './event-loop.realtime.ts'

export type EventLoopPriority = {
  /** From now on, and until `lingerMs` after the last call, the event loop goes before hashes. */
  raise(): void
  stop(): void
}

/**
 * Lets the event loop go before hashes that take every core. On Linux it otherwise stands behind one whenever it was woken
 * early, until the kernel's next tick, whatever its niceness: 4 ms with most kernels, several times in an answer.
 */
export function eventLoopPriority(log: Log, { lingerMs = 2_000 } = {}): EventLoopPriority {
  if (process.platform !== 'linux') return { raise: () => undefined, stop: () => undefined }
  const means = [realtimeEventLoop(log), pulse(availableParallelism())]
  let until = 0
  let timer: NodeJS.Timeout | undefined

  const wait = (ms: number): void => {
    timer = setTimeout(lower, ms).unref()
  }
  const lower = (): void => {
    const left = until - performance.now()
    if (left > 0) return wait(left)
    timer = undefined
    for (const one of means) one.off()
  }
  return {
    raise() {
      until = performance.now() + lingerMs
      if (timer) return
      for (const one of means) one.on()
      wait(lingerMs)
    },
    stop() {
      clearTimeout(timer)
      for (const one of means) one.stop()
    },
  }
}
