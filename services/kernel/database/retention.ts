import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Log } from '../process/log.ts'
import { type RepeatedTask, repeatEvery } from '../process/repeat.ts'
import { withLease } from './lease.ts'

/** Rows per statement: few enough that other statements never wait long for its locks. */
const batchSize = 1_000
/** Pause between two statements, which leaves the disk to others. */
const pauseMs = 20
const hourMs = 3_600_000
const dayMs = 24 * hourMs

type DeleteResult = { numAffectedRows?: bigint; numDeletedRows?: bigint }

/**
 * Deletes rows in small statements.
 * @param remove deletes at most `maxRows` rows
 * @returns how many there were
 */
export async function deleteInParts(remove: (maxRows: number) => Promise<DeleteResult>): Promise<number> {
  for (let total = 0; ; await sleep(pauseMs)) {
    const { numAffectedRows, numDeletedRows } = await remove(batchSize)
    const deletedCount = Number(numDeletedRows ?? numAffectedRows ?? 0)
    total += deletedCount
    if (deletedCount < batchSize) return total
  }
}

/** Notes that old rows of a table were deleted, for `platform growth`. */
export async function recordCleaning<T>(db: Kysely<T>, table: string, deletedCount: number): Promise<void> {
  await sql`
    insert into cleanings (table_name, cleaned_at, deleted_rows) values (${table}, now(3), ${deletedCount})
    on duplicate key update cleaned_at = values(cleaned_at), deleted_rows = values(deleted_rows)
  `.execute(db)
}

/** Deletes old rows of a table in small statements and notes it. */
export const deleteOldRows = async <T>(
  db: Kysely<T>,
  table: string,
  remove: (maxRows: number) => Promise<DeleteResult>,
): Promise<void> => recordCleaning(db, table, await deleteInParts(remove))

/** How to delete rows after a number of days; 0 keeps them for ever. `table` is the table whose cleaning is recorded. */
export type RetentionRule = { table: string; days: number; deleteBefore(before: Date): Promise<unknown> }

/** Deletes rows older than their retention once a day, in one of the processes. */
export const startRetention = <T>(db: Kysely<T>, rules: RetentionRule[], log: Log): RepeatedTask =>
  repeatEvery(
    hourMs,
    () => deleteExpired(db, rules),
    err => log.warn({ err }, 'old rows not deleted; retrying'),
  )

export async function deleteExpired<T>(db: Kysely<T>, rules: RetentionRule[]): Promise<void> {
  const limited = rules.filter(({ days }) => days > 0)
  if (limited.length === 0) return
  await withLease(db, 'retention', async () => {
    for (const { table, days, deleteBefore } of limited)
      if (await isDue(db, table)) await deleteBefore(new Date(Date.now() - days * dayMs))
  })
}

/** Whether a table was not cleaned today, by this process or another one. */
async function isDue<T>(db: Kysely<T>, table: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from cleanings where table_name = ${table} and cleaned_at > now(3) - interval 23 hour`.execute(db)
  return rows.length === 0
}

/**
 * Deletes, in small statements, published events and idempotency keys after a day, and records of handled events after
 * eight, which is longer than the stream could redeliver a message.
 */
export async function purgeKernelTables<T>(db: Kysely<T>): Promise<void> {
  await deleteOldRows(db, 'outbox', maxRows =>
    sql`
      delete from outbox where published_at < now(3) - interval 24 hour order by published_at limit ${maxRows}
    `.execute(db),
  )
  await deleteOldRows(db, 'inbox', maxRows =>
    sql`delete from inbox where done_at < now(3) - interval 8 day order by done_at limit ${maxRows}`.execute(db),
  )
  await deleteOldRows(db, 'idempotency_keys', maxRows =>
    sql`
      delete from idempotency_keys where claimed_at < now(3) - interval 24 hour order by claimed_at limit ${maxRows}
    `.execute(db),
  )
}
