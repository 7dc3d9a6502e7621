import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE TABLE IF NOT EXISTS workspace_members (
    workspace_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    member_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    workspace_role VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'member',
    permission_slugs JSON NOT NULL,
    status VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'active',
    is_admin TINYINT(1) NOT NULL DEFAULT 0,
    joined_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    left_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
    PRIMARY KEY (workspace_id, member_id),
    KEY workspace_members_member (member_id, left_at, joined_at),
    KEY workspace_members_role (workspace_id, workspace_role, left_at)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci
  `.execute(db)
}
