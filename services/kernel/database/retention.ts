import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Log } from '../process/log.ts'
import { type RepeatedTask, repeatEvery } from '../process/repeat.ts'
import { withLease } from './lease.ts'

/** Rows of one statement: few enough that others never wait long for its locks. */
const part = 1_000
/** Between two of them, so that others get their turn at the disk. */
const pauseMs = 20
const hourMs = 3_600_000
const dayMs = 24 * hourMs

type Removed = { numAffectedRows?: bigint; numDeletedRows?: bigint }

/**
 * Deletes rows in small statements.
 * @param remove deletes at most `most` rows
 * @returns how many there were
 */
export async function deleteInParts(remove: (most: number) => Promise<Removed>): Promise<number> {
  for (let total = 0; ; await sleep(pauseMs)) {
    const { numAffectedRows, numDeletedRows } = await remove(part)
    const deleted = Number(numDeletedRows ?? numAffectedRows ?? 0)
    total += deleted
    if (deleted < part) return total
  }
}

/** Notes that old rows of a table were deleted, for `platform growth`. */
export async function recordCleaning<T>(db: Kysely<T>, table: string, deleted: number): Promise<void> {
  await sql`
    insert into cleanings (table_name, cleaned_at, deleted_rows) values (${table}, now(3), ${deleted})
    on duplicate key update cleaned_at = values(cleaned_at), deleted_rows = values(deleted_rows)
  `.execute(db)
}

/** Deletes old rows of a table in small statements and notes it. */
export const deleteOldRows = async <T>(
  db: Kysely<T>,
  table: string,
  remove: (most: number) => Promise<Removed>,
): Promise<void> => recordCleaning(db, table, await deleteInParts(remove))

/** What is deleted after a number of days; 0 keeps it for ever. `table` is the one whose cleaning is noted last. */
export type RetentionRule = { table: string; days: number; deleteBefore(before: Date): Promise<unknown> }

/** Deletes once a day what is older than its retention; one process does it, the others skip their turn. */
export const startRetention = <T>(db: Kysely<T>, kept: RetentionRule[], log: Log): RepeatedTask =>
  repeatEvery(
    hourMs,
    () => deleteExpired(db, kept),
    err => log.warn({ err }, 'old rows not deleted; retrying'),
  )

export async function deleteExpired<T>(db: Kysely<T>, kept: RetentionRule[]): Promise<void> {
  const limited = kept.filter(({ days }) => days > 0)
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
