import { createHash } from 'node:crypto'
import { z } from 'zod'

/** A message as a handler sees it. */
export interface BusMessage {
  /**
   * The publisher's message id in the form of {@link storableId}, the same at every delivery; without one, the place in
   * the stream.
   */
  id: string
  subject: string
  /** The parsed JSON. */
  body: unknown
  headers: Readonly<Record<string, string>>
  /** 1 at the first try, plus one for every failure. */
  attempt: number
  sequence: number
  /** When the broker stored it. */
  storedAt: Date
}

/** A message as it is stored in a stream. */
export interface StoredMessage {
  subject: string
  data: Uint8Array
  headers: Readonly<Record<string, string>>
  sequence: number
  storedAt: Date
}

/** One delivery of a stored message, settled by ack, nak or term and kept alive by working. */
export interface Delivery extends StoredMessage {
  /** Number of deliveries, this one included. */
  deliveries: number
  ack(): void
  nak(delayMs?: number): void
  working(): void
  term(): void
}

/** Headers of the platform, beside the broker's. */
export const header = {
  id: 'Nats-Msg-Id',
  /** The request that caused the message. */
  requestId: 'Request-Id',
  /** On a redriven dead letter: only this durable consumer takes it. */
  redrivenFor: 'Redriven-For',
  /** The original message id. */
  redrivenOf: 'Redriven-Of',
  /** When it was first stored in the stream, in ms since 1970. */
  redrivenFrom: 'Redriven-From',
  /** The number of the dead letter. */
  redrivenNumber: 'Redriven-Number',
  reason: 'Dead-Reason',
  attempts: 'Dead-Attempts',
  durable: 'Dead-Durable',
  subject: 'Dead-Subject',
  origin: 'Dead-Origin',
  originId: 'Dead-Origin-Id',
  originAt: 'Dead-Origin-At',
  /** On a message that failed again: the number of the dead letter that was redriven. */
  earlierNumber: 'Dead-Earlier-Number',
  /** The body didn't fit beside the headers; it is in the origin stream. */
  bodyOmitted: 'Dead-Body-Omitted',
} as const

/** A failure that no retry can cure: the message is dead-lettered at once. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure'
}

/** The result of `read`, whose error becomes a {@link PermanentFailure}: no retry makes a body readable. */
export function readBody<T>(format: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new PermanentFailure(`Not ${format}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The named fields of an event's payload. Throws {@link PermanentFailure} when one is missing or of another type. */
export function readPayload<Shape extends z.ZodRawShape>({ subject, body }: BusMessage, shape: Shape) {
  const result = z.object(shape).safeParse(Object(body).payload)
  if (result.success) return result.data
  throw new PermanentFailure(`${subject} without ${Object.keys(shape).join(' or ')}`)
}

/** Reads a stored message for a handler. Throws {@link PermanentFailure} when its body is not JSON. */
export function readMessage(stream: string, message: StoredMessage, attempt: number): BusMessage {
  const { subject, headers, sequence, storedAt } = message
  return { id: messageId(stream, message), subject, body: parse(message.data), headers, attempt, sequence, storedAt }
}

/**
 * Like {@link readMessage}, for consumers that skip most messages: the body is parsed on first access, which throws
 * when it isn't JSON.
 */
export function readMessageLazily(stream: string, message: StoredMessage, attempt: number): BusMessage {
  const { subject, headers, sequence, storedAt } = message
  let read: { body: unknown } | undefined
  return {
    id: messageId(stream, message),
    subject,
    get body() {
      read ??= { body: parse(message.data) }
      return read.body
    },
    headers,
    attempt,
    sequence,
    storedAt,
  }
}

/**
 * The publisher's id, or the place in the stream. The time distinguishes equal places in a stream that was recreated.
 */
export function messageId(stream: string, { headers, sequence, storedAt }: StoredMessage): string {
  const id = headers[header.id]
  return id ? storableId(id) : `${stream}:${sequence}:${storedAt.getTime()}`
}

/**
 * A publisher's id in a form that databases can hold, at most 150 ASCII characters; any other id is replaced by its
 * digest [D245].
 */
export const storableId = (id: string): string =>
  /^[ -~]{1,150}$/.test(id) ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`

function parse(data: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(data))
  } catch {
    throw new PermanentFailure('the body is not JSON')
  }
}
