import { LRUCache } from 'lru-cache'

/*
 * Consecutive frames name the same thousand rooms, so `memoizeByList` derives from such a list once
 * (`npm run bench -- live`). The plain form calls `make` each time.
 */

/** For shorter lists a lookup costs more than it saves. */
export const minMemoLength = 64

/**
 * Memoises a value derived from a list of names while the list recurs. For lists shorter than `minMemoLength` it is
 * derived each time.
 * @param make throws for an invalid list, which isn't kept
 * @param maxLength total length of all kept lists
 */
export function memoizeByList<Made extends object>(
  make: (names: readonly string[]) => Made,
  maxLength: number,
): (names: readonly string[]) => Made {
  const cache = new LRUCache<string, { made: Made; length: number }>({
    maxSize: maxLength,
    sizeCalculation: ({ length }) => length,
  })
  return names => {
    if (names.length < minMemoLength) return make(names)
    const key = names.join('\n')
    const entry = cache.get(key)
    if (entry) return entry.made
    const value = make(names)
    cache.set(key, { made: value, length: names.length })
    return value
  }
}

/** Memoises a function per object, for the lifetime of the object. */
export function memoizeByObject<Key extends object, Made extends NonNullable<unknown>>(
  make: (key: Key) => Made,
): (key: Key) => Made {
  const values = new WeakMap<Key, Made>()
  return key => {
    const value = values.get(key)
    if (value !== undefined) return value
    const one = make(key)
    values.set(key, one)
    return one
  }
}
