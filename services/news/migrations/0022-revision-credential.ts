import type { Kysely } from 'kysely'
import { addColumn } from '../../kernel/database/schema.ts'

/** API credential through which the author made a revision; null when made in person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumn(
    db,
    'page_revisions',
    'credential_id',
    'CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NULL AFTER created_by_id',
  )
}
