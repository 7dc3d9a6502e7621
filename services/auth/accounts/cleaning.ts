import type { Kysely } from 'kysely'
import { deleteOldRows } from '../../kernel/database/retention.ts'
import type { Log } from '../../kernel/process/log.ts'
import { type RepeatedTask, repeatEvery } from '../../kernel/process/repeat.ts'
import { deleteEndedCounters } from '../limits/counters.sql.ts'
import type { AuthTables } from '../tables.ts'

const everyMs = 10 * 60_000
const keptMs = 7 * 24 * 3600 * 1000

/** Tables with `expires_at`. Deleting a session also deletes its tokens. */
const expiringTables = ['refresh_tokens', 'sessions', 'password_resets', 'email_verifications'] as const

/** Deletes, in small batches, records that ended more than a week ago. */
export const startCleaning = (db: Kysely<AuthTables>, log: Log): RepeatedTask =>
  cleanRegularly(log, async () => {
    const now = new Date()
    const before = new Date(now.getTime() - keptMs)
    await deleteEndedCounters(db, now)
    for (const table of expiringTables)
      await deleteOldRows(db, table, maxRows =>
        db.deleteFrom(table).where('expires_at', '<', before).limit(maxRows).executeTakeFirst(),
      )
  })

/** Runs `clean` every ten minutes. Concurrent processes are safe. */
export const cleanRegularly = (log: Log, clean: () => Promise<void>): RepeatedTask =>
  repeatEvery(everyMs, clean, error => log.warn({ err: error }, 'cleanup failed; retrying'))
