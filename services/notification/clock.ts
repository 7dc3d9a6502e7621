import { sql } from 'kysely'
import type { Log } from '../kernel/process/log.ts'
import { repeatEvery } from '../kernel/process/repeat.ts'
import type { NotificationDb } from './tables.ts'

/** The database's time. Silences and leases end by this clock only, so that processes with different clocks agree. */
export type Clock = { now(): Date; stop(): Promise<void> }

const asksEveryMs = 10_000

/**
 * Reads the database's time now and every few seconds, and extrapolates by the monotonic clock, so that callers need no
 * statement. While the database is away, extrapolation continues.
 */
export async function databaseClock(db: NotificationDb, log: Log): Promise<Clock> {
  let offset = await offsetOf(db)
  const clockPoll = repeatEvery(
    asksEveryMs,
    async () => (offset = await offsetOf(db)),
    error => log.warn({ err: error }, 'database time not read; extrapolating'),
  )
  return { now: () => new Date(performance.now() + offset), stop: clockPoll.stop }
}

/** Milliseconds to add to `performance.now()` for the database's time since 1970. */
async function offsetOf(db: NotificationDb): Promise<number> {
  const askedAt = performance.now()
  const micros = sql<string>`timestampdiff(microsecond, '1970-01-01 00:00:00', utc_timestamp(6))`
  const { at } = await db.selectNoFrom(micros.as('at')).executeTakeFirstOrThrow()
  return Number(at) / 1_000 - (askedAt + performance.now()) / 2
}
