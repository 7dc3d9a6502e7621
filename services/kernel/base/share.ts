/**
 * Answers many identical questions of one moment with one run. A caller gets the answer of a
 * run that began after the question came: never an older one than a run of its own would give.
 * So a whole hotel may open its news at once, after a push, for the price of two statements.
 * Answers are shared: whoever gets one must not change it.
 */
export function shared<T>(): (key: string, run: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  const waiting = new Map<string, Promise<T>>()

  const start = (key: string, run: () => Promise<T>): Promise<T> => {
    const answer = run().finally(() => {
      if (running.get(key) === answer) running.delete(key)
    })
    running.set(key, answer)
    return answer
  }

  return (key, run) => {
    const next = waiting.get(key)
    if (next) return next
    const current = running.get(key)
    if (!current) return start(key, run)
    // The run under way may have looked already; those who come now wait for it and share the one after.
    const over = () => {
      waiting.delete(key)
      return start(key, run)
    }
    const following = current.then(over, over)
    waiting.set(key, following)
    return following
  }
}
