import { sql } from 'kysely'
import { type AnyTransaction, afterCommit } from './database.ts'
import { newId } from './ids.ts'

/** What a transaction may publish. */
export interface OutboxEvent {
  /** Dotted, without wildcards: platform.notification.page.created */
  subject: string
  /** Anything JSON can hold. */
  body: unknown
  /** Becomes the message id; a new one unless given. */
  id?: string
  headers?: Record<string, string>
}

/** The broker takes 1 MiB with headers; refusing here keeps a row that can never leave out of the outbox. */
const MAX_BODY_BYTES = 900_000
const SUBJECT = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/

const wakers = new Set<() => void>()

/**
 * Writes an event into the running transaction. It is published if, and only if, the transaction commits, and the
 * relays of this process are woken then.
 * @returns the message id, which consumers see as the event's id
 */
export async function enqueue(trx: AnyTransaction, event: OutboxEvent): Promise<string> {
  const { subject, body, id = newId(), headers } = event
  if (!SUBJECT.test(subject)) throw new TypeError(`not a subject: ${subject}`)
  const text = JSON.stringify(body)
  if (text === undefined || Buffer.byteLength(text) > MAX_BODY_BYTES) {
    throw new RangeError(`an event on ${subject} must be JSON of at most ${MAX_BODY_BYTES} bytes`)
  }
  const written = headers ? JSON.stringify(headers) : null
  await sql`insert into outbox (id, subject, headers, body) values (${id}, ${subject}, ${written}, ${text})`.execute(
    trx,
  )
  afterCommit(trx, wakeRelays)
  return id
}

/** Calls `wake` after every commit that left something in an outbox. @returns a function that stops that */
export function onEnqueued(wake: () => void): () => void {
  wakers.add(wake)
  return () => wakers.delete(wake)
}

function wakeRelays(): void {
  for (const wake of wakers) wake()
}
