import { LRUCache } from 'lru-cache'
import type { JsonObject } from '../../../services/kernel/json/encode.ts'
import { type Audience, createAudiences } from '../audience.ts'
import type { RoomMessage } from '../frames.ts'

/** A frame for the rooms that have not received it. */
export type Arrival = Omit<RoomMessage, 'rooms'> & { audience: Audience }

type Count = { version: number; unread: JsonObject[string] }

/**
 * Filters incoming frames: repetitions lose the rooms that already had them, and an older count never replaces a newer
 * one, whatever order the processes publish in.
 */
export function createArrivals() {
  const audienceOf = createAudiences()
  /** The audiences that had a frame, by its id and event. */
  const seen = new LRUCache<string, Audience[]>({
    maxSize: 200_000,
    sizeCalculation: all => all.reduce((sum, { rooms }) => sum + rooms.length, 1),
  })
  // Bounded by size, as `seen`: a bound by number would allocate memory for all entries at once.
  const counts = new LRUCache<string, Count>({ maxSize: 100_000, sizeCalculation: () => 1 })

  const withoutRepeated = ({ rooms, ...message }: RoomMessage): Arrival => {
    const audience = audienceOf(rooms)
    if (!message.id) return { ...message, audience }
    const key = `${message.id} ${message.event}`
    const had = seen.get(key) ?? []
    const rest = had.length === 0 ? audience : audienceOf(rooms.filter(room => !had.some(each => each.has(room))))
    if (rest.rooms.length > 0) seen.set(key, [...had, rest])
    return { ...message, audience: rest }
  }

  const inOrder = (message: Arrival): Arrival[] => {
    const { version, audience, data } = message
    if (!version || !('unread' in data)) return [message]
    const timely: string[] = []
    const late: Arrival[] = []
    for (const room of audience.rooms) {
      const last = counts.get(room)
      if (last && isLate(last, version))
        late.push({ ...message, audience: audienceOf([room]), data: { ...data, unread: last.unread } })
      else timely.push(room)
      if (!last || !isLate(last, version)) counts.set(room, { version, unread: data['unread'] ?? null })
    }
    const inTime = timely.length === audience.rooms.length ? audience : audienceOf(timely)
    // A late count is dropped; any other frame still reports what happened, with the current count.
    return [{ ...message, audience: inTime }, ...('id' in data ? late : [])]
  }

  return (message: RoomMessage): Arrival[] =>
    inOrder(withoutRepeated(message)).filter(({ audience }) => audience.rooms.length > 0)
}

/** A clock that was set back must not suppress the counts for long. */
const clockSteps = 60_000_000

const isLate = (last: Count, version: number): boolean => version < last.version && last.version - version < clockSteps
