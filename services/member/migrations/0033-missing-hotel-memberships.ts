import { type Kysely, sql } from 'kysely'

/**
 * Every member of a hotel's workspace needs a membership of the hotel, which holds the hotel's values. Platform
 * administrators are exempt.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  INSERT IGNORE INTO ecosystem_memberships (member_id, ecosystem_id, ecosystem_type, permissions, created_at)
  SELECT wm.member_id, w.ecosystem_id, w.ecosystem_type, '[]', MIN(wm.joined_at)
  FROM workspace_members wm
  JOIN workspaces w ON w.id = wm.workspace_id AND w.deleted_at IS NULL
  JOIN members m ON m.id = wm.member_id AND m.deleted_at IS NULL AND m.is_super_admin = 0
  WHERE wm.left_at IS NULL
  GROUP BY wm.member_id, w.ecosystem_id, w.ecosystem_type
  `.execute(db)
}
