import type { Kysely } from 'kysely'
import { addColumn } from '../../kernel/database/schema.ts'

/** The picture that greets people at the sign-in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumn(db, 'hotel_settings', 'picture_url', 'varchar(2048) null')
}
