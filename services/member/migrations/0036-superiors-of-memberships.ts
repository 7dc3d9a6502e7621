import { type Kysely, sql } from 'kysely'

/** The superior on each workspace membership is a copy of the value of its hotel. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  UPDATE workspace_members wm
  JOIN workspaces w ON w.id = wm.workspace_id
  LEFT JOIN ecosystem_memberships e ON e.member_id = wm.member_id AND e.ecosystem_id = w.ecosystem_id
  SET wm.superior_id = e.superior_id, wm.updated_at = wm.updated_at
  `.execute(db)
}
