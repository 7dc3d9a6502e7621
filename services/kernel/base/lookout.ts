/** Looks for work until it is stopped. */
export type Lookout = {
  /** Looks at once: this process has left something. */
  wake(): void
  /** Ends after the look that is under way. */
  stop(): Promise<void>
}

export type LookoutOptions = {
  /**
   * Looks once, and does what it finds.
   * @returns in how many ms to look again at the latest: 0 when there may be more; undefined when nothing was there
   */
  look: () => Promise<number | undefined>
  /** Told of what a look threw. The next one is `everyMs` later, for all wakes: each would be another failure. */
  failed: (error: unknown) => void
  /** The time between two looks while there is something, in ms. */
  everyMs: number
  /** And when nothing has been there for a while (five times that). */
  seldomMs?: number
}

/** How much longer each wait is than the one before, while nothing is there. */
const growth = 1.5

/**
 * Looks for what waits in a table. Who leaves something there in this process wakes it; what other processes left, or
 * died on, is found by looking now and then. Nearly all of those looks are for nothing, and many of them together are
 * what an idle platform costs: the longer nothing is there, the seldomer it looks.
 */
export function startLookout({ look, failed, everyMs, seldomMs = 5 * everyMs }: LookoutOptions): Lookout {
  let stopped = false
  let woken = false
  let quietMs = everyMs
  let rouse = () => {}

  const pause = (ms: number, isWakeable: boolean) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      rouse = () => {
        if (!isWakeable && !stopped) return
        clearTimeout(timer)
        resolve()
      }
      if (woken || stopped) rouse()
    })

  const loop = async (): Promise<void> => {
    while (!stopped) {
      woken = false
      try {
        const again = await look()
        if (again === 0) continue
        await pause(again ?? quietMs, true)
        quietMs = again === undefined ? Math.min(seldomMs, quietMs * growth) : everyMs
      } catch (error) {
        failed(error)
        quietMs = everyMs
        await pause(everyMs, false)
      }
    }
  }
  const done = loop()
  return {
    wake() {
      woken = true
      rouse()
    },
    async stop() {
      stopped = true
      rouse()
      await done
    },
  }
}
