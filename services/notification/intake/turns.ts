/** A place in the line of those who work on one thing. */
export type Turn = { come: Promise<unknown>; done(): void }

/**
 * Lets what concerns one thing happen in the order in which it was asked for, beside everything else.
 * @returns gives the next turn on a key; whoever has it must call `done`, whatever came of the work
 */
export function turns(): (key: string) => Turn {
  const last = new Map<string, Promise<unknown>>()
  return key => {
    const come = last.get(key) ?? Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = come.then(() => promise)
    last.set(key, end)
    void end.then(() => {
      if (last.get(key) === end) last.delete(key)
    })
    return { come, done: resolve }
  }
}
