import { type Bus, BusUnavailableError } from './bus.ts'
import { header, type StoredMessage } from './message.ts'

/** A message that its consumer gave up on. */
export interface DeadLetter {
  /** Its sequence in the dead-letter stream, by which it is redriven or discarded. */
  sequence: number
  /** The consumer that gave up. */
  durable: string
  /** Where the message was published. */
  subject: string
  reason: string
  attempts: number
  origin: { stream: string; sequence: number; id: string }
  /** The dead letter that was redriven before this failure. */
  redrivenFrom: number | undefined
  at: Date
  /** Parsed JSON, or the text if it is not JSON. */
  body: unknown
}

/** The broker's limit is 1 MiB with headers. */
const maxBody = 1_000_000
/** Headers of the platform and the broker; the message's own are kept. */
const ownHeader = /^(Dead|Nats|Redriven)-/

/** Stores a message of `bus.stream` as a dead letter. Repeating it stores nothing twice. */
export async function deadLetter(
  bus: Bus,
  letter: { stored: StoredMessage; id: string; durable: string; reason: string; attempts: number },
): Promise<void> {
  const { stored, id, durable, reason, attempts } = letter
  const omitted = stored.data.length > maxBody
  const headers = {
    ...foreign(stored.headers),
    [header.reason]: printable(reason),
    [header.attempts]: String(attempts),
    [header.durable]: durable,
    [header.subject]: stored.subject,
    [header.origin]: `${bus.stream}:${stored.sequence}`,
    [header.originId]: stored.headers[header.redrivenOf] ?? id,
    [header.originAt]: stored.headers[header.redrivenFrom] ?? String(stored.at.getTime()),
    ...(stored.headers[header.redrivenNumber] ? { [header.earlierNumber]: stored.headers[header.redrivenNumber] } : {}),
    ...(omitted ? { [header.bodyOmitted]: String(stored.data.length) } : {}),
  }
  const place = `dlq:${bus.stream}:${stored.sequence}:${durable}`
  await bus.publish(`dead.${durable}`, omitted ? '' : stored.data, { id: place, headers })
}

/**
 * The newest dead letters, of one consumer or of all, at most `limit`; `before` continues a list, and `since` leaves
 * out those stored earlier.
 */
export async function listDeadLetters(
  bus: Bus,
  { durable, limit = 100, before, since }: { durable?: string; limit?: number; before?: number; since?: Date } = {},
): Promise<DeadLetter[]> {
  const { first, last } = await bus.bounds(bus.deadStream)
  const deadLetters: DeadLetter[] = []
  for (let top = Math.min(last, (before ?? Number.POSITIVE_INFINITY) - 1); top >= first && top > 0; top -= 100) {
    const places = Array.from({ length: Math.min(100, top - first + 1) }, (_, i) => top - i)
    const letters = await Promise.all(places.map(place => bus.read(bus.deadStream, place)))
    for (const message of letters) {
      if (message && since && message.at < since) return deadLetters
      if (message && (durable === undefined || message.headers[header.durable] === durable))
        deadLetters.push(describe(message))
      if (deadLetters.length === limit) return deadLetters
    }
  }
  return deadLetters
}

/**
 * Redrives a dead letter to the consumer that gave up. It gets a new message id, since the broker and the inbox know
 * the old one; body and occurrence stay the same. A repetition within two minutes publishes nothing.
 * @returns the new message id and its sequence in the stream, undefined when there is no such dead letter
 */
export async function redriveDeadLetter(
  bus: Bus,
  sequence: number,
): Promise<{ id: string; sequence: number } | undefined> {
  const message = await bus.read(bus.deadStream, sequence)
  if (!message) return undefined
  const { subject, durable, origin } = describe(message)
  let data = message.data
  if (header.bodyOmitted in message.headers) {
    const original = await bus.read(origin.stream, origin.sequence)
    if (!original) throw new BusUnavailableError('the body of this dead letter is no longer in its stream')
    data = original.data
  }
  const id = `redrive:${bus.deadStream}:${sequence}:${message.at.getTime()}`
  const redriveHeaders = {
    [header.redrivenFor]: durable,
    [header.redrivenNumber]: String(sequence),
    ...(origin.id ? { [header.redrivenOf]: origin.id } : {}),
    [header.redrivenFrom]: message.headers[header.originAt] ?? String(message.at.getTime()),
  }
  const published = await bus.publish(subject, data, {
    id,
    headers: { ...foreign(message.headers), ...redriveHeaders },
  })
  await bus.remove(bus.deadStream, sequence)
  return { id, sequence: published.sequence }
}

/**
 * Deletes a dead letter permanently.
 * @returns whether it existed
 */
export async function discardDeadLetter(bus: Bus, sequence: number): Promise<boolean> {
  return bus.remove(bus.deadStream, sequence)
}

function describe(message: StoredMessage): DeadLetter {
  const { headers } = message
  const [stream = '', place = '0'] = (headers[header.origin] ?? '').split(':')
  return {
    sequence: message.sequence,
    // From the subject, not the body: the broker lets no other account publish there.
    durable: message.subject.slice('dead.'.length),
    subject: headers[header.subject] ?? '',
    reason: headers[header.reason] ?? '',
    attempts: Number(headers[header.attempts] ?? 0),
    origin: { stream, sequence: Number(place), id: headers[header.originId] ?? '' },
    redrivenFrom: numberIn(headers[header.earlierNumber]),
    at: message.at,
    body: bodyOf(message.data),
  }
}

/** Other publishers could set the header, too. */
const numberIn = (text = ''): number | undefined => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)

function bodyOf(data: Uint8Array): unknown {
  const text = Buffer.from(data).toString()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function foreign(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeader.test(name)))
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e\u00a0-\uffff]/g, ' ').slice(0, 500)
}
