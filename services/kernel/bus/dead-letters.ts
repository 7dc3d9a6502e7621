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
  storedAt: Date
  /** Parsed JSON, or the text if it is not JSON. */
  body: unknown
}

/** The broker's limit is 1 MiB with headers. */
const maxBody = 1_000_000
/** Headers that the platform and the broker set. A dead letter keeps the message's other headers. */
const platformHeader = /^(Dead|Nats|Redriven)-/

/** Stores a message of `bus.stream` as a dead letter. Repeating it stores nothing twice. */
export async function deadLetter(
  bus: Bus,
  letter: { stored: StoredMessage; id: string; durable: string; reason: string; attempts: number },
): Promise<void> {
  const { stored, id, durable, reason, attempts } = letter
  const isBodyOmitted = stored.data.length > maxBody
  const headers = {
    ...withoutPlatformHeaders(stored.headers),
    [header.reason]: toHeaderText(reason),
    [header.attempts]: String(attempts),
    [header.durable]: durable,
    [header.subject]: stored.subject,
    [header.origin]: `${bus.stream}:${stored.sequence}`,
    [header.originId]: stored.headers[header.redrivenOf] ?? id,
    [header.originAt]: stored.headers[header.redrivenFrom] ?? String(stored.storedAt.getTime()),
    ...(stored.headers[header.redrivenNumber] ? { [header.earlierNumber]: stored.headers[header.redrivenNumber] } : {}),
    ...(isBodyOmitted ? { [header.bodyOmitted]: String(stored.data.length) } : {}),
  }
  const place = `dlq:${bus.stream}:${stored.sequence}:${durable}`
  await bus.publish(`dead.${durable}`, isBodyOmitted ? '' : stored.data, { id: place, headers })
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
  for (
    let newestSequence = Math.min(last, (before ?? Number.POSITIVE_INFINITY) - 1);
    newestSequence >= first && newestSequence > 0;
    newestSequence -= 100
  ) {
    const sequences = Array.from({ length: Math.min(100, newestSequence - first + 1) }, (_, i) => newestSequence - i)
    const letters = await Promise.all(sequences.map(place => bus.read(bus.deadStream, place)))
    for (const message of letters) {
      if (message && since && message.storedAt < since) return deadLetters
      if (message && (durable === undefined || message.headers[header.durable] === durable))
        deadLetters.push(toDeadLetter(message))
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
  const { subject, durable, origin } = toDeadLetter(message)
  let data = message.data
  if (header.bodyOmitted in message.headers) {
    const original = await bus.read(origin.stream, origin.sequence)
    if (!original) throw new BusUnavailableError('the body of this dead letter is no longer in its stream')
    data = original.data
  }
  const id = `redrive:${bus.deadStream}:${sequence}:${message.storedAt.getTime()}`
  const redriveHeaders = {
    [header.redrivenFor]: durable,
    [header.redrivenNumber]: String(sequence),
    ...(origin.id ? { [header.redrivenOf]: origin.id } : {}),
    [header.redrivenFrom]: message.headers[header.originAt] ?? String(message.storedAt.getTime()),
  }
  const publication = await bus.publish(subject, data, {
    id,
    headers: { ...withoutPlatformHeaders(message.headers), ...redriveHeaders },
  })
  await bus.remove(bus.deadStream, sequence)
  return { id, sequence: publication.sequence }
}

/**
 * Deletes a dead letter permanently.
 * @returns whether it existed
 */
export async function discardDeadLetter(bus: Bus, sequence: number): Promise<boolean> {
  return bus.remove(bus.deadStream, sequence)
}

function toDeadLetter(message: StoredMessage): DeadLetter {
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
    redrivenFrom: parseSequence(headers[header.earlierNumber]),
    storedAt: message.storedAt,
    body: bodyOf(message.data),
  }
}

/** Undefined for text that is no sequence, since other publishers could also set the header. */
const parseSequence = (text = ''): number | undefined => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)

function bodyOf(data: Uint8Array): unknown {
  const text = Buffer.from(data).toString()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function withoutPlatformHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !platformHeader.test(name)))
}

function toHeaderText(text: string): string {
  return text.replace(/[^\x20-\x7e\u00a0-\uffff]/g, ' ').slice(0, 500)
}
