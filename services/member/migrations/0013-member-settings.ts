import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE TABLE IF NOT EXISTS member_settings (
    member_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
    mobile_access TINYINT(1) NOT NULL DEFAULT 1,
    is_invisible TINYINT(1) NOT NULL DEFAULT 0,
    chat_access_token VARCHAR(2048) CHARACTER SET ascii COLLATE ascii_bin NULL,
    settings JSON NOT NULL,
    preferences JSON NOT NULL,
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci
  `.execute(db)
}
