import { type Kysely, sql } from 'kysely'

/**
 * Each membership repeats the member's columns that lists, searches and hierarchies read (people/copy.ts), so that an
 * index answers them: _list sorts and filters the members of a workspace, _role counts, _below leads from a superior to
 * subordinates.
 */
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
    revision BIGINT UNSIGNED NOT NULL DEFAULT 0,
    sort_last VARCHAR(120) NOT NULL DEFAULT '',
    sort_first VARCHAR(120) NOT NULL DEFAULT '',
    search_text VARBINARY(1800) NOT NULL DEFAULT '',
    member_active TINYINT(1) NOT NULL DEFAULT 1,
    superior_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
    PRIMARY KEY (workspace_id, member_id),
    KEY workspace_members_member (member_id, left_at, joined_at),
    KEY workspace_members_revision (workspace_id, revision, member_id),
    KEY workspace_members_role (workspace_id, workspace_role, left_at, status, member_active, joined_at),
    KEY workspace_members_below (superior_id, workspace_id, left_at, sort_last, sort_first),
    KEY workspace_members_list
      (workspace_id, left_at, sort_last, sort_first, member_id, workspace_role, status, member_active, search_text)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci
  `.execute(db)
}
