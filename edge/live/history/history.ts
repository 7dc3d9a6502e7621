import type { StreamEnd } from '../../../services/kernel/bus/bus.ts'
import type { JsonObject } from '../../../services/kernel/json/encode.ts'
import type { Audience } from '../audience.ts'
import { createFrames, type Entry } from './history-frames.ts'
import type { Limits } from '../sockets/limits.ts'

/** What was said in rooms lately, for clients that come back. Offsets are opaque texts to them. */
export type History = ReturnType<typeof createHistory>

/** What is said to rooms. */
type Said = { audience: Audience; event: string; data: JsonObject }

type Bounds = Pick<Limits, 'historyMs' | 'historyFrames' | 'historyBytes' | 'settleMs'>

/**
 * The last frames of every room, none older than `historyMs`, and how far the stream they come from has been read.
 * An offset says how far a client has everything, over all rooms. It names the stream as well, and when its last message
 * was said: one of a stream that was begun anew is not mistaken, nor one from an end that the broker has lost since.
 */
export function createHistory(bounds: Bounds, now = Date.now) {
  const frames = createFrames(bounds)
  const { until, wake } = waiters(bounds.settleMs)
  /** Names the stream: the moment of its creation. */
  let epoch = ''
  /** End of the stream when this process began to read it: what is older is no news to anybody. */
  let head = 0
  /** The last message of the stream that was read. */
  let position = 0
  /** When that was said, as {@link stampOf} has it. */
  let stamp = ''
  /** Everything after this is here; undefined while nothing is known. */
  let floor: number | undefined

  const reach = (sequence: number, at: Date): void => {
    position = sequence
    stamp = stampOf(at)
  }
  /** What was said before this process began is here, or will not come any more. */
  const settle = (headAt: Date): void => {
    if (position < head) reach(head, headAt)
    floor ??= head
    wake()
  }
  const expire = (): void => {
    floor = frames.expire(now() - bounds.historyMs) ?? floor
  }
  const offsetHere = (): string => `${epoch}-${position.toString(36)}-${stamp}`
  const read = (offset: string): { sequence: number; stamp: string } | undefined => {
    const [, made, place = '', said = ''] = /^([0-9a-z]{1,12})-([0-9a-z]{1,10})-([0-9a-z]{1,4})$/.exec(offset) ?? []
    return made === epoch && epoch !== '' ? { sequence: Number.parseInt(place, 36), stamp: said } : undefined
  }
  const sequenceOf = (offset: string): number | undefined => read(offset)?.sequence
  /** Whether it is another message that has this place now, as far as that is still known. */
  const isLost = (place: { sequence: number; stamp: string }): boolean => {
    const saidAt = place.sequence === position ? stamp : frames.stampAt(place.sequence)
    return saidAt !== undefined && saidAt !== place.stamp
  }

  return {
    /** Tells of the stream at a connect. @returns false when it is another than before: what was here is void */
    begin({ created, last, lastAt }: StreamEnd): boolean {
      const made = Date.parse(created).toString(36)
      const isNew = made !== epoch || last < position
      const isFirst = epoch === ''
      if (!isNew) return true
      frames.clear()
      epoch = made
      head = last
      reach(0, new Date(0))
      floor = undefined
      if (last === 0 || lastAt.getTime() < now() - bounds.historyMs) settle(lastAt)
      // Messages can expire on their way here; what has not come by then does not come.
      else setTimeout(settle, bounds.settleMs, lastAt).unref()
      return isFirst
    },

    /** Adds a frame of the stream. @returns its entry when it is news, undefined when it was said before this process began */
    add({ audience, event, data }: Said, sequence: number, at: Date): Entry | undefined {
      if (sequence <= (floor ?? -1)) return undefined
      floor ??= sequence - 1
      reach(sequence, at)
      const isNews = sequence > head
      const text = JSON.stringify({ event, data, offset: offsetHere() })
      const entry = { sequence, stamp, audience, event, text, at: isNews ? now() : Math.min(now(), at.getTime()) }
      frames.add(entry)
      expire()
      if (sequence >= head) wake()
      return isNews ? entry : undefined
    },

    /** Counts a message of the stream that makes no frame. */
    pass(sequence: number, at: Date): void {
      if (sequence > position) reach(sequence, at)
      if (sequence >= head) wake()
    },

    /** What was said in rooms after an offset, oldest first; undefined when that is not known for certain. */
    missed(rooms: readonly string[], offset: string): Entry[] | undefined {
      const from = read(offset)
      if (!from || floor === undefined || from.sequence < floor || from.sequence > position || isLost(from))
        return undefined
      return frames.after(rooms, from.sequence)
    },

    /** Waits, but not for ever, until what was said before is known, and what a client of another process has had. */
    settled: (offset = ''): Promise<void> | undefined =>
      until(() => floor !== undefined && position >= head && position >= (sequenceOf(offset) ?? 0)),

    /** How far everything has been handed out; undefined while nobody knows. */
    offset: (): string | undefined => (floor === undefined ? undefined : offsetHere()),
    position: (): number => position,
    sequenceOf,
    expire,
    stats: frames.stats,
  }
}

/** When the broker stored a message, short: in ms, of which only some twenty-eight minutes are told apart. */
const stampOf = (at: Date): string => (at.getTime() % 36 ** 4).toString(36)

/** Those who wait until something is so: they look again at each `wake`, and wait for `longestMs` at most. */
function waiters(longestMs: number) {
  const waiting = new Set<() => void>()
  return {
    wake(): void {
      for (const look of waiting) look()
    },
    until(isSo: () => boolean): Promise<void> | undefined {
      if (isSo()) return undefined
      return new Promise(resolve => {
        const end = () => {
          clearTimeout(timer)
          waiting.delete(look)
          resolve()
        }
        const look = () => isSo() && end()
        const timer = setTimeout(end, longestMs)
        waiting.add(look)
      })
    },
  }
}
