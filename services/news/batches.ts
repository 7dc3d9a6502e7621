import { toPlatformError } from '../kernel/base/errors.ts'

type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void }

/**
 * Groups writes by key: items that arrive while a write of their key runs are stored together by the next one, so that
 * they share a transaction under load and none waits otherwise. When a batch is refused, its items are written one by
 * one, so that each gets its own error.
 * @param write stores all items or none, and returns their results in the same order
 */
export function inBatches<Item, Result>(
  write: (items: Item[]) => Promise<Result[]>,
  most: number,
): (key: string, item: Item) => Promise<Result> {
  const lanes = new Map<string, Waiting<Item, Result>[]>()

  const settle = async (batch: Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await write(batch.map(({ item }) => item))
      for (const [at, result] of results.entries()) batch[at]?.resolve(result)
    } catch (error) {
      // A database failure (5xx) hits single items too; only refusals are worth writing one by one.
      const isRefusal = toPlatformError(error).info.status < 500
      if (isRefusal && batch.length > 1) for (const one of batch) await settle([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  const drain = async (key: string, lane: Waiting<Item, Result>[]): Promise<void> => {
    while (lane.length > 0) await settle(lane.splice(0, most))
    lanes.delete(key)
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const one = { item, resolve, reject }
      const lane = lanes.get(key)
      if (lane) return void lane.push(one)
      const begun = [one]
      lanes.set(key, begun)
      void drain(key, begun)
    })
}
