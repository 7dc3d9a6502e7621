import { LRUCache } from 'lru-cache'

/*
 * Consecutive events often name the same thousand members. Equal lists become the same object, so that what is derived
 * from a list is derived once.
 */

/** For shorter lists a lookup costs more than it saves. */
const fewest = 64
/** Total length of all cached lists. */
const mostMembers = 200_000

/**
 * Caches lists of ids.
 * @param assertIds throws for an invalid list; cached lists are valid
 * @returns maps a list to its distinct ids: the same object for an equal list
 */
export function createCrowds(
  assertIds: (ids: readonly string[]) => void,
): (ids: readonly string[]) => readonly string[] {
  const known = new LRUCache<string, readonly string[]>({
    maxSize: mostMembers,
    sizeCalculation: ids => ids.length + 1,
  })
  return ids => {
    const names = ids.length < fewest ? undefined : ids.join('\n')
    const held = names === undefined ? undefined : known.get(names)
    if (held) return held
    assertIds(ids)
    const crowd = [...new Set(ids)]
    if (names !== undefined) known.set(names, crowd)
    return crowd
  }
}

/** Memoises a function per object, for the lifetime of the object. */
export function perObject<Key extends object, Made extends object | string>(make: (key: Key) => Made) {
  const made = new WeakMap<Key, Made>()
  return (key: Key): Made => {
    const held = made.get(key)
    if (held !== undefined) return held
    const one = make(key)
    made.set(key, one)
    return one
  }
}
