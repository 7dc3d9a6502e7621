import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/**
 * Lets concurrent callers of one key share a run. Each gets the answer of a run that began after its own call, so the
 * answer is never older than that of a separate run. A run begins in the next turn of the event loop, so that all calls
 * of this turn share it. Callers must not change the shared answer.
 */
export function shareRuns<T>(): (key: string, run: () => Promise<T>) => Promise<T> {
  const currentRuns = new Map<string, Promise<unknown>>()
  const nextRuns = new Map<string, Promise<T>>()

  const start = (key: string, run: () => Promise<T>): Promise<T> => {
    const answer = run().finally(() => {
      if (currentRuns.get(key) === answer) currentRuns.delete(key)
    })
    currentRuns.set(key, answer)
    return answer
  }

  return (key, run) => {
    const next = nextRuns.get(key)
    if (next) return next
    // The current run may have read already, so callers who arrive now share the next one.
    const startNext = () => {
      nextRuns.delete(key)
      return start(key, run)
    }
    const following = (currentRuns.get(key) ?? nextTurn()).then(startNext, startNext)
    nextRuns.set(key, following)
    return following
  }
}

/** Answers by key, which last for a while. */
type AnswerCache = {
  /** The cached answer, or that of `run`. Concurrent callers share one run; a failed one isn't cached. */
  get<T>(key: string, run: () => Promise<T>): Promise<T>
  /** Drops all, or those whose key begins with a prefix, runs in progress included. */
  clear(prefix?: string): void
}

/**
 * Caches answers.
 * @param options how many, and for how long in ms
 */
export function answerCache(options: { max: number; ttl: number }): AnswerCache {
  const cache = new LRUCache<string, Promise<unknown>>(options)
  return {
    get<T>(key: string, run: () => Promise<T>): Promise<T> {
      const cached = cache.get(key)
      if (cached) return cached as Promise<T>
      const answer = run()
      cache.set(key, answer)
      answer.catch(() => {
        if (cache.peek(key) === answer) cache.delete(key)
      })
      return answer
    },
    clear(prefix) {
      if (prefix === undefined) return cache.clear()
      for (const key of cache.keys()) if (key.startsWith(prefix)) cache.delete(key)
    },
  }
}
