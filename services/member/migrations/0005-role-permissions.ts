import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE TABLE IF NOT EXISTS role_permissions (
    role_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    permission_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    conditions JSON NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (role_id, permission_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci
  `.execute(db)
}
