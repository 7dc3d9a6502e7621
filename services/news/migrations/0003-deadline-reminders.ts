import type { Kysely } from 'kysely'
import { addColumn, addIndex } from '../../kernel/database/schema.ts'

/** Readers of a must-read page are reminded before its deadline. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumn(db, 'must_reads', 'due_set_at', 'datetime(3) null')
  // The latest reminder of this deadline: 1 for that of the day before, 2 for that of the day.
  await addColumn(db, 'must_reads', 'due_reminder', 'tinyint not null default 0')
  await addIndex(db, 'must_reads', 'must_reads_deadline', 'due_at')
}
