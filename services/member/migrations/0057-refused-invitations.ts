import type { Kysely } from 'kysely'
import { addColumn } from '../../kernel/database/schema.ts'

/** Why the last acceptance was refused, for the hotel's administrators. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumn(db, 'onboardings', 'refusal', 'varchar(255) null')
}
