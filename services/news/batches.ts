import { toPlatformError } from '../kernel/base/errors.ts'

type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void }

/**
 * Writes in one go what comes for one key while others of that key are being written: under load many share a
 * transaction, and nobody waits for company. Where a batch is refused its items are written one by one, so that each is
 * refused for reasons of its own.
 * @param write stores the items, all or none, and gives their results in the same order
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
      // What the database cannot do for the batch it cannot do for each of them either.
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
