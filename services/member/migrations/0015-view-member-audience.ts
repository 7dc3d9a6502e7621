import { type Kysely, sql } from 'kysely'

/** Read by the news and notification services, which may read nothing else here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE OR REPLACE VIEW member_audience AS
  SELECT wm.workspace_id, wm.member_id, wm.workspace_role
  FROM workspace_members wm
  JOIN members m ON m.id = wm.member_id AND m.deleted_at IS NULL AND m.is_active = 1
  JOIN workspaces w ON w.id = wm.workspace_id AND w.deleted_at IS NULL AND w.is_active = 1
    AND w.closed_at IS NULL
  WHERE wm.status = 'active' AND wm.left_at IS NULL
  `.execute(db)
}
