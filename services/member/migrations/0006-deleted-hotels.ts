import type { Kysely } from 'kysely'
import { addColumn } from '../../kernel/database/schema.ts'

/** Whether the hotel of a closed workspace is deleted: the platform still reads that of a suspended one, as in 1.0. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumn(db, 'workspaces', 'is_hotel_deleted', 'tinyint(1) not null default 0')
}
