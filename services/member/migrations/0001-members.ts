import { type Kysely, sql } from 'kysely'

/** Members of all tenants. The index members_below answers a hierarchy without reading rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE TABLE IF NOT EXISTS members (
    id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
    user_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NULL,
    first_name VARCHAR(120) NOT NULL,
    last_name VARCHAR(120) NOT NULL,
    email VARCHAR(254) NOT NULL,
    live_email VARCHAR(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    phone VARCHAR(40) NULL,
    photo_url VARCHAR(2048) NULL,
    is_super_admin TINYINT(1) NOT NULL DEFAULT 0,
    superior_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NULL,
    dashboard_access TINYINT(1) NOT NULL DEFAULT 0,
    is_active TINYINT(1) NOT NULL DEFAULT 1,
    registered_at DATETIME(3) NULL,
    departing_until DATETIME(3) NULL,
    deleted_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
    UNIQUE KEY members_live_email (live_email),
    UNIQUE KEY members_user (user_id),
    KEY members_below (superior_id, deleted_at, last_name, first_name)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci
  `.execute(db)
}
