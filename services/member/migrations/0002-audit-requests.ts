import type { Kysely } from 'kysely'
import { addColumn, addIndex } from '../../kernel/database/schema.ts'

/** The request that made a change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const form = 'varchar(64) character set ascii collate ascii_bin null'
  await addColumn(db, 'audit_entries', 'request_id', form)
  await addIndex(db, 'audit_entries', 'audit_entries_request', 'request_id')
}
