import type { Kysely } from 'kysely'
import { addIndex } from '../../kernel/database/schema.ts'

/** The order of the list of all members. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addIndex(db, 'members', 'members_list', 'deleted_at, last_name, first_name, id')
}
