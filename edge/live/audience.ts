import { memoizeByList, minMemoLength } from '../../services/kernel/base/memo.ts'

/** The rooms that a frame is sent to. */
export type FrameAudience = { readonly rooms: readonly string[]; has(room: string): boolean }

/** Maximum of rooms over all cached audiences. */
const maxRooms = 100_000

/** Whether an audience is likely to recur, such as all members of a hotel. */
export const isWide = ({ rooms }: FrameAudience): boolean => rooms.length >= minMemoLength

/** An audience of a few rooms. */
export const inRooms = (...rooms: string[]): FrameAudience => ({ rooms, has: room => rooms.includes(room) })

/**
 * Creates audiences from lists of rooms. A recurring wide one is the same object: its names are in memory once, and one
 * lookup of a room serves all its frames.
 */
export const createAudiences = () =>
  memoizeByList(rooms => (rooms.length < minMemoLength ? inRooms(...rooms) : wideAudience(rooms)), maxRooms)

/** Most frames are never looked up by room, so the set is built on first use. */
function wideAudience(rooms: readonly string[]): FrameAudience {
  let names: ReadonlySet<string> | undefined
  return {
    rooms,
    has(room) {
      names ??= new Set(rooms)
      return names.has(room)
    },
  }
}
