import { sql } from 'kysely'
import type { Log } from '../kernel/process/log.ts'
import type { Db } from './tables.ts'

/**
 * The database's time. Silences end and claims run out by it alone: processes whose own clocks differ agree on when.
 */
export type Clock = { now(): Date; stop(): void }

const asksEveryMs = 10_000

/**
 * Asks the database what time it is, now and every few seconds, and counts on from there without the clock of this
 * machine, so that nobody has to ask before each step. While the database is away the last answer counts on.
 */
export async function databaseClock(db: Db, log: Log): Promise<Clock> {
  let offset = await offsetOf(db)
  const timer = setInterval(() => {
    offsetOf(db).then(
      found => (offset = found),
      (error: unknown) => log.warn({ err: error }, 'the time of the database is not known'),
    )
  }, asksEveryMs)
  timer.unref()
  return {
    now: () => new Date(performance.now() + offset),
    stop: () => clearInterval(timer),
  }
}

/** Ms between this process's own count and the database's time since 1970. */
async function offsetOf(db: Db): Promise<number> {
  const asked = performance.now()
  const micros = sql<string>`timestampdiff(microsecond, '1970-01-01 00:00:00', utc_timestamp(6))`
  const { at } = await db.selectNoFrom(micros.as('at')).executeTakeFirstOrThrow()
  return Number(at) / 1_000 - (asked + performance.now()) / 2
}
