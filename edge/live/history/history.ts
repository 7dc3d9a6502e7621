import type { StreamEnd } from '../../../services/kernel/bus/tail.ts'
import type { JsonObject } from '../../../services/kernel/json/encode.ts'
import type { FrameAudience } from '../audience.ts'
import type { SocketLimits } from '../sockets/limits.ts'
import { createFrames, type HistoryEntry } from './history-frames.ts'

/** Recent frames of rooms, for clients that reconnect. Offsets are opaque to clients. */
export type History = ReturnType<typeof createHistory>

/** A frame for rooms. */
type Source = { audience: FrameAudience; event: string; data: JsonObject }

type Bounds = Pick<SocketLimits, 'historyMs' | 'historyFrames' | 'historyBytes' | 'settleMs'>

/**
 * The last frames of every room, none older than `historyMs`, and the position in their stream. An offset is the
 * position up to which a client has everything, over all rooms. It also names the stream and the time of its last
 * message, so that an offset of a recreated stream, or beyond an end that the broker lost, is recognised.
 */
export function createHistory(bounds: Bounds, now = Date.now) {
  const frames = createFrames(bounds)
  const { waitFor: until, wake } = conditionWaiters(bounds.settleMs)
  /** Identifies the stream by its creation time. */
  let epoch = ''
  /** End of the stream when this process started to read it: older frames are not delivered. */
  let startOfLive = 0
  /** The last message of the stream that was read. */
  let position = 0
  /** When the message at `position` was stored, in the form of {@link stampOf}. */
  let stamp = ''
  /** The history has all frames after this sequence; undefined until known. */
  let floor: number | undefined

  const advanceTo = (sequence: number, storedAt: Date): void => {
    position = sequence
    stamp = stampOf(storedAt)
  }
  /** Ends the reading of older frames: those still missing have expired. */
  const settle = (headAt: Date): void => {
    if (position < startOfLive) advanceTo(startOfLive, headAt)
    floor ??= startOfLive
    wake()
  }
  const expire = (): void => {
    floor = frames.expire(now() - bounds.historyMs) ?? floor
  }
  const offsetHere = (): string => `${epoch}-${position.toString(36)}-${stamp}`
  const parseOffset = (offset: string): { sequence: number; stamp: string } | undefined => {
    const [, offsetEpoch, place = '', offsetStamp = ''] =
      /^([0-9a-z]{1,12})-([0-9a-z]{1,10})-([0-9a-z]{1,4})$/.exec(offset) ?? []
    return offsetEpoch === epoch && epoch !== ''
      ? { sequence: Number.parseInt(place, 36), stamp: offsetStamp }
      : undefined
  }
  const sequenceOf = (offset: string): number | undefined => parseOffset(offset)?.sequence
  /** Whether another message is known to have this sequence now. */
  const isLost = (place: { sequence: number; stamp: string }): boolean => {
    const stampedAt = place.sequence === position ? stamp : frames.stampAt(place.sequence)
    return stampedAt !== undefined && stampedAt !== place.stamp
  }

  return {
    /**
     * Called with the stream at each connect.
     * @returns false when the stream was recreated, which voids the history
     */
    begin({ created, last, lastAt }: StreamEnd): boolean {
      const streamEpoch = Date.parse(created).toString(36)
      const isNew = streamEpoch !== epoch || last < position
      const isFirst = epoch === ''
      if (!isNew) return true
      frames.clear()
      epoch = streamEpoch
      startOfLive = last
      advanceTo(0, new Date(0))
      floor = undefined
      if (last === 0 || lastAt.getTime() < now() - bounds.historyMs) settle(lastAt)
      // Messages can expire before they are read; after this time the missing ones are not expected.
      else setTimeout(settle, bounds.settleMs, lastAt).unref()
      return isFirst
    },

    /**
     * Adds a frame of the stream.
     * @returns its entry if it is new, undefined if it is from before this process began
     */
    add({ audience, event, data }: Source, sequence: number, storedAt: Date): HistoryEntry | undefined {
      if (sequence <= (floor ?? -1)) return undefined
      floor ??= sequence - 1
      advanceTo(sequence, storedAt)
      const isNews = sequence > startOfLive
      const text = JSON.stringify({ event, data, offset: offsetHere() })
      const entry = {
        sequence,
        stamp,
        audience,
        event,
        text,
        storedAtMs: isNews ? now() : Math.min(now(), storedAt.getTime()),
      }
      frames.add(entry)
      expire()
      if (sequence >= startOfLive) wake()
      return isNews ? entry : undefined
    },

    /** Advances past a message that makes no frame. */
    pass(sequence: number, storedAt: Date): void {
      if (sequence > position) advanceTo(sequence, storedAt)
      if (sequence >= startOfLive) wake()
    },

    /** Frames of rooms after an offset, oldest first; undefined when that isn't certain. */
    framesAfter(rooms: readonly string[], offset: string): HistoryEntry[] | undefined {
      const from = parseOffset(offset)
      if (!from || floor === undefined || from.sequence < floor || from.sequence > position || isLost(from))
        return undefined
      return frames.after(rooms, from.sequence)
    },

    /**
     * Waits, for a limited time, until this process has read all earlier frames, and those that the client received from
     * another process.
     */
    settled: (offset = ''): Promise<void> | undefined =>
      until(() => floor !== undefined && position >= startOfLive && position >= (sequenceOf(offset) ?? 0)),

    /** The position up to which everything is delivered; undefined until known. */
    offset: (): string | undefined => (floor === undefined ? undefined : offsetHere()),
    position: (): number => position,
    sequenceOf,
    expire,
    stats: frames.stats,
  }
}

/** When the broker stored a message, in short form: ms modulo about 28 minutes. */
const stampOf = (storedAt: Date): string => (storedAt.getTime() % 36 ** 4).toString(36)

/** Waits for conditions: they are checked at each `wake`, for at most `longestMs`. */
function conditionWaiters(longestMs: number) {
  const checks = new Set<() => void>()
  return {
    wake(): void {
      for (const checkCondition of checks) checkCondition()
    },
    waitFor(condition: () => boolean): Promise<void> | undefined {
      if (condition()) return undefined
      return new Promise(resolve => {
        const end = () => {
          clearTimeout(timer)
          checks.delete(checkCondition)
          resolve()
        }
        const checkCondition = () => condition() && end()
        const timer = setTimeout(end, longestMs)
        checks.add(checkCondition)
      })
    },
  }
}
