import { LRUCache } from 'lru-cache'
import type { JsonObject } from '../../services/kernel/json/encode.ts'
import type { RoomMessage } from './frames.ts'

type Told = { version: number; unread: JsonObject[string] }

/**
 * What is left of the frames that come: repetitions lose the rooms that had them, and a count that was read earlier
 * does not take the place of one that was read later, whichever process was quicker to publish.
 */
export function createArrivals() {
  /** Rooms that had a frame, by its id and event. */
  const seen = new LRUCache<string, Set<string>>({ maxSize: 200_000, sizeCalculation: rooms => rooms.size + 1 })
  // Bounded by size, as `seen`: bounded by number it would take the memory of all of them at once.
  const counts = new LRUCache<string, Told>({ maxSize: 100_000, sizeCalculation: () => 1 })

  const withoutRepeated = (message: RoomMessage): RoomMessage => {
    if (!message.id) return message
    const key = `${message.id} ${message.event}`
    const had = seen.get(key)
    const rooms = had ? message.rooms.filter(room => !had.has(room)) : message.rooms
    seen.set(key, had ? new Set([...had, ...rooms]) : new Set(rooms))
    return { ...message, rooms }
  }

  const inOrder = (message: RoomMessage): RoomMessage[] => {
    const { version, rooms, data } = message
    if (!version || !('unread' in data)) return [message]
    const timely: string[] = []
    const late: RoomMessage[] = []
    for (const room of rooms) {
      const told = counts.get(room)
      if (told && isLate(told, version))
        late.push({ ...message, rooms: [room], data: { ...data, unread: told.unread } })
      else timely.push(room)
      if (!told || !isLate(told, version)) counts.set(room, { version, unread: data['unread'] ?? null })
    }
    // A count that is late says nothing; another frame still says what happened, with the count as it is.
    return [{ ...message, rooms: timely }, ...('id' in data ? late : [])]
  }

  return (message: RoomMessage): RoomMessage[] =>
    inOrder(withoutRepeated(message)).filter(({ rooms }) => rooms.length > 0)
}

/** A clock that was put back must not silence the counts for long. */
const clockSteps = 60_000_000

const isLate = (told: Told, version: number): boolean => version < told.version && told.version - version < clockSteps
