import { LRUCache } from 'lru-cache'
import type { Bus } from '../../services/kernel/bus/bus.ts'
import { header, type StoredMessage } from '../../services/kernel/bus/message.ts'
import { isObject } from '../../services/kernel/json/decode.ts'
import type { ConsoleEvent, EventPage } from './app/answers.ts'

/** The requested events: before a sequence, after one, or by default the newest. */
type EventQuery = {
  before?: number | undefined
  after?: number | undefined
  limit: number
  /** Only events whose type, or key when they have none, contains this text, ignoring case. */
  type?: string | undefined
  /** True to match the whole type. */
  exact?: boolean
  /** Only events with one of these ids: hotel, workspace, record, actor, occurrence, request, or the message's own. */
  about?: readonly string[]
}

/** Events that one request searches. */
export const mostSearched = 5_000
const atOnce = 200

/** Reads the newest events of the bus. Stored events never change, so they are cached for a while. */
export function eventReader(bus: Pick<Bus, 'stream' | 'bounds' | 'read'>): (query: EventQuery) => Promise<EventPage> {
  const cache = new LRUCache<number, ConsoleEvent>({ max: 2 * mostSearched, ttl: 600_000 })
  const one = async (sequence: number): Promise<ConsoleEvent | undefined> => {
    const cachedEvent = cache.get(sequence)
    if (cachedEvent) return cachedEvent
    const message = await bus.read(bus.stream, sequence)
    if (!message) return undefined
    const event = envelopeOf(message)
    cache.set(sequence, event)
    return event
  }
  return async ({ before, after, limit, ...filter }) => {
    const { first, last } = await bus.bounds(bus.stream)
    const to = Math.min(last, (before ?? last + 1) - 1)
    // A recreated stream ends before the reader's last sequence.
    const floor = Math.max(first, to - mostSearched + 1, after !== undefined && after <= last ? after + 1 : 0)
    const fits = fitting(filter)
    const step = filter.type || filter.about?.length ? atOnce : limit
    const data: ConsoleEvent[] = []
    let from = to + 1
    while (from > floor && data.length < limit) {
      const numbers = Array.from({ length: Math.min(step, from - floor) }, (_, index) => from - 1 - index)
      for (const [index, event] of (await Promise.all(numbers.map(one))).entries()) {
        if (data.length === limit) break
        from = numbers[index] ?? from
        if (event && fits(event)) data.push(event)
      }
    }
    return { data, first, last, from, to }
  }
}

/** What the page shows as the type. */
const nameOf = ({ type, key }: ConsoleEvent): string => type ?? key

function fitting({
  type,
  exact,
  about = [],
}: Pick<EventQuery, 'type' | 'exact' | 'about'>): (event: ConsoleEvent) => boolean {
  const typeFilter = type?.toLowerCase()
  const ids = new Set(about)
  return event => {
    const name = nameOf(event).toLowerCase()
    if (typeFilter !== undefined && !(exact ? name === typeFilter : name.includes(typeFilter))) return false
    if (ids.size === 0) return true
    const { workspaceId, ecosystemId, recordId, actorId, occurrenceId, requestId, id } = event
    return [workspaceId, ecosystemId, recordId, actorId, occurrenceId, requestId, id].some(one => ids.has(one ?? ''))
  }
}

function envelopeOf({ sequence, storedAt, subject, data, headers }: StoredMessage): ConsoleEvent {
  const body = objectIn(data)
  const { metadata, payload } = body
  const metadataFields = isObject(metadata) ? metadata : {}
  const actor = isObject(metadataFields['actor']) ? metadataFields['actor'] : {}
  const receivers = metadataFields['receiverIds']
  const channels = body['channels']
  return {
    sequence,
    storedAt: storedAt.toISOString(),
    id: headers[header.id] ?? null,
    key: subject,
    type: text(body['type']),
    workspaceId: text(body['workspaceId']),
    ecosystemId: text(body['ecosystemId']),
    channels: Array.isArray(channels) ? channels.filter(channel => typeof channel === 'string').slice(0, 8) : [],
    actorType: text(actor['type']),
    actorId: text(actor['id']),
    receivers: Array.isArray(receivers) ? receivers.length : 0,
    occurrenceId: text(metadataFields['occurrenceId']),
    requestId: text(headers[header.requestId]),
    recordId: text((isObject(payload) ? payload : body)['id']),
    bytes: data.length,
    redrivenFor: headers[header.redrivenFor] ?? null,
    redrivenFrom: text(headers[header.redrivenNumber]),
  }
}

/** Only texts in the contract's form of an id or a name: events of a later version may hold anything there. */
const text = (value: unknown): string | null =>
  typeof value === 'string' && /^[\w.:-]{1,100}$/.test(value) ? value : null

function objectIn(data: Uint8Array): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(Buffer.from(data).toString())
    return isObject(body) ? body : {}
  } catch {
    return {}
  }
}
