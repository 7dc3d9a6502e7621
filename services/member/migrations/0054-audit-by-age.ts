import type { Kysely } from 'kysely'
import { addIndex } from '../../kernel/database/schema.ts'

/** Entries by age, for their deletion. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addIndex(db, 'audit_entries', 'audit_entries_age', 'created_at')
}
