const isObject = value => typeof value === 'object' && value !== null

/** Merges two bodies at any depth; the later one takes precedence. */
const merged = (before, later) => {
  const both = { ...before, ...later }
  for (const key of Object.keys(later ?? {}))
    if (isObject(before?.[key]) && isObject(later[key])) both[key] = merged(before[key], later[key])
  return both
}

/**
 * Sends calls one after another, each once the previous one is answered.
 * @param call as in calls.js
 */
export function createLine(call) {
  let last = Promise.resolve()
  const waiting = new Set()
  const inTurn = act => {
    const done = last.then(act)
    last = done.catch(() => undefined)
    return done
  }
  return {
    inTurn,
    /** @param body builds the body at the time of sending, from the results of earlier calls */
    send(method, to, body) {
      const one = { method, to, body, sent: undefined }
      waiting.add(one)
      return inTurn(() => {
        waiting.delete(one)
        return one.sent ?? call(method, to, body())
      })
    },
    /** The page may end now: pending calls are sent at once, merged into one per address. */
    hurry() {
      const calls = new Map()
      for (const { method, to, body } of waiting) {
        const before = calls.get(to)
        const isAdded = method === 'PATCH' && before?.method === method
        calls.set(to, { method, body: isAdded ? merged(before.body, body()) : body() })
      }
      const sent = new Map([...calls].map(([to, { method, body }]) => [to, call(method, to, body)]))
      for (const one of waiting) {
        one.sent = sent.get(one.to)
        // It may never be sent.
        one.sent.catch(() => undefined)
      }
      waiting.clear()
    },
  }
}
