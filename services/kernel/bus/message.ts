import { createHash } from 'node:crypto'

/** What a handler sees of a message. */
export interface BusMessage {
  /** The publisher's message id as {@link storableId} has it, the same at every delivery; without one, the place in the stream. */
  id: string
  subject: string
  /** The parsed JSON. */
  body: unknown
  headers: Readonly<Record<string, string>>
  /** 1 at the first try, one more after every failure. */
  attempt: number
  sequence: number
  /** When the broker stored it. */
  at: Date
}

/** A message as it is stored in a stream. */
export interface StoredMessage {
  subject: string
  data: Uint8Array
  headers: Readonly<Record<string, string>>
  sequence: number
  at: Date
}

/** One delivery of a stored message, to be settled by ack, nak or term, and kept alive by working. */
export interface Delivery extends StoredMessage {
  /** How often the broker has handed it out, this time included. */
  deliveries: number
  ack(): void
  nak(delayMs?: number): void
  working(): void
  term(): void
}

/** Headers of ours beside the broker's own. */
export const header = {
  id: 'Nats-Msg-Id',
  /** A dead letter on its second way: only this durable takes it. */
  redrivenFor: 'Redriven-For',
  /** The message id that it had at first. */
  redrivenOf: 'Redriven-Of',
  /** When it first came to the stream, in ms since 1970. */
  redrivenFrom: 'Redriven-From',
  reason: 'Dead-Reason',
  attempts: 'Dead-Attempts',
  durable: 'Dead-Durable',
  subject: 'Dead-Subject',
  origin: 'Dead-Origin',
  originId: 'Dead-Origin-Id',
  originAt: 'Dead-Origin-At',
  /** The body did not fit beside the headers; it is in the origin stream. */
  bodyOmitted: 'Dead-Body-Omitted',
} as const

/** A failure that no retry can cure: the message becomes a dead letter at once. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure'
}

/** Reads a stored message for a handler. Throws {@link PermanentFailure} when its body is not JSON. */
export function readMessage(stream: string, stored: StoredMessage, attempt: number): BusMessage {
  const { subject, headers, sequence, at } = stored
  return { id: messageId(stream, stored), subject, body: parse(stored.data), headers, attempt, sequence, at }
}

/**
 * As {@link readMessage}, for those who let most messages pass: the body is read when it is asked for, and the asking
 * throws when it is not JSON.
 */
export function glanceAt(stream: string, stored: StoredMessage, attempt: number): BusMessage {
  const { subject, headers, sequence, at } = stored
  let read: { body: unknown } | undefined
  return {
    id: messageId(stream, stored),
    subject,
    get body() {
      read ??= { body: parse(stored.data) }
      return read.body
    },
    headers,
    attempt,
    sequence,
    at,
  }
}

/** The publisher's id, or the place in the stream; the time tells it from its successor when a stream was lost and begun anew. */
export function messageId(stream: string, { headers, sequence, at }: StoredMessage): string {
  const id = headers[header.id]
  return id ? storableId(id) : `${stream}:${sequence}:${at.getTime()}`
}

/** An id of a publisher's as databases can hold it, in at most 150 characters of ASCII: any other by its digest. */
export const storableId = (id: string): string =>
  /^[ -~]{1,150}$/.test(id) ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`

function parse(data: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(data))
  } catch {
    throw new PermanentFailure('the body is not JSON')
  }
}
