import { RoomFrameSchema } from '../../gen/platform/live/v1/room_pb.ts'
import type { JsonObject } from '../../services/kernel/json/encode.ts'
import { rightsChangedSubject } from '../../services/kernel/rights.ts'
import { framesFor, read } from './feed.ts'
import { framesSubject } from './frames.ts'
import { deliver, type Hub } from './hub.ts'
import { heed } from './signals.ts'

/** Connects the rooms with the bus: events, frames from anywhere, changes of rights. */
export function listen(hub: Hub): { stop(): void } {
  const { bus } = hub.host
  /** One message that cannot be read must not end the feed. */
  const safely = (subject: string, act: () => void): void => {
    try {
      act()
    } catch (error) {
      hub.log.error({ err: error, subject }, 'message of the bus not understood')
    }
  }
  const stops = [
    bus.tail('platform.>', ({ subject, body }) =>
      safely(subject, () => {
        for (const message of framesFor(subject, body)) deliver(hub, message)
        heed(hub, subject, body)
      }),
    ),
    bus.subscribeCore(framesSubject, (bytes, subject) =>
      safely(subject, () => {
        const { rooms, event, data, id } = read(RoomFrameSchema, parse(bytes))
        deliver(hub, { rooms, event, data: (data ?? {}) as JsonObject, id })
      }),
    ),
    bus.subscribeCore(rightsChangedSubject, (bytes, subject) =>
      safely(subject, () => hub.recheck(memberIdsOf(parse(bytes)))),
    ),
    // Core messages are lost while the broker is away, so nobody's rights are known after it.
    bus.onConnected(() => hub.recheck([])),
  ]
  return { stop: () => stops.forEach(stop => stop()) }
}

const parse = (bytes: Uint8Array): unknown => (bytes.length === 0 ? {} : JSON.parse(Buffer.from(bytes).toString()))

/** The members whose rights changed; none named means that anybody's may have. */
function memberIdsOf(body: unknown): string[] {
  const ids = typeof body === 'object' && body !== null && 'memberIds' in body ? body.memberIds : []
  return Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : []
}
