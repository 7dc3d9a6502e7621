import { type Kysely, sql } from 'kysely'

/** The account of a deleted member, so that a later erasure can end it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`SHOW COLUMNS FROM members LIKE 'former_user_id'`.execute(db)
  if (rows.length > 0) return
  await sql`
  ALTER TABLE members ADD COLUMN former_user_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NULL
  `.execute(db)
}
