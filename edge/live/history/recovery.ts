import type { AckFrame } from '../../../gen/platform/live/v1/connection_pb.ts'
import { pageRoom, workspaceRoom } from '../../../services/kernel/base/live.ts'
import { isCarried, recoveredBytes } from '../frames.ts'
import type { Hub } from '../hub.ts'
import { openedPage } from '../page-frames.ts'
import type { Connection } from '../sockets/connection.ts'
import type { HistoryEntry } from './history-frames.ts'

/** The ack's data about joined or left rooms. */
export type RecoveryAnswer = Pick<AckFrame, 'rooms'> & Partial<Pick<AckFrame, 'offset' | 'recovered' | 'refused'>>

/** A client's offset, and the place since which its current rights have held without a gap. */
type ResumePoint = { offset: string | undefined; rightsSince: number }

/**
 * Puts a socket into rooms and, given an offset, sends what it has missed since. Both happen in one step, so that no
 * frame is lost or repeated in between.
 */
export function enterRooms(
  hub: Hub,
  connection: Connection,
  rooms: string[],
  resumePoint: ResumePoint,
): RecoveryAnswer {
  const { history, recoveries } = hub
  const missedFrames = resumePoint.offset ? findMissedFrames(hub, connection, rooms, resumePoint) : undefined
  for (const entry of missedFrames?.entries ?? []) hub.outgoing.add(connection, recoveredBytes(entry.text))
  for (const room of rooms) {
    const since = missedFrames?.since(room) ?? history.position()
    connection.port.rooms.join(room, connection, Math.min(since, connection.rooms.get(room) ?? since))
  }
  const answer = { rooms, ...placeOf(hub) }
  if (!resumePoint.offset) return answer
  const recovered = missedFrames?.isWhole ?? false
  recoveries[recovered ? 'recovered' : 'lost']++
  return { ...answer, recovered }
}

/** The position up to which every socket has everything. */
export function placeOf({ history }: Hub): { offset?: string } {
  const offset = history.offset()
  return offset === undefined ? {} : { offset }
}

type MissedFrames = {
  entries: HistoryEntry[]
  /** False when the rights began, or the page was shown again, after the offset: earlier frames are left out. */
  isWhole: boolean
  /** The place after which the socket has every frame of a room. */
  since(room: string): number
}

/** What the socket has missed of these rooms; undefined when that is unknown, or too much to send at once. */
function findMissedFrames(
  hub: Hub,
  connection: Connection,
  rooms: string[],
  { offset = '', rightsSince }: ResumePoint,
) {
  const { history, limits } = hub
  const laterFrames = history.framesAfter([...rooms, ...roomsOfPages(connection, rooms)], offset)
  const from = history.sequenceOf(offset)
  if (!laterFrames || from === undefined) return undefined
  const openings = lastOpenings(laterFrames)
  const since = (room: string): number => Math.max(from, rightsSince, openings.get(room) ?? 0)
  const isMissed = (entry: HistoryEntry): boolean =>
    rooms.some(room => entry.audience.has(room) && entry.sequence > since(room)) &&
    isCarried(connection.port.services, entry.event) &&
    !hasHad(connection, entry)
  const entries = laterFrames.filter(isMissed)
  const bytes = entries.reduce((sum, { text }) => sum + text.length, 0)
  if (bytes > limits.recoveryBytes) return undefined
  return { entries, since, isWhole: rooms.every(room => since(room) === from) } satisfies MissedFrames
}

/** The rooms that receive the first publication of the pages. */
const roomsOfPages = ({ pages }: Connection, rooms: readonly string[]): string[] =>
  rooms.flatMap(room => pages?.get(room) ?? []).map(workspaceRoom)

/** When pages were last opened to readers, by their rooms: earlier frames there were not for them. */
function lastOpenings(entries: readonly HistoryEntry[]): Map<string, number> {
  const openings = new Map<string, number>()
  for (const { event, text, sequence } of entries) {
    const pageId = openedPage(event, text)
    if (pageId !== undefined) openings.set(pageRoom(pageId), sequence)
  }
  return openings
}

/** Whether the socket received a frame through a room that it is already in. */
const hasHad = ({ rooms }: Connection, { audience, sequence }: HistoryEntry): boolean =>
  [...rooms].some(([room, since]) => since < sequence && audience.has(room))
