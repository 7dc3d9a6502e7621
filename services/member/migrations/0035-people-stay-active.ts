import { type Kysely, sql } from 'kysely'

/**
 * Members deactivated by hand are inactive in each hotel since 0034; the person's own flag then covers deleted hotels
 * alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  UPDATE members m
  JOIN (SELECT member_id, MAX(is_active) AS active FROM ecosystem_memberships GROUP BY member_id) e
    ON e.member_id = m.id AND e.active = 0
  SET m.is_active = 1, m.updated_at = m.updated_at
  WHERE m.is_active = 0 AND m.deleted_at IS NULL AND m.is_super_admin = 0
  `.execute(db)
}
