import type { AckFrame } from '../../gen/platform/live/v1/connection_pb.ts'
import type { Connection } from './connection.ts'
import { isCarried, textBytes } from './frames.ts'
import type { Entry } from './history.frames.ts'
import type { Hub } from './hub.ts'

/** What an ack says of the rooms that were joined or left. */
export type Answer = Pick<AckFrame, 'rooms'> & Partial<Pick<AckFrame, 'offset' | 'recovered'>>

/**
 * Puts a socket into rooms and, when it says how far it had got, gives it what it has missed since. Both in one go,
 * so that nothing is lost or comes twice between the past and the present.
 */
export function enterRooms(hub: Hub, connection: Connection, rooms: string[], offset: string | undefined): Answer {
  const { history, recoveries } = hub
  const missed = offset ? recall(hub, connection, rooms, offset) : undefined
  for (const entry of missed ?? []) hub.outgoing.add(connection, textBytes(`${entry.text},"recovered":true}`))
  const since = (missed && offset && history.sequenceOf(offset)) || history.position()
  for (const room of rooms)
    connection.port.rooms.join(room, connection, Math.min(since, connection.rooms.get(room) ?? since))
  const answer = { rooms, ...placeOf(hub) }
  if (!offset) return answer
  recoveries[missed ? 'recovered' : 'lost']++
  return { ...answer, recovered: missed !== undefined }
}

/** The place up to which every socket has everything that is for it. */
export function placeOf({ history }: Hub): { offset?: string } {
  const offset = history.offset()
  return offset === undefined ? {} : { offset }
}

/** What the socket has not had of these rooms; undefined when that is unknown, or too much for it to take at once. */
function recall(hub: Hub, connection: Connection, rooms: string[], offset: string): Entry[] | undefined {
  const missed = hub.history
    .missed(rooms, offset)
    ?.filter(entry => isCarried(connection.port.services, entry.event) && !hasHad(connection, entry))
  const bytes = missed?.reduce((sum, { text }) => sum + text.length, 0) ?? 0
  return bytes > hub.limits.bufferedBytes / 2 ? undefined : missed
}

/** Whether a frame came to the socket through a room that it is in already. */
const hasHad = ({ rooms }: Connection, { audience, sequence }: Entry): boolean =>
  [...rooms].some(([room, since]) => since < sequence && audience.has(room))
