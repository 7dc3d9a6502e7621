import { type Kysely, sql } from 'kysely'
import { hasColumn } from '../../kernel/database/schema.ts'

/**
 * is_veiled is 1 until the person accepts; lists then show only what the inviter typed. The wider index counts the
 * accepted members and orders the members of a role. Recreating the key loses no data.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(await hasColumn(db, 'workspace_members', 'is_veiled')))
    await sql`
    ALTER TABLE workspace_members
      ADD COLUMN is_veiled TINYINT(1) NOT NULL DEFAULT 0,
      ADD COLUMN typed_email VARCHAR(254) NULL,
      DROP KEY workspace_members_role,
      ADD KEY workspace_members_role
        (workspace_id, workspace_role, left_at, sort_last, sort_first, member_id, status, member_active, joined_at,
          is_veiled)
    `.execute(db)
}
