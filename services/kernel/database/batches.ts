import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'

type QueuedItem<Item, Result> = {
  item: Item
  /** Runs a function within the trace and request of the item. */
  inContext: <Value>(run: () => Value) => Value
  resolve(result: Result): void
  reject(error: unknown): void
}

type Options<Item> = {
  /** Items of one write. */
  maxItems: number
  /** Whether a failed batch is written item by item, so that each gets its own error. By default always. */
  splitsOn?: (error: unknown) => boolean
  /** What a batch waits for while further items join it; by default for this turn of the event loop. */
  gather?: (first: Item) => Promise<unknown>
}

/**
 * Groups writes by key: items that arrive while a write of their key runs are stored together by the next one, so that
 * they share a transaction under load, within the trace of the first one.
 * @param write stores all items or none, and returns their results in the same order
 */
export function inBatches<Key, Item, Result>(
  write: (items: Item[], key: Key) => Promise<Result[]>,
  { maxItems, splitsOn = () => true, gather = nextTurn }: Options<Item>,
): (key: Key, item: Item) => Promise<Result> {
  const queues = new Map<Key, QueuedItem<Item, Result>[]>()

  const settle = async (key: Key, batch: QueuedItem<Item, Result>[]): Promise<void> => {
    const items = batch.map(({ item }) => item)
    const [first] = batch
    if (!first) return
    try {
      const results = await first.inContext(() => write(items, key))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      if (batch.length > 1 && splitsOn(error)) for (const one of batch) await settle(key, [one])
      else for (const { reject } of batch) reject(error)
    }
  }

  const drain = async (key: Key, queue: QueuedItem<Item, Result>[]): Promise<void> => {
    for (let first = queue[0]; first; first = queue[0]) {
      await gather(first.item).catch(() => undefined)
      await settle(key, queue.splice(0, maxItems))
    }
    queues.delete(key)
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const one = { item, inContext: AsyncLocalStorage.snapshot(), resolve, reject }
      const queue = queues.get(key)
      if (queue) return void queue.push(one)
      const firstBatch = [one]
      queues.set(key, firstBatch)
      void drain(key, firstBatch)
    })
}
