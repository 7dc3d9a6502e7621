import type { Kysely } from 'kysely'
import { addColumn } from '../../kernel/database/schema.ts'

/** Whether the hotel of a closed workspace is suspended: the platform still reads it, unlike that of a deleted one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumn(db, 'workspaces', 'is_suspended', 'tinyint(1) not null default 0')
}
