const isObject = value => typeof value === 'object' && value !== null

/** What the later body names wins, at any depth; all else of the earlier one stays. */
const merged = (before, later) => {
  const both = { ...before, ...later }
  for (const key of Object.keys(later ?? {}))
    if (isObject(before?.[key]) && isObject(later[key])) both[key] = merged(before[key], later[key])
  return both
}

/**
 * Calls that follow one another: each is made when the one before it is answered.
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
    /** @param body makes what is sent, when it is sent: of what the calls before it have left */
    send(method, to, body) {
      const one = { method, to, body, sent: undefined }
      waiting.add(one)
      return inTurn(() => {
        waiting.delete(one)
        return one.sent ?? call(method, to, body())
      })
    },
    /** The page may end now: what waits is sent at once, one call for each address, where the last word counts. */
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
        // Its turn may never come.
        one.sent.catch(() => undefined)
      }
      waiting.clear()
    },
  }
}
