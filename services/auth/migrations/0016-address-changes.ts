import { type Kysely, sql } from 'kysely'

/** Verifications that change an account's address when used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`show columns from email_verifications like 'is_change'`.execute(db)
  if (rows.length > 0) return
  await sql`alter table email_verifications add column is_change tinyint not null default 0`.execute(db)
}
