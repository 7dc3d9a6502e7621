import { create } from '@bufbuild/protobuf'
import { RoomFrameSchema } from '../../gen/platform/live/v1/room_pb.ts'
import { type JsonObject, toJson } from '../../services/kernel/json/encode.ts'
import { rightsChangedSubject } from '../../services/kernel/access/rights.ts'
import { createArrivals } from './history/arrivals.ts'
import { fedSubjects, framesFor, parseMessage } from './feed.ts'
import { framesSubject, type RoomMessage } from './frames.ts'
import { deliver, type Hub } from './hub.ts'
import { closedPage } from './page-frames.ts'
import { recheckPage } from './page-rooms.ts'
import { concerned, rightsChangedEvent } from './history/rights-since.ts'
import { obey, signalSubjects } from './signals.ts'

/** How far an edge that lost the broker goes back among the events: what it had passed on may not have arrived. */
const againMs = 30_000

/**
 * Connects the rooms with the bus. Every process turns events into frames and says them on `live.frames`, where the
 * broker keeps the first of each and gives it its number; every process hands out what it reads there.
 */
export function feedRooms(hub: Hub): { stop(): void } {
  const { bus } = hub.host
  const { historyMs } = hub.limits
  /** One message that cannot be read must not end the feed. */
  const safely = (subject: string, act: () => void): void => {
    try {
      act()
    } catch (error) {
      hub.log.error({ err: error, subject }, 'message of the bus not understood')
    }
  }
  const stops = [
    // By themselves: a signal must not wait until what was said before this process began is read.
    ...signalSubjects.map(subject => bus.tail(subject, message => safely(subject, () => obey(hub, message)))),
    bus.tail(
      'platform.>',
      message => {
        const { id, subject } = message
        if (fedSubjects.has(subject)) safely(subject, () => framesFor(subject, message.body).forEach(tell(hub, id)))
      },
      { backMs: historyMs, againMs },
    ),
    readFrames(hub, safely),
    bus.subscribeCore(rightsChangedSubject, (bytes, subject) =>
      safely(subject, () => {
        const change = changeOf(bytes.length === 0 ? {} : JSON.parse(Buffer.from(bytes).toString()))
        // Comes before the event of the same change, which other processes and later ones go by.
        hub.rightsSince.changed(concerned(change), hub.history.position())
        hub.recheck(change.memberIds)
      }),
    ),
    // Core messages are lost while the broker is away, so nobody's rights are known after it.
    bus.onConnected(() => hub.recheck([])),
  ]
  return { stop: () => stops.forEach(stop => stop()) }
}

/** Says the frames of an event; the broker drops what another edge process has said. */
const tell =
  ({ host }: Hub, eventId: string) =>
  (message: RoomMessage, index: number): void => {
    const { version: _, ...fields } = message
    const frame = toJson(RoomFrameSchema, create(RoomFrameSchema, fields))
    host.bus.publishCore(framesSubject, JSON.stringify(frame), `${eventId}:${index}`)
  }

/** Hands out the frames of all processes in the order that the broker gave them. */
function readFrames(hub: Hub, safely: (subject: string, act: () => void) => void): () => void {
  const { history } = hub
  const arrivals = createArrivals()
  const take = (body: unknown, sequence: number, at: Date): void => {
    const { rooms, event, data, id, version } = parseMessage(RoomFrameSchema, body)
    const message = { rooms, event, data: (data ?? {}) as JsonObject, id, version: Number(version) }
    for (const told of arrivals(message)) {
      if (told.event === rightsChangedEvent) {
        hub.rightsSince.changed(told.audience.rooms, sequence)
        continue
      }
      const entry = history.add(told, sequence, at)
      if (!entry) continue
      deliver(hub, entry)
      const closed = closedPage(told)
      if (closed) void recheckPage(hub, closed)
    }
  }
  return hub.host.bus.tail(
    framesSubject,
    ({ subject, body, sequence, at }) => {
      safely(subject, () => take(body, sequence, at))
      history.pass(sequence, at)
    },
    {
      stream: hub.host.bus.passingStream,
      backMs: hub.limits.historyMs,
      opened(stream) {
        if (history.begin(stream)) return
        hub.rightsSince.clear()
        // What was said meanwhile is lost, and only the clients can read the state anew.
        hub.log.warn({ stream: hub.host.bus.passingStream }, 'the stream of frames was begun anew')
        for (const connection of hub.connections) connection.close('goingAway')
      },
    },
  )
}

/** The members whose rights changed; none named means those of the workspace, and without one anybody's. */
function changeOf(body: unknown): { memberIds: string[]; workspaceId: string | undefined } {
  const { memberIds, workspaceId } = Object(body) as { memberIds?: unknown; workspaceId?: unknown }
  return {
    memberIds: Array.isArray(memberIds) ? memberIds.filter(id => typeof id === 'string') : [],
    workspaceId: typeof workspaceId === 'string' ? workspaceId : undefined,
  }
}
