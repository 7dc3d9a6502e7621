import type { Kysely } from 'kysely'
import { addIndex } from '../../kernel/database/schema.ts'

/** Deliveries by member, newest first, for the export of a member's data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addIndex(db, 'deliveries', 'deliveries_member', 'member_id')
}
