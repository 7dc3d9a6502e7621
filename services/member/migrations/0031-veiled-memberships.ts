import { type Kysely, sql } from 'kysely'
import { hasColumn } from '../../kernel/database/schema.ts'

/**
 * is_veiled is 1 while the person has not accepted: lists then show what was typed of them, and no more. Only people who
 * belong to the workspace are counted, by the index alone, which also holds the order of a role's members.
 * It takes nothing away: the key is made again, wider.
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
