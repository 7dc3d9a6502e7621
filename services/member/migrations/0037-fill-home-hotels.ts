import { type Kysely, sql } from 'kysely'

/** Existing members get the hotel that created their record, else their first one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  UPDATE members m
  SET m.updated_at = m.updated_at, m.home_ecosystem_id = (
    SELECT e.ecosystem_id FROM ecosystem_memberships e WHERE e.member_id = m.id
    ORDER BY e.brought_member DESC, e.created_at, e.ecosystem_id LIMIT 1
  )
  WHERE m.home_ecosystem_id IS NULL
  `.execute(db)
}
