import { LRUCache } from 'lru-cache'

/*
 * An event names the thousand members of a workspace, and so does the next one. Here the same list is the same object,
 * and what was made of it is made once.
 */

/** Shorter lists are done before they are looked up. */
const fewest = 64
/** Members of all lists that are remembered. */
const mostMembers = 200_000

/**
 * Remembers lists of ids. @returns gives for a list its ids, each once; the same object for a list that came before
 * @param assertIds throws for a list that is not acceptable; what came before has passed
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

/** Makes something of an object, once for each object and for as long as that lives. */
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
