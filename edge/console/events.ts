import { LRUCache } from 'lru-cache'
import type { Bus } from '../../services/kernel/bus/bus.ts'
import { header, type StoredMessage } from '../../services/kernel/bus/message.ts'

/** An event as the console shows it: its envelope, and only the record's id from its payload. */
export type ShownEvent = {
  /** Its sequence in the stream. */
  sequence: number
  at: Date
  id: string | null
  key: string
  type: string | null
  workspaceId: string | null
  ecosystemId: string | null
  channels: string[]
  actorType: string | null
  actorId: string | null
  /** Number of receivers. */
  receivers: number
  occurrenceId: string | null
  /** The record that the event concerns. */
  recordId: string | null
  bytes: number
  /** On a redriven event: the only consumer that takes it. */
  redrivenFor: string | null
}

export type EventPage = {
  /** Newest first. */
  data: ShownEvent[]
  /** Sequences of the first and last stored event. */
  first: number
  last: number
}

/** The requested events: before a sequence, after one, or by default the newest. */
export type Which = { before?: number | undefined; after?: number | undefined; limit: number }

/** Reads the newest events of the bus. Stored events never change, so they are cached for a while. */
export function eventReader(bus: Pick<Bus, 'stream' | 'bounds' | 'read'>): (which: Which) => Promise<EventPage> {
  const known = new LRUCache<number, ShownEvent>({ max: 2_000, ttl: 600_000 })
  const one = async (sequence: number): Promise<ShownEvent | undefined> => {
    const held = known.get(sequence)
    if (held) return held
    const stored = await bus.read(bus.stream, sequence)
    if (!stored) return undefined
    const event = shownEvent(stored)
    known.set(sequence, event)
    return event
  }
  return async ({ before, after, limit }) => {
    const { first, last } = await bus.bounds(bus.stream)
    const to = Math.min(last, (before ?? last + 1) - 1)
    // A recreated stream ends before the reader's last sequence.
    const from = Math.max(first, to - limit + 1, after !== undefined && after <= last ? after + 1 : 0)
    const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => to - at)
    const events = await Promise.all(numbers.map(one))
    return { data: events.filter(event => event !== undefined), first, last }
  }
}

function shownEvent({ sequence, at, subject, data, headers }: StoredMessage): ShownEvent {
  const body = objectIn(data)
  const { metadata, payload } = body
  const about = isObject(metadata) ? metadata : {}
  const actor = isObject(about['actor']) ? about['actor'] : {}
  const receivers = about['receiverIds']
  const channels = body['channels']
  return {
    sequence,
    at,
    id: headers[header.id] ?? null,
    key: subject,
    type: text(body['type']),
    workspaceId: text(body['workspaceId']),
    ecosystemId: text(body['ecosystemId']),
    channels: Array.isArray(channels) ? channels.filter(channel => typeof channel === 'string').slice(0, 8) : [],
    actorType: text(actor['type']),
    actorId: text(actor['id']),
    receivers: Array.isArray(receivers) ? receivers.length : 0,
    occurrenceId: text(about['occurrenceId']),
    recordId: text((isObject(payload) ? payload : body)['id']),
    bytes: data.length,
    redrivenFor: headers[header.redrivenFor] ?? null,
  }
}

/** Only texts in the contract's form of an id or a name: events of a later version may hold anything there. */
const text = (value: unknown): string | null =>
  typeof value === 'string' && /^[\w.:-]{1,100}$/.test(value) ? value : null

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function objectIn(data: Uint8Array): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(Buffer.from(data).toString())
    return isObject(body) ? body : {}
  } catch {
    return {}
  }
}
