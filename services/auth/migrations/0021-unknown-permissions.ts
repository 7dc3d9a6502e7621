import { type Kysely, sql } from 'kysely'

/** Words of a credential that were no permissions when it was created. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`show columns from ecosystem_credentials like 'unknown_permissions'`.execute(db)
  if (rows.length > 0) return
  await sql`alter table ecosystem_credentials add column unknown_permissions json null`.execute(db)
}
