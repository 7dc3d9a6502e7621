import type { StreamEnd } from '../../services/kernel/bus.ts'
import type { JsonObject } from '../../services/kernel/json/encode.ts'
import { type Audience, isWide } from './audience.ts'
import type { Limits } from './limits.ts'

/** A room frame as it was stored: its place in the stream is the same on every edge process. */
export type Entry = {
  sequence: number
  audience: Audience
  event: string
  /** The frame's JSON without the closing brace. */
  text: string
  /** Milliseconds since 1970. */
  at: number
}

/** `floor`: everything said in the room after it is among the entries. */
type Room = { entries: Entry[]; floor: number }

/** What was said in rooms lately, for clients that come back. Offsets are opaque texts to them. */
export type History = ReturnType<typeof createHistory>

/** What is said to rooms. */
type Said = { audience: Audience; event: string; data: JsonObject }

type Bounds = Pick<Limits, 'historyMs' | 'historyFrames' | 'historyBytes' | 'settleMs'>

const spare = 1_024

/**
 * The last frames of every room: `historyFrames` of each, none older than `historyMs`, `historyBytes` of all. Frames for
 * many rooms are kept by themselves and looked through when somebody comes back: entering each under a thousand rooms
 * cost more than all else that is done for it.
 * An offset says how far a client has everything, over all rooms; it names the stream as well, so that one of a
 * stream that was lost and begun anew is not mistaken.
 */
export function createHistory(bounds: Bounds, now = Date.now) {
  const rooms = new Map<string, Room>()
  const waiting = new Set<() => void>()
  let entries: Entry[] = []
  /** Those of them for many rooms. */
  let wide: Entry[] = []
  /** How many of these each audience has. */
  const framesOf = new Map<Audience, number>()
  let dropped = 0
  let bytes = 0
  let epoch = ''
  /** End of the stream when this process began to read it: what is older is no news to anybody. */
  let head = 0
  let position = 0
  /** Everything after this is here; undefined while nothing is known. */
  let floor: number | undefined

  const sizeOf = ({ text }: Entry): number => text.length + 64
  const sizeOfNames = ({ rooms: names }: Audience): number => names.length * 64
  const wake = (): void => {
    for (const look of waiting) look()
  }
  const settle = (): void => {
    position = Math.max(position, head)
    floor ??= head
    wake()
  }
  const clear = (): void => {
    rooms.clear()
    entries = []
    wide = []
    framesOf.clear()
    dropped = 0
    bytes = 0
    position = 0
    floor = undefined
  }
  /** The names of an audience count once, with the first of its frames that are kept and until the last is gone. */
  const hold = (audience: Audience): void => {
    const frames = framesOf.get(audience) ?? 0
    if (frames === 0) bytes += sizeOfNames(audience)
    framesOf.set(audience, frames + 1)
  }
  const release = (audience: Audience): void => {
    const frames = framesOf.get(audience) ?? 0
    if (frames > 1) {
      framesOf.set(audience, frames - 1)
      return
    }
    framesOf.delete(audience)
    bytes -= sizeOfNames(audience)
  }
  const dropOldest = (entry: Entry): void => {
    dropped++
    bytes -= sizeOf(entry)
    floor = entry.sequence
    if (isWide(entry.audience)) release(entry.audience)
    else
      for (const name of entry.audience.rooms) {
        const room = rooms.get(name)
        if (room?.entries[0] === entry) room.entries.shift()
        if (room?.entries.length === 0) rooms.delete(name)
      }
    if (dropped < spare || dropped * 2 < entries.length) return
    entries = entries.slice(dropped)
    wide = wide.slice(firstAfter(wide, floor))
    dropped = 0
  }
  const expire = (): void => {
    const oldest = now() - bounds.historyMs
    for (
      let entry = entries[dropped];
      entry && (entry.at < oldest || bytes > bounds.historyBytes);
      entry = entries[dropped]
    )
      dropOldest(entry)
  }
  const keep = (name: string, entry: Entry): void => {
    const room = rooms.get(name)
    if (!room) {
      rooms.set(name, { entries: [entry], floor: 0 })
      return
    }
    room.entries.push(entry)
    if (room.entries.length > bounds.historyFrames) room.floor = room.entries.shift()?.sequence ?? 0
  }
  /** Wide frames after a place for one of the rooms; undefined when one of those has had more than are kept of it. */
  const wideAfter = (names: readonly string[], from: number): Entry[] | undefined => {
    const mine = new Map<Audience, string[]>()
    const counts = new Map<string, number>()
    const found: Entry[] = []
    for (let i = firstAfter(wide, from); i < wide.length; i++) {
      const entry = wide[i] as Entry
      let own = mine.get(entry.audience)
      if (!own) mine.set(entry.audience, (own = names.filter(name => entry.audience.has(name))))
      if (own.length > 0) found.push(entry)
      for (const name of own) {
        const count = (counts.get(name) ?? 0) + 1
        if (count > bounds.historyFrames) return undefined
        counts.set(name, count)
      }
    }
    return found
  }
  const offsetAt = (sequence: number): string => `${epoch}-${sequence.toString(36)}`
  const sequenceOf = (offset: string): number | undefined => {
    const [, made, place = ''] = /^([0-9a-z]{1,12})-([0-9a-z]{1,10})$/.exec(offset) ?? []
    return made === epoch && epoch !== '' ? Number.parseInt(place, 36) : undefined
  }
  /** Resolves when something is so, or after `settleMs`. */
  const until = (isSo: () => boolean): Promise<void> | undefined => {
    if (isSo()) return undefined
    return new Promise(resolve => {
      const end = () => {
        clearTimeout(timer)
        waiting.delete(look)
        resolve()
      }
      const look = () => isSo() && end()
      const timer = setTimeout(end, bounds.settleMs)
      waiting.add(look)
    })
  }

  return {
    /** Tells of the stream at a connect. @returns false when it is another than before: what was here is void */
    begin({ created, last, lastAt }: StreamEnd): boolean {
      const made = Date.parse(created).toString(36)
      const isNew = made !== epoch || last < position
      const isFirst = epoch === ''
      if (!isNew) return true
      clear()
      epoch = made
      head = last
      if (last === 0 || lastAt.getTime() < now() - bounds.historyMs) settle()
      // Messages can expire on their way here; what has not come by then does not come.
      else setTimeout(settle, bounds.settleMs).unref()
      return isFirst
    },

    /** Adds a frame of the stream. @returns its entry when it is news, undefined when it was said before this process began */
    add({ audience, event, data }: Said, sequence: number, at: Date): Entry | undefined {
      if (sequence <= (floor ?? -1)) return undefined
      floor ??= sequence - 1
      position = sequence
      const isNews = sequence > head
      const text = JSON.stringify({ event, data, offset: offsetAt(sequence) }).slice(0, -1)
      const entry = { sequence, audience, event, text, at: isNews ? now() : Math.min(now(), at.getTime()) }
      entries.push(entry)
      bytes += sizeOf(entry)
      if (isWide(audience)) {
        wide.push(entry)
        hold(audience)
      } else for (const name of audience.rooms) keep(name, entry)
      expire()
      if (sequence >= head) wake()
      return isNews ? entry : undefined
    },

    /** Counts a message of the stream that makes no frame. */
    pass(sequence: number): void {
      position = Math.max(position, sequence)
      if (sequence >= head) wake()
    },

    /** What was said in rooms after an offset, oldest first; undefined when that is not known for certain. */
    missed(names: readonly string[], offset: string): Entry[] | undefined {
      const from = sequenceOf(offset)
      if (from === undefined || floor === undefined || from < floor || from > position) return undefined
      const toMany = wideAfter(names, from)
      if (!toMany) return undefined
      const found = new Set(toMany)
      for (const name of names) {
        const room = rooms.get(name)
        if (room && from < room.floor) return undefined
        for (const entry of room?.entries.slice(firstAfter(room.entries, from)) ?? []) found.add(entry)
      }
      return [...found].sort((one, other) => one.sequence - other.sequence)
    },

    /** Waits, but not for ever, until what was said before is known, and what a client of another process has had. */
    settled: (offset = ''): Promise<void> | undefined =>
      until(() => floor !== undefined && position >= head && position >= (sequenceOf(offset) ?? 0)),

    /** How far everything has been handed out; undefined while nobody knows. */
    offset: (): string | undefined => (floor === undefined ? undefined : offsetAt(position)),
    position: (): number => position,
    sequenceOf,
    expire,
    stats: () => ({ frames: entries.length - dropped, bytes, rooms: rooms.size }),
  }
}

/** Index of the first entry after a place; entries are in the order of the stream. */
function firstAfter(entries: readonly Entry[], place: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.sequence ?? 0) <= place) low = middle + 1
    else high = middle
  }
  return low
}
