import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE TABLE IF NOT EXISTS ecosystem_memberships (
    member_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    ecosystem_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    ecosystem_type VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'hotel',
    permissions JSON NOT NULL,
    role VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'member',
    is_owner TINYINT(1) NOT NULL DEFAULT 0,
    brought_member TINYINT(1) NOT NULL DEFAULT 0,
    gave_dashboard TINYINT(1) NOT NULL DEFAULT 0,
    rested_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
    PRIMARY KEY (member_id, ecosystem_id),
    KEY ecosystem_memberships_ecosystem (ecosystem_id, member_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci
  `.execute(db)
}
