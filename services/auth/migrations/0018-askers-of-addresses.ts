import { type Kysely, sql } from 'kysely'

/** Who asked for a change of an account's address; their right is checked again when it takes effect. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`show columns from email_verifications like 'asker'`.execute(db)
  if (rows.length > 0) return
  await sql`alter table email_verifications add column asker text null`.execute(db)
}
