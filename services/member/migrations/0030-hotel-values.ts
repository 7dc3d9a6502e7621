import { type Kysely, sql } from 'kysely'
import { hasColumn } from '../../kernel/database/schema.ts'

/**
 * Values that a hotel sets for a member stand in its membership. While status is pending, first_name, last_name and
 * email hold what the inviter typed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(await hasColumn(db, 'ecosystem_memberships', 'superior_id')))
    await sql`
    ALTER TABLE ecosystem_memberships
      ADD COLUMN status VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'active',
      ADD COLUMN is_active TINYINT(1) NOT NULL DEFAULT 1,
      ADD COLUMN dashboard_access TINYINT(1) NOT NULL DEFAULT 0,
      ADD COLUMN mobile_access TINYINT(1) NOT NULL DEFAULT 1,
      ADD COLUMN first_name VARCHAR(120) NULL,
      ADD COLUMN last_name VARCHAR(120) NULL,
      ADD COLUMN email VARCHAR(254) NULL,
      ADD COLUMN superior_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ADD KEY ecosystem_memberships_below (superior_id, ecosystem_id, member_id)
    `.execute(db)
}
