import { type Kysely, sql } from 'kysely'

/** The hierarchy reads names from the index alone: thousands of rows without one visit to the table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
  SELECT 1 FROM information_schema.statistics
  WHERE table_schema = DATABASE() AND table_name = 'members' AND index_name = 'members_below'
  `.execute(db)
  if (rows.length > 0) return
  await sql`
  ALTER TABLE members
    ADD KEY members_below (superior_id, deleted_at, last_name, first_name),
    DROP KEY members_superior
  `.execute(db)
}
