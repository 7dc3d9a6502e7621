/** Polls for work until it is stopped. */
export type Poller = {
  /** Polls now, because this process has enqueued work. */
  wake(): void
  /** Ends after the running poll. */
  stop(): Promise<void>
}

export type PollerOptions = {
  /**
   * Polls once and does the work it finds.
   * @param isWoken whether `wake` was called since the last poll
   * @returns the longest time until the next poll, in ms: 0 when there may be more work; undefined when there was none
   */
  poll: (isWoken: boolean) => Promise<number | undefined>
  /**
   * Called with the error of a failed poll. The next poll comes `everyMs` later despite wakes, which would only fail
   * too.
   */
  failed: (error: unknown) => void
  /** Time between two polls while there is work, in ms. */
  everyMs: number
  /** Time between two polls when idle for a while (ten times `everyMs`). */
  idleMs?: number
}

/** Growth of the wait from one empty poll to the next. */
const growth = 2.5

/**
 * Polls a table for work. A process wakes its own poll when it leaves work there; polling finds the work of other
 * processes, or of crashed ones. Polls less often while idle, since empty polls are most of the load of an idle
 * platform.
 */
export function startPoller({ poll, failed, everyMs, idleMs = 10 * everyMs }: PollerOptions): Poller {
  let isStopped = false
  let woken = false
  let quietMs = everyMs
  let wakeUp = () => {}

  const pause = (ms: number, isWakeable: boolean) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      wakeUp = () => {
        if (!isWakeable && !isStopped) return
        clearTimeout(timer)
        resolve()
      }
      if (woken || isStopped) wakeUp()
    })

  const loop = async (): Promise<void> => {
    while (!isStopped) {
      const isWoken = woken
      woken = false
      try {
        const nextMs = await poll(isWoken)
        if (nextMs !== 0) await pause(nextMs ?? quietMs, true)
        quietMs = nextMs === undefined ? Math.min(idleMs, quietMs * growth) : everyMs
      } catch (error) {
        failed(error)
        quietMs = everyMs
        await pause(everyMs, false)
      }
    }
  }
  const loopEnd = loop()
  return {
    wake() {
      woken = true
      wakeUp()
    },
    async stop() {
      isStopped = true
      wakeUp()
      await loopEnd
    },
  }
}
