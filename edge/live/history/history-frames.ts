import { type FrameAudience, isWide } from '../audience.ts'
import type { SocketLimits } from '../sockets/limits.ts'

/** A stored room frame: its place in the stream is the same on every edge process. */
export type HistoryEntry = {
  sequence: number
  /** When the broker stored it, in the form used in offsets. */
  stamp: string
  audience: FrameAudience
  event: string
  /** The frame's JSON. */
  text: string
  /** Milliseconds since 1970. */
  storedAtMs: number
}

type Bounds = Pick<SocketLimits, 'historyFrames' | 'historyBytes'>

/** How many dropped places may stay at the front of the list before it is copied. */
const maxDroppedPlaces = 1_024
/** Overhead of a frame, or of a room's name, beside its text. */
const overheadBytes = 64

/**
 * The last frames of every room: `historyFrames` per room of each kind, `historyBytes` in total. Frames for many rooms
 * are in one list, which is scanned when a client returns: adding each frame to a thousand rooms would cost far more.
 */
export function createFrames({ historyFrames, historyBytes }: Bounds) {
  const narrow = narrowFrames(historyFrames)
  const wide = wideFrames(historyFrames)
  /** All frames in stream order; the first `droppedPlaces` places are of dropped ones. */
  let entries: HistoryEntry[] = []
  let droppedPlaces = 0
  let ownBytes = 0

  const bytes = (): number => ownBytes + wide.nameBytes()
  const sizeOf = ({ text }: HistoryEntry): number => text.length + overheadBytes
  const dropOldest = (entry: HistoryEntry): void => {
    droppedPlaces++
    ownBytes -= sizeOf(entry)
    if (isWide(entry.audience)) wide.dropOldest(entry)
    else narrow.dropOldest(entry)
    if (droppedPlaces < maxDroppedPlaces || droppedPlaces * 2 < entries.length) return
    entries = entries.slice(droppedPlaces)
    wide.shrink(entry.sequence)
    droppedPlaces = 0
  }

  return {
    add(entry: HistoryEntry): void {
      entries.push(entry)
      ownBytes += sizeOf(entry)
      if (isWide(entry.audience)) wide.add(entry)
      else narrow.add(entry)
    },

    /**
     * Drops frames older than a moment, or above the limits.
     * @returns the place of the last dropped frame, if any
     */
    expire(oldest: number): number | undefined {
      let lastDropped: number | undefined
      for (
        let entry = entries[droppedPlaces];
        entry && (entry.storedAtMs < oldest || bytes() > historyBytes);
        entry = entries[droppedPlaces]
      ) {
        dropOldest(entry)
        lastDropped = entry.sequence
      }
      return lastDropped
    },

    /** Frames of the rooms after a place, oldest first; undefined when some of them were dropped. */
    after(rooms: readonly string[], place: number): HistoryEntry[] | undefined {
      const wideEntries = wide.after(rooms, place)
      const narrowEntries = wideEntries && narrow.after(rooms, place)
      // A frame of two rooms appears once.
      return (
        narrowEntries &&
        [...new Set([...wideEntries, ...narrowEntries])].sort((first, second) => first.sequence - second.sequence)
      )
    },

    /** When the frame of a place was stored; undefined when it isn't kept. */
    stampAt(place: number): string | undefined {
      const entry = entries[firstAfter(entries, place - 1)]
      return entry?.sequence === place ? entry.stamp : undefined
    },

    clear(): void {
      narrow.clear()
      wide.clear()
      entries = []
      droppedPlaces = 0
      ownBytes = 0
    },

    stats: () => ({ frames: entries.length - droppedPlaces, bytes: bytes(), rooms: narrow.rooms() }),
  }
}

/** `floor`: all later frames of the room are among the entries. */
type Room = { entries: HistoryEntry[]; floor: number }

/** Frames for few rooms, entered under each of them. */
function narrowFrames(perRoom: number) {
  const rooms = new Map<string, Room>()
  const addToRoom = (name: string, entry: HistoryEntry): void => {
    const room = rooms.get(name)
    if (!room) {
      rooms.set(name, { entries: [entry], floor: 0 })
      return
    }
    room.entries.push(entry)
    if (room.entries.length > perRoom) room.floor = room.entries.shift()?.sequence ?? 0
  }
  return {
    add(entry: HistoryEntry): void {
      for (const name of entry.audience.rooms) addToRoom(name, entry)
    },
    dropOldest(entry: HistoryEntry): void {
      for (const name of entry.audience.rooms) {
        const room = rooms.get(name)
        if (room?.entries[0] === entry) room.entries.shift()
        if (room?.entries.length === 0) rooms.delete(name)
      }
    },
    after(names: readonly string[], place: number): HistoryEntry[] | undefined {
      const laterEntries: HistoryEntry[] = []
      for (const name of names) {
        const room = rooms.get(name)
        if (!room) continue
        if (place < room.floor) return undefined
        for (const entry of room.entries.slice(firstAfter(room.entries, place))) laterEntries.push(entry)
      }
      return laterEntries
    },
    clear: () => rooms.clear(),
    rooms: () => rooms.size,
  }
}

/** Frames for many rooms, in one list. */
function wideFrames(perRoom: number) {
  let entries: HistoryEntry[] = []
  const frameCounts = new Map<FrameAudience, number>()
  /** The names of an audience count once, from the first of its stored frames until the last is dropped. */
  let nameBytes = 0
  const sizeOfNames = ({ rooms }: FrameAudience): number => rooms.length * overheadBytes
  return {
    add(entry: HistoryEntry): void {
      const { audience } = entry
      entries.push(entry)
      const frames = frameCounts.get(audience) ?? 0
      if (frames === 0) nameBytes += sizeOfNames(audience)
      frameCounts.set(audience, frames + 1)
    },
    /** Removes a frame from the counts; `shrink` removes its place in the list. */
    dropOldest({ audience }: HistoryEntry): void {
      const frames = frameCounts.get(audience) ?? 0
      if (frames > 1) {
        frameCounts.set(audience, frames - 1)
        return
      }
      frameCounts.delete(audience)
      nameBytes -= sizeOfNames(audience)
    },
    shrink(place: number): void {
      entries = entries.slice(firstAfter(entries, place))
    },
    after(names: readonly string[], place: number): HistoryEntry[] | undefined {
      const matchesByAudience = new Map<FrameAudience, string[]>()
      const counts = new Map<string, number>()
      const laterEntries: HistoryEntry[] = []
      for (let i = firstAfter(entries, place); i < entries.length; i++) {
        const entry = entries[i] as HistoryEntry
        let matchingNames = matchesByAudience.get(entry.audience)
        if (!matchingNames)
          matchesByAudience.set(entry.audience, (matchingNames = names.filter(name => entry.audience.has(name))))
        if (matchingNames.length > 0) laterEntries.push(entry)
        for (const name of matchingNames) {
          const count = (counts.get(name) ?? 0) + 1
          if (count > perRoom) return undefined
          counts.set(name, count)
        }
      }
      return laterEntries
    },
    clear(): void {
      entries = []
      frameCounts.clear()
      nameBytes = 0
    },
    nameBytes: () => nameBytes,
  }
}

/** Index of the first entry after a place; entries are in stream order. */
function firstAfter(entries: readonly HistoryEntry[], place: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.sequence ?? 0) <= place) low = middle + 1
    else high = middle
  }
  return low
}
