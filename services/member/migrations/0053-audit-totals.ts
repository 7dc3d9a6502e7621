import { type Kysely, sql } from 'kysely'

/**
 * How many entries the log of a workspace has from before a time, so that a list counts only newer ones. The empty
 * workspace is for entries without one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE TABLE IF NOT EXISTS audit_totals (
    workspace_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    counted_until DATETIME(3) NOT NULL,
    total BIGINT UNSIGNED NOT NULL
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci
  `.execute(db)
}
