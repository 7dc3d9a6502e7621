import { type Kysely, sql } from 'kysely'

/**
 * Each hotel starts with the values that applied everywhere. A member who rests with a deleted hotel counts as active,
 * and a superior is copied where they belong to the same hotel.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  UPDATE ecosystem_memberships e
  JOIN members m ON m.id = e.member_id
  LEFT JOIN member_settings s ON s.member_id = e.member_id
  LEFT JOIN (SELECT DISTINCT member_id FROM ecosystem_memberships WHERE rested_at IS NOT NULL) r
    ON r.member_id = e.member_id
  LEFT JOIN ecosystem_memberships b
    ON b.member_id = m.superior_id AND b.ecosystem_id = e.ecosystem_id
  SET e.is_active = IF(m.is_active = 1 OR r.member_id IS NOT NULL, 1, 0),
    e.dashboard_access = m.dashboard_access,
    e.mobile_access = COALESCE(s.mobile_access, 1),
    e.superior_id = b.member_id,
    e.updated_at = e.updated_at
  `.execute(db)
}
