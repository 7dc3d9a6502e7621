import { LRUCache } from 'lru-cache'
import type { JsonObject } from '../../../services/kernel/json/encode.ts'
import { createAudiences, type FrameAudience } from '../audience.ts'
import type { RoomMessage } from '../frames.ts'

/** A frame for the rooms that have not received it. */
type Arrival = Omit<RoomMessage, 'rooms'> & { audience: FrameAudience }

type Count = { version: number; unread: JsonObject[string] }

/**
 * Filters incoming frames: repetitions lose the rooms that already had them, and an older count never replaces a newer
 * one, whatever order the processes publish in.
 */
export function createArrivals() {
  const audienceOf = createAudiences()
  /** The audiences that had a frame, by its id and event. */
  const audiencesByFrame = new LRUCache<string, FrameAudience[]>({
    maxSize: 200_000,
    sizeCalculation: audiences => audiences.reduce((sum, { rooms }) => sum + rooms.length, 1),
  })
  // Bounded by size, as `audiencesByFrame`: a bound by number would allocate memory for all entries at once.
  const counts = new LRUCache<string, Count>({ maxSize: 100_000, sizeCalculation: () => 1 })

  const dropRepeated = ({ rooms, ...message }: RoomMessage): Arrival => {
    const audience = audienceOf(rooms)
    if (!message.id) return { ...message, audience }
    const key = `${message.id} ${message.event}`
    const earlierAudiences = audiencesByFrame.get(key) ?? []
    const newAudience =
      earlierAudiences.length === 0
        ? audience
        : audienceOf(rooms.filter(room => !earlierAudiences.some(one => one.has(room))))
    if (newAudience.rooms.length > 0) audiencesByFrame.set(key, [...earlierAudiences, newAudience])
    return { ...message, audience: newAudience }
  }

  const withCurrentCounts = (message: Arrival): Arrival[] => {
    const { version, audience, data } = message
    if (!version || !('unread' in data)) return [message]
    const timelyRooms: string[] = []
    const lateArrivals: Arrival[] = []
    for (const room of audience.rooms) {
      const last = counts.get(room)
      if (last && isLate(last, version))
        lateArrivals.push({ ...message, audience: audienceOf([room]), data: { ...data, unread: last.unread } })
      else timelyRooms.push(room)
      if (!last || !isLate(last, version)) counts.set(room, { version, unread: data['unread'] ?? null })
    }
    const timelyAudience = timelyRooms.length === audience.rooms.length ? audience : audienceOf(timelyRooms)
    // A late count is dropped; any other frame still reports what happened, with the current count.
    return [{ ...message, audience: timelyAudience }, ...('id' in data ? lateArrivals : [])]
  }

  return (message: RoomMessage): Arrival[] =>
    withCurrentCounts(dropRepeated(message)).filter(({ audience }) => audience.rooms.length > 0)
}

/** A clock that was set back must not suppress the counts for long. */
const clockSteps = 60_000_000

const isLate = (last: Count, version: number): boolean => version < last.version && last.version - version < clockSteps
