import type { Kysely } from 'kysely'
import type { Log } from '../../kernel/process/log.ts'
import { cleanRegularly } from '../cleaning.ts'
import type { Tables } from '../tables.ts'
import { deleteOldCalls } from './usage.sql.ts'
import { deleteOldLogs } from './user-logs.ts'

const day = 86_400_000
const logsKeptMs = 90 * day
/** A year is the longest that can be asked for. */
const callsKeptMs = 366 * day

/** Deletes old log records and counts, a little at a time. */
export const startCleaning = (db: Kysely<Tables>, log: Log): { stop(): Promise<void> } =>
  cleanRegularly(log, async () => {
    await deleteOldLogs(db, new Date(Date.now() - logsKeptMs))
    await deleteOldCalls(db, new Date(Date.now() - callsKeptMs).toISOString().slice(0, 10))
  })
