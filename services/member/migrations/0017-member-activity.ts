import { type Kysely, sql } from 'kysely'

/** When a member was last seen. A separate table, since updated_at of members drives the synchronisation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE TABLE IF NOT EXISTS member_activity (
    member_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
    seen_at DATETIME(3) NOT NULL,
    KEY member_activity_seen (seen_at)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci
  `.execute(db)
}
