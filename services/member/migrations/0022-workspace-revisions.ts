import { type Kysely, sql } from 'kysely'

/** A revision per workspace. Every change of its members takes the next one and holds its lock until commit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE TABLE IF NOT EXISTS workspace_revisions (
    workspace_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
    revision BIGINT UNSIGNED NOT NULL
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci
  `.execute(db)
}
