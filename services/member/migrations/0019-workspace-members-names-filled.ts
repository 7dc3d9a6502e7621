import { type Kysely, sql } from 'kysely'

/** Memberships made before the names stood with them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  UPDATE workspace_members wm JOIN members m ON m.id = wm.member_id
  SET wm.sort_last = m.last_name, wm.sort_first = m.first_name, wm.updated_at = wm.updated_at
  `.execute(db)
}
