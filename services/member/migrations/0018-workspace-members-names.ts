import { type Kysely, sql } from 'kysely'

/** The names stand with the membership too, so that one index serves the list of a workspace in its order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
  SELECT 1 FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'workspace_members' AND column_name = 'sort_last'
  `.execute(db)
  if (rows.length > 0) return
  await sql`
  ALTER TABLE workspace_members
    ADD COLUMN sort_last VARCHAR(120) NOT NULL DEFAULT '',
    ADD COLUMN sort_first VARCHAR(120) NOT NULL DEFAULT '',
    ADD KEY workspace_members_names (workspace_id, left_at, sort_last, sort_first, member_id)
  `.execute(db)
}
