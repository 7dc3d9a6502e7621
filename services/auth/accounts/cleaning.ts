import type { Kysely } from 'kysely'
import type { Log } from '../../kernel/process/log.ts'
import { type RepeatedTask, repeatEvery } from '../../kernel/process/repeat.ts'
import { deleteOldVerifications } from '../addresses/verifications.ts'
import { deleteEndedCounters } from '../limits/counters.sql.ts'
import { deleteOldResets } from '../passwords/resets.sql.ts'
import { deleteOldTokens } from '../sessions/refresh-tokens.sql.ts'
import { deleteOldSessions } from '../sessions/sessions.sql.ts'
import type { Tables } from '../tables.ts'

const everyMs = 10 * 60_000
const day = 24 * 3600 * 1000
const keptMs = 7 * day

/** Deletes, in small batches, records that ended more than a week ago. */
export const startCleaning = (db: Kysely<Tables>, log: Log): RepeatedTask =>
  cleanRegularly(log, async () => {
    const now = new Date()
    const before = new Date(now.getTime() - keptMs)
    await deleteEndedCounters(db, now)
    await deleteOldTokens(db, before)
    await deleteOldSessions(db, before)
    await deleteOldResets(db, before)
    await deleteOldVerifications(db, before)
  })

/** Runs `clean` every ten minutes. Concurrent processes are safe. */
export const cleanRegularly = (log: Log, clean: () => Promise<void>): RepeatedTask =>
  repeatEvery(everyMs, clean, error => log.warn({ err: error }, 'cleanup failed; retrying'))
