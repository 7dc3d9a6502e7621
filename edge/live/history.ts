import type { StreamEnd } from '../../services/kernel/bus.ts'
import type { JsonObject } from '../../services/kernel/json/encode.ts'
import type { Audience } from './audience.ts'
import { createFrames, type Entry } from './history.frames.ts'
import type { Limits } from './limits.ts'

/** What was said in rooms lately, for clients that come back. Offsets are opaque texts to them. */
export type History = ReturnType<typeof createHistory>

/** What is said to rooms. */
type Said = { audience: Audience; event: string; data: JsonObject }

type Bounds = Pick<Limits, 'historyMs' | 'historyFrames' | 'historyBytes' | 'settleMs'>

/**
 * The last frames of every room, none older than `historyMs`, and how far the stream they come from has been read.
 * An offset says how far a client has everything, over all rooms; it names the stream as well, so that one of a
 * stream that was lost and begun anew is not mistaken.
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
  /** Everything after this is here; undefined while nothing is known. */
  let floor: number | undefined

  /** What was said before this process began is here, or will not come any more. */
  const settle = (): void => {
    position = Math.max(position, head)
    floor ??= head
    wake()
  }
  const expire = (): void => {
    floor = frames.expire(now() - bounds.historyMs) ?? floor
  }
  const offsetAt = (sequence: number): string => `${epoch}-${sequence.toString(36)}`
  const sequenceOf = (offset: string): number | undefined => {
    const [, made, place = ''] = /^([0-9a-z]{1,12})-([0-9a-z]{1,10})$/.exec(offset) ?? []
    return made === epoch && epoch !== '' ? Number.parseInt(place, 36) : undefined
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
      position = 0
      floor = undefined
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
      frames.add(entry)
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
    missed(rooms: readonly string[], offset: string): Entry[] | undefined {
      const from = sequenceOf(offset)
      if (from === undefined || floor === undefined || from < floor || from > position) return undefined
      return frames.after(rooms, from)
    },

    /** Waits, but not for ever, until what was said before is known, and what a client of another process has had. */
    settled: (offset = ''): Promise<void> | undefined =>
      until(() => floor !== undefined && position >= head && position >= (sequenceOf(offset) ?? 0)),

    /** How far everything has been handed out; undefined while nobody knows. */
    offset: (): string | undefined => (floor === undefined ? undefined : offsetAt(position)),
    position: (): number => position,
    sequenceOf,
    expire,
    stats: frames.stats,
  }
}

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
