import { type Kysely, sql } from 'kysely'

/** The audit log. Rows are only added; erasing a person removes their personal values. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE TABLE IF NOT EXISTS audit_entries (
    position BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    workspace_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NULL,
    actor_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    actor_name VARCHAR(255) NOT NULL,
    actor_type VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    action VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    entity VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    entity_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    member_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NULL,
    old_values JSON NULL,
    new_values JSON NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    KEY audit_entries_list (workspace_id, created_at),
    KEY audit_entries_entity (entity_id),
    KEY audit_entries_member (member_id, workspace_id, created_at),
    KEY audit_entries_actor (actor_id, workspace_id, created_at)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci
  `.execute(db)
}
