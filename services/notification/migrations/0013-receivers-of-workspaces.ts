import type { Kysely } from 'kysely'
import { addColumn } from '../../kernel/database/schema.ts'

/** The workspace of each entry, empty for none: an inbox shows the entries of its owner's present workspaces. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumn(db, 'receivers', 'workspace_id', "char(24) character set ascii collate ascii_bin not null default ''")
}
