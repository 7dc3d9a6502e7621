import { type Kysely, sql, type Transaction } from 'kysely'
import { startPoller } from '../base/poller.ts'
import { inTransaction } from '../database/database.ts'
import { lockLease } from '../database/lease.ts'
import { purgeKernelTables } from '../database/retention.ts'
import { failpoint } from '../process/failpoint.ts'
import { repeatEvery } from '../process/repeat.ts'
import { withSpan } from '../process/tracing.ts'
import type { Bus, BusLog } from './bus.ts'
import { requeueLostEvents } from './lost-events.ts'
import { onEnqueued } from './outbox.ts'

interface RelayOptions {
  log: BusLog
  /** Poll interval for rows of other processes, in ms (1,000); ten times that when idle. */
  pollMs?: number
}

export interface Relay {
  stop(): Promise<void>
}

interface Row {
  position: number
  id: string
  subject: string
  headers: string | null
  body: string
  bytes: number
  /** Rows that wait, at most `batchSize`. */
  pending: number
}

const batchSize = 500
/** Memory limit of a batch in bytes, exceeded only by a single larger event. */
const batchBytes = 8_000_000
/** How long a measurement of the stream's free space is used, in ms. */
const roomAgeMs = 1_000
/** The broker's overhead per body. */
const envelopeBytes = 200
const purgeEveryMs = 10 * 60_000
/** First pause while another relay publishes; what it leaves is this relay's. */
const leaseRetryMs = 20

/**
 * Publishes the outbox in order, each row under its own id, and marks a row once the broker has confirmed it. Any
 * number of relays may run on one database. While the broker is away, rows wait.
 */
export function startRelay<T>(db: Kysely<T>, bus: Bus, { log, pollMs = 1_000 }: RelayOptions): Relay {
  let mustFindLostEvents = true
  let leaseWaitMs = leaseRetryMs
  let room = { at: 0, bytes: 0 }
  let lastProblem = ''

  /** Grows: a relay that the broker doesn't answer keeps the lease for seconds. */
  const pauseForOther = (): number => {
    const waitMs = leaseWaitMs
    leaseWaitMs = Math.min(pollMs, 2 * leaseWaitMs)
    return waitMs
  }
  /** @returns the time until the next poll, in ms */
  const publishPending = async (isWoken: boolean): Promise<number | undefined> => {
    if (mustFindLostEvents) {
      const lostEvents = await withRelayLease(db, trx => requeueLostEvents(trx, bus))
      if (lostEvents === undefined) return pauseForOther()
      mustFindLostEvents = false
      if (lostEvents > 0) log.warn({ missing: lostEvents }, 'the broker lost confirmed events; publishing them again')
    }
    if (!isWoken && !(await hasWork(db))) return undefined
    if (Date.now() - room.at > roomAgeMs || room.bytes <= 0) {
      const bytes = Math.min(batchBytes, await bus.freeBytes())
      if (bytes <= 0) throw new Error('the stream is full of events that are still to be handled')
      room = { at: Date.now(), bytes }
    }
    const batch = await withRelayLease(db, trx => publishBatch(trx, bus, room.bytes))
    if (!batch) return pauseForOther()
    leaseWaitMs = leaseRetryMs
    room.bytes -= batch.bytes
    return batch.mayHaveMore ? 0 : pollMs
  }

  const poller = startPoller({
    everyMs: pollMs,
    async poll(isWoken) {
      const nextMs = bus.status().connected ? await publishPending(isWoken) : undefined
      lastProblem = ''
      return nextMs
    },
    failed(error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (reason !== lastProblem) log.warn({ reason }, 'outbox not published; retrying')
      lastProblem = reason
    },
  })
  const purge = repeatEvery(
    purgeEveryMs,
    () => purgeKernelTables(db),
    error => log.warn({ reason: String(error) }, 'old rows of the outbox not deleted; retrying'),
  )
  void purge.run()
  const unsubscribers = [
    onEnqueued(db, poller.wake),
    bus.onConnected(() => {
      mustFindLostEvents = true
      poller.wake()
    }),
  ]
  return {
    async stop() {
      for (const unsubscribe of unsubscribers) unsubscribe()
      await Promise.all([poller.stop(), purge.stop()])
    },
  }
}

async function hasWork<T>(db: Kysely<T>): Promise<boolean> {
  const { rows } = await sql`select 1 from outbox where published_at is null limit 1`.execute(db)
  return rows.length > 0
}

/**
 * One relay at a time per database publishes, so that events keep the order they were written in.
 * @returns undefined when it is another relay's turn
 */
async function withRelayLease<T, R>(db: Kysely<T>, work: (trx: Transaction<T>) => Promise<R>): Promise<R | undefined> {
  return inTransaction(db, async trx => ((await lockLease(trx, 'relay')) ? work(trx) : undefined))
}

/**
 * @param maxBytes limit of the batch, exceeded only by a single event
 * @returns the size of what it tried to publish, and whether there may be more to publish now
 */
async function publishBatch<T>(
  trx: Transaction<T>,
  bus: Bus,
  maxBytes: number,
): Promise<{ bytes: number; mayHaveMore: boolean }> {
  // The first row goes whatever its size; later rows must not overtake one that doesn't fit.
  const { rows } = await sql<Row>`
    with pending as (
      select position, length(body) + ${envelopeBytes} as bytes from outbox
      where published_at is null order by position limit ${batchSize}
    ), summed as (
      select position, bytes, sum(bytes) over (order by position) as total, count(*) over () as pending from pending
    )
    select o.position, o.id, o.subject, o.headers, o.body, s.bytes, s.pending
    from summed s join outbox o on o.position = s.position
    where s.total <= ${maxBytes} or s.total = s.bytes order by o.position
  `.execute(trx)
  if (rows.length === 0) return { bytes: 0, mayHaveMore: false }
  failpoint('relay-claimed')
  const results = await Promise.allSettled(rows.map(row => publishRow(bus, row)))
  failpoint('relay-published')
  const confirmed = results.flatMap((result, i) => {
    const row = rows[i]
    return result.status === 'fulfilled' && row ? [{ position: row.position, sequence: result.value.sequence }] : []
  })
  if (confirmed.length > 0) {
    const sequenceCases = sql.join(
      confirmed.map(s => sql`when ${s.position} then ${s.sequence}`),
      sql` `,
    )
    await sql`
      update outbox set published_at = now(3), stream_seq = case position ${sequenceCases} end
      where position in (${sql.join(confirmed.map(s => s.position))})
    `.execute(trx)
  }
  const rejection = results.find(result => result.status === 'rejected')
  if (rejection && confirmed.length === 0) throw rejection.reason
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
  const pending = rows[0]?.pending ?? 0
  return { bytes, mayHaveMore: !rejection && (pending > rows.length || pending === batchSize) }
}

function publishRow(bus: Bus, row: Row): Promise<{ sequence: number }> {
  const headers: Record<string, string> = row.headers === null ? {} : JSON.parse(row.headers)
  const attributes = { 'messaging.system': 'nats', 'messaging.message.id': row.id }
  return withSpan(`publish ${row.subject}`, { kind: 'producer', attributes, from: headers }, () =>
    bus.publish(row.subject, row.body, { id: row.id, headers }),
  )
}
