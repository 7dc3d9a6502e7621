import type { Kysely } from 'kysely'
import { addColumn } from '../../kernel/database/schema.ts'

/** The API credential with which an actor made a change; null for a change by the person themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumn(
    db,
    'audit_entries',
    'credential_id',
    'CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NULL AFTER actor_type',
  )
}
