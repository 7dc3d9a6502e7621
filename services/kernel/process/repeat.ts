/** Work that a process repeats. */
export type RepeatedTask = {
  /** Runs it once more, after a run in progress. */
  run(): Promise<void>
  /** Ends the repetition and waits for the run in progress. */
  stop(): Promise<void>
}

/**
 * Runs `work` every `everyMs`, one run at a time: while one is in progress, none begins. The first comes after
 * `everyMs`; call `run` for an earlier one. It keeps no process alive.
 * @param onFailure called with the error of a failed run
 */
export function repeatEvery(
  everyMs: number,
  work: () => Promise<unknown>,
  onFailure: (error: unknown) => void = () => undefined,
): RepeatedTask {
  let last = Promise.resolve()
  let isRunning = false

  const attempt = async (): Promise<void> => {
    isRunning = true
    try {
      await work()
    } catch (error) {
      onFailure(error)
    } finally {
      isRunning = false
    }
  }
  const run = (): Promise<void> => (last = last.then(attempt))
  const timer = setInterval(() => {
    if (!isRunning) void run()
  }, everyMs)
  timer.unref()
  return {
    run,
    async stop() {
      clearInterval(timer)
      await last
    },
  }
}
