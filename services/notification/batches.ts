/** Collects jobs and runs all waiting ones as one batch, so that many events share a commit. */
export type Batches<Job, Result> = { put(job: Job): Promise<Result> }

type Waiting<Job, Result> = { job: Job; resolve(result: Result): void; reject(error: unknown): void }

/**
 * Runs `runBatch` on waiting jobs, in up to `lanes` parallel batches of at most `size` jobs. When a batch fails, its
 * jobs run one by one, so that a bad job fails alone.
 * @param runBatch gets its lane, from 1; a lane runs one batch at a time
 * @param keyOf jobs with the same key never share a batch
 */
export function batches<Job, Result>(
  runBatch: (jobs: readonly Job[], lane: number) => Promise<Result[]>,
  { lanes, size, keyOf }: { lanes: number; size: number; keyOf(job: Job): string },
): Batches<Job, Result> {
  const waiting: Waiting<Job, Result>[] = []
  const free = Array.from({ length: lanes }, (_, index) => lanes - index)

  const take = (): Waiting<Job, Result>[] => {
    const taken: Waiting<Job, Result>[] = []
    const left: Waiting<Job, Result>[] = []
    const keys = new Set<string>()
    for (const each of waiting.splice(0)) {
      const key = keyOf(each.job)
      if (taken.length < size && !keys.has(key)) taken.push(each)
      else left.push(each)
      keys.add(key)
    }
    waiting.push(...left)
    return taken
  }

  const run = async (batch: readonly Waiting<Job, Result>[], lane: number): Promise<void> => {
    try {
      const results = await runBatch(
        batch.map(each => each.job),
        lane,
      )
      for (const [i, each] of batch.entries()) each.resolve(results[i] as Result)
    } catch (error) {
      const [only] = batch
      if (batch.length === 1) only?.reject(error)
      else for (const each of batch) await run([each], lane)
    }
  }

  const work = async (lane: number): Promise<void> => {
    // Jobs put in this turn of the event loop join the batch.
    await new Promise(resolve => setImmediate(resolve))
    while (waiting.length > 0) await run(take(), lane)
    free.push(lane)
  }

  return {
    put: job =>
      new Promise<Result>((resolve, reject) => {
        waiting.push({ job, resolve, reject })
        const lane = free.pop()
        if (lane !== undefined) void work(lane)
      }),
  }
}
