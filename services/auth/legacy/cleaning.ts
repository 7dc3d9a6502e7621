import type { Kysely } from 'kysely'
import type { Log } from '../../kernel/log.ts'
import type { Tables } from '../tables.ts'
import { deleteOldCalls } from './usage.sql.ts'
import { deleteOldLogs } from './user-logs.ts'

const everyMs = 10 * 60_000
const day = 86_400_000
const logsKeptMs = 90 * day
/** A year is the longest that can be asked for. */
const callsKeptMs = 366 * day

/** Deletes old log records and counts, a little at a time. Any number of processes may do so. */
export function startCleaning(db: Kysely<Tables>, log: Log): { stop(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve()
  const clean = async (): Promise<void> => {
    await deleteOldLogs(db, new Date(Date.now() - logsKeptMs))
    await deleteOldCalls(db, new Date(Date.now() - callsKeptMs).toISOString().slice(0, 10))
  }
  const timer = setInterval(() => {
    running = clean().catch((error: unknown) => log.warn({ err: error }, 'cleaning failed'))
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
