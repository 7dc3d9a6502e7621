import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type AnyTransaction, afterCommit } from '../database/database.ts'
import { newId } from '../base/ids.ts'
import { carrier } from '../process/tracing.ts'

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
/** Servers take statements of 16 MiB and more. */
const STATEMENT_BYTES = 2_000_000
const SUBJECT = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/

const wakers = new Set<() => void>()

/**
 * Writes an event into the running transaction. It is published if, and only if, the transaction commits, and the
 * relays of this process are woken then.
 * @returns the message id, which consumers see as the event's id
 */
export async function enqueue(trx: AnyTransaction, event: OutboxEvent): Promise<string> {
  const [id = ''] = await enqueueAll(trx, [event])
  return id
}

/** The same for many events, published in this order, with as few statements as their size allows. */
export async function enqueueAll(trx: AnyTransaction, events: OutboxEvent[]): Promise<string[]> {
  if (events.length === 0) return []
  const rows = events.map(toRow)
  for (let begin = 0; begin < rows.length; ) {
    let end = begin
    for (let bytes = 0; end < rows.length && bytes < STATEMENT_BYTES; end++) bytes += rows[end]?.bytes ?? 0
    const values = rows.slice(begin, end).map(row => sql`(${row.id}, ${row.subject}, ${row.headers}, ${row.body})`)
    await sql`insert into outbox (id, subject, headers, body) values ${sql.join(values)}`.execute(trx)
    begin = end
  }
  afterCommit(trx, wakeRelays)
  return rows.map(row => row.id)
}

function toRow({ subject, body: content, id = newId(), headers }: OutboxEvent) {
  if (!SUBJECT.test(subject)) throw new TypeError(`not a subject: ${subject}`)
  const text = JSON.stringify(content)
  // As bytes, which the driver writes in hexadecimal: escaping the quotes of a thousand receivers costs five times that.
  const body = Buffer.from(text ?? '')
  const bytes = text === undefined ? Infinity : body.length
  if (bytes > MAX_BODY_BYTES) {
    throw new RangeError(`an event on ${subject} must be JSON of at most ${MAX_BODY_BYTES} bytes`)
  }
  const trace = carrier()
  const all = trace || headers ? JSON.stringify({ ...trace, ...headers }) : null
  return { id, subject, headers: all, body, bytes }
}

/**
 * Waits until everything that the outbox holds now is on the bus.
 * @param ms how long at most: while the broker is away, rows stay
 * @returns whether it is
 */
export async function untilPublished<T>(db: Kysely<T>, ms: number): Promise<boolean> {
  const { rows } = await sql<{ last: number | null }>`select max(position) as last from outbox`.execute(db)
  for (const end = Date.now() + ms; ; ) {
    const waiting = await sql`
      select 1 from outbox where published_at is null and position <= ${rows[0]?.last ?? 0} limit 1`.execute(db)
    if (waiting.rows.length === 0) return true
    if (Date.now() > end) return false
    await sleep(20)
  }
}

/** Calls `wake` after every commit that left something in an outbox. @returns a function that stops that */
export function onEnqueued(wake: () => void): () => void {
  wakers.add(wake)
  return () => wakers.delete(wake)
}

function wakeRelays(): void {
  for (const wake of wakers) wake()
}
