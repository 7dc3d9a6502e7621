import { create } from '@bufbuild/protobuf'
import { RoomFrameSchema } from '../../gen/platform/live/v1/room_pb.ts'
import { readRightsChange, rightsChangedSubject } from '../../services/kernel/access/rights.ts'
import { framesSubject } from '../../services/kernel/base/live.ts'
import { type JsonObject, toJson } from '../../services/kernel/json/encode.ts'
import { fedSubjects, framesFor, parseMessage } from './feed.ts'
import type { RoomMessage } from './frames.ts'
import { createArrivals } from './history/arrivals.ts'
import { concernedIds, rightsChangedEvent } from './history/rights-since.ts'
import { deliver, type Hub } from './hub.ts'
import { closedPage } from './page-frames.ts'
import { recheckPage } from './page-rooms.ts'
import { applyRightsChange } from './recheck.ts'
import { applySignal, signalSubjects } from './signals.ts'

/**
 * How far back in the events an edge resumes after a disconnect, in ms: its last frames may not have reached the
 * broker.
 */
const againMs = 30_000

/**
 * Connects the rooms with the bus. Every process turns events into frames and publishes them on `live.frames`, where
 * the broker keeps the first of each and numbers it; every process delivers what it reads there.
 */
export function feedRooms(hub: Hub): { stop(): void } {
  const { bus } = hub.host
  const { historyMs } = hub.limits
  const stops = [
    // In separate tails: a signal must not wait until older messages are read.
    ...signalSubjects.map(subject => bus.tail(subject, message => applySignal(hub, message))),
    bus.tail(
      'platform.>',
      message => {
        const { id, subject } = message
        if (fedSubjects.has(subject)) framesFor(subject, message.body).forEach(publishFrame(hub, id))
      },
      { backMs: historyMs, againMs },
    ),
    readFrames(hub),
    bus.subscribeCore(rightsChangedSubject, bytes => {
      const change = readRightsChange(bytes)
      // This message arrives before the event of the same change, which other and later processes use.
      hub.rightsSince.changed(concernedIds(change), hub.history.position())
      applyRightsChange(hub, change.memberIds)
    }),
    // Core messages are lost while disconnected, so all rights are uncertain after it.
    bus.onConnected(() => applyRightsChange(hub, [])),
  ]
  return { stop: () => stops.forEach(stop => stop()) }
}

/** Publishes the frames of an event; the broker drops those that another edge process has published. */
const publishFrame =
  ({ host }: Hub, eventId: string) =>
  (message: RoomMessage, index: number): void => {
    const { version: _, ...fields } = message
    const frame = toJson(RoomFrameSchema, create(RoomFrameSchema, fields))
    host.bus.store(framesSubject, JSON.stringify(frame), `${eventId}:${index}`)
  }

/** Delivers the frames of all processes in the broker's order. */
function readFrames(hub: Hub): () => void {
  const { history } = hub
  const arrivals = createArrivals()
  const deliverFrame = (body: unknown, sequence: number, storedAt: Date): void => {
    const { rooms, event, data, id, version } = parseMessage(RoomFrameSchema, body)
    const message = { rooms, event, data: (data ?? {}) as JsonObject, id, version: Number(version) }
    for (const arrival of arrivals(message)) {
      if (arrival.event === rightsChangedEvent) {
        hub.rightsSince.changed(arrival.audience.rooms, sequence)
        continue
      }
      const entry = history.add(arrival, sequence, storedAt)
      if (!entry) continue
      deliver(hub, entry)
      const closedPageId = closedPage(arrival)
      if (closedPageId) void recheckPage(hub, closedPageId)
    }
  }
  return hub.host.bus.tail(
    framesSubject,
    message => {
      const { sequence, storedAt } = message
      try {
        deliverFrame(message.body, sequence, storedAt)
      } finally {
        history.pass(sequence, storedAt)
      }
    },
    {
      stream: hub.host.bus.framesStream,
      backMs: hub.limits.historyMs,
      onOpen(stream) {
        if (history.begin(stream)) return
        hub.rightsSince.clear()
        // Frames of the meantime are lost, so clients must reload their state.
        hub.log.warn({ stream: hub.host.bus.framesStream }, 'frame stream recreated')
        for (const connection of hub.connections) connection.close('goingAway')
      },
    },
  )
}
