import { LRUCache } from 'lru-cache'

/*
 * Consecutive events and frames name the same thousand members. `memoizeByList` makes equal lists one object, and `memoizeByObject`
 * derives from it once: checked ids, receivers, rooms, statements. Without both, an event to 1,000 receivers takes
 * about 1.5 times as long (`npm run bench -- events --quick`). The plain form calls `make` each time.
 */

/** For shorter lists a lookup costs more than it saves. */
export const minMemoLength = 64

/**
 * Memoises a value derived from a list of names while the list recurs. For lists shorter than `shortestKept` it is
 * derived each time.
 * @param make throws for an invalid list, which isn't kept
 * @param most total length of all kept lists
 */
export function memoizeByList<Made extends object>(
  make: (names: readonly string[]) => Made,
  most: number,
): (names: readonly string[]) => Made {
  const known = new LRUCache<string, { made: Made; length: number }>({
    maxSize: most,
    sizeCalculation: ({ length }) => length,
  })
  return names => {
    if (names.length < minMemoLength) return make(names)
    const key = names.join('\n')
    const held = known.get(key)
    if (held) return held.made
    const made = make(names)
    known.set(key, { made, length: names.length })
    return made
  }
}

/** Memoises a function per object, for the lifetime of the object. */
export function memoizeByObject<Key extends object, Made extends NonNullable<unknown>>(
  make: (key: Key) => Made,
): (key: Key) => Made {
  const made = new WeakMap<Key, Made>()
  return key => {
    const held = made.get(key)
    if (held !== undefined) return held
    const one = make(key)
    made.set(key, one)
    return one
  }
}
