import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE TABLE IF NOT EXISTS teams (
    id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
    workspace_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name VARCHAR(120) NOT NULL,
    live_name VARCHAR(120) NULL,
    description VARCHAR(2000) NULL,
    color VARCHAR(7) CHARACTER SET ascii COLLATE ascii_bin NULL,
    icon VARCHAR(64) NULL,
    leader_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NULL,
    is_active TINYINT(1) NOT NULL DEFAULT 1,
    deleted_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
    UNIQUE KEY teams_name (workspace_id, live_name),
    KEY teams_list (workspace_id, deleted_at, name)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci
  `.execute(db)
}
