import { LRUCache } from 'lru-cache'

/** The rooms that a frame goes to. */
export type Audience = { readonly rooms: readonly string[]; has(room: string): boolean }

/** From so many rooms on an audience is expected to come again: the thousand members of a hotel, with each of its news. */
const wideFrom = 64
/** Rooms of all audiences that are remembered. */
const mostRooms = 100_000

export const isWide = ({ rooms }: Audience): boolean => rooms.length >= wideFrom

/** An audience of a few rooms. */
export const inRooms = (...rooms: string[]): Audience => ({ rooms, has: room => rooms.includes(room) })

/**
 * Makes audiences of lists of rooms. A wide one that came before is the same object again: its names are in memory
 * once, however many frames are kept for it, and who asks for a room in one frame has the answer for all of them.
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

/** Most frames are never looked for by room: the set is made for the first who asks. */
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
