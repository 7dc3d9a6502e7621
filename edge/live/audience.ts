import { LRUCache } from 'lru-cache'

/** The rooms that a frame is sent to. */
export type Audience = { readonly rooms: readonly string[]; has(room: string): boolean }

/** From this size on an audience is likely to recur, such as all members of a hotel. */
const wideFrom = 64
/** Maximum of rooms over all cached audiences. */
const mostRooms = 100_000

export const isWide = ({ rooms }: Audience): boolean => rooms.length >= wideFrom

/** An audience of a few rooms. */
export const inRooms = (...rooms: string[]): Audience => ({ rooms, has: room => rooms.includes(room) })

/**
 * Creates audiences from lists of rooms. A recurring wide one is the same object: its names are in memory once, and one
 * lookup of a room serves all its frames.
 */
export function createAudiences(): (rooms: readonly string[]) => Audience {
  const known = new LRUCache<string, Audience>({ maxSize: mostRooms, sizeCalculation: ({ rooms }) => rooms.length })
  return rooms => {
    if (rooms.length < wideFrom) return inRooms(...rooms)
    const names = rooms.join('\n')
    const held = known.get(names)
    if (held) return held
    const audience = wideAudience(rooms)
    known.set(names, audience)
    return audience
  }
}

/** Most frames are never looked up by room, so the set is built on first use. */
function wideAudience(rooms: readonly string[]): Audience {
  let names: ReadonlySet<string> | undefined
  return {
    rooms,
    has(room) {
      names ??= new Set(rooms)
      return names.has(room)
    },
  }
}
