import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE TABLE IF NOT EXISTS team_members (
    team_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    member_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    workspace_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    role VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'member',
    joined_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (team_id, member_id),
    KEY team_members_member (member_id, workspace_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci
  `.execute(db)
}
