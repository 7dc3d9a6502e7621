import { sql } from 'kysely'
import { recordCleaning } from '../../kernel/database/retention.ts'
import type { Log } from '../../kernel/process/log.ts'
import { type RepeatedTask, repeatEvery } from '../../kernel/process/repeat.ts'
import type { HotelDb } from '../tables.ts'

const hourMs = 3_600_000
const chunk = 200
/** Validity of an Idempotency-Key on all routes. */
const repeatableHours = 24

type RunRetention = { keptDays: number; restoreDays: number }

/**
 * Deletes personal data of closed runs: the designated administrator when the run closes, step results after a day,
 * when the Idempotency-Key has expired, and the run after `keptDays`. A deletion is kept while its hotel can be
 * restored.
 */
export async function deleteOldRuns(db: HotelDb, { keptDays, restoreDays }: RunRetention): Promise<void> {
  const closedRuns = () => db.selectFrom('hotel_setups').select('id').where('status', 'in', ['completed', 'undone'])
  const before = (hours: number) => sql<Date>`now(3) - interval ${hours} hour`

  const answeredRuns = closedRuns()
    .where('created_at', '<', before(repeatableHours))
    .where('kind', 'in', ['create', 'chat'])
    .where('input', '!=', '{}')
  await inChunks(
    () => answeredRuns.limit(chunk).execute(),
    async ids => {
      await db.updateTable('hotel_setup_steps').set({ result: null }).where('setup_id', 'in', ids).execute()
      const clearedColumns = { input: '{}', idempotency_key: null, request_digest: null }
      await db.updateTable('hotel_setups').set(clearedColumns).where('id', 'in', ids).execute()
    },
  )

  const restorableCutoff = before(Math.max(keptDays, restoreDays + 1) * 24)
  const oldRuns = closedRuns()
    .where('created_at', '<', before(keptDays * 24))
    .where(eb => eb.or([eb('kind', '!=', 'delete'), eb('created_at', '<', restorableCutoff)]))
  let deletedCount = 0
  await inChunks(
    () => oldRuns.limit(chunk).execute(),
    async ids => {
      await db.deleteFrom('hotel_setup_steps').where('setup_id', 'in', ids).execute()
      await db.deleteFrom('hotel_setups').where('id', 'in', ids).execute()
      deletedCount += ids.length
    },
  )
  await recordCleaning(db, 'hotel_setups', deletedCount)
}

async function inChunks(find: () => Promise<{ id: string }[]>, work: (ids: string[]) => Promise<void>): Promise<void> {
  for (;;) {
    const rows = await find()
    if (rows.length > 0) await work(rows.map(({ id }) => id))
    if (rows.length < chunk) return
  }
}

/** Runs hourly. */
export const startRunCleanup = (db: HotelDb, retention: RunRetention, log: Log): RepeatedTask =>
  repeatEvery(
    hourMs,
    () => deleteOldRuns(db, retention),
    err => log.warn({ err }, 'old saga runs not deleted; retrying'),
  )
