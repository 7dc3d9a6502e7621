import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE TABLE IF NOT EXISTS onboardings (
    id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
    email VARCHAR(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    email_key VARCHAR(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin GENERATED ALWAYS AS (LOWER(email)) STORED,
    first_name VARCHAR(120) NULL,
    last_name VARCHAR(120) NULL,
    token_digest CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    invited_by CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NULL,
    workspace_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    ecosystem_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    workspace_role VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'member',
    permissions JSON NOT NULL,
    status VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'pending',
    accepted_at DATETIME(3) NULL,
    expires_at DATETIME(3) NOT NULL,
    invitation_data JSON NULL,
    open_key VARCHAR(280) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
    UNIQUE KEY onboardings_token (token_digest),
    UNIQUE KEY onboardings_open (open_key),
    KEY onboardings_email (email_key, created_at),
    KEY onboardings_list (workspace_id, status, created_at, id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci
  `.execute(db)
}
