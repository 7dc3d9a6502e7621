import { type Kysely, sql } from 'kysely'

/** The view of 0039 with the address by which a live member is found, and the time zone that the member has chosen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE OR REPLACE VIEW member_directory AS
  SELECT m.id AS member_id, m.user_id, m.first_name, m.last_name, m.email, m.live_email, m.photo_url,
    COALESCE(JSON_UNQUOTE(JSON_EXTRACT(s.settings, '$.language')), 'fr') AS language,
    JSON_UNQUOTE(JSON_EXTRACT(s.settings, '$.timezone')) AS timezone,
    (m.deleted_at IS NULL AND m.is_active = 1 AND (
      EXISTS (SELECT 1 FROM ecosystem_memberships e
        WHERE e.member_id = m.id AND e.status = 'active' AND e.is_active = 1)
      OR NOT EXISTS (SELECT 1 FROM ecosystem_memberships e WHERE e.member_id = m.id AND e.status = 'active')
    )) AS is_active
  FROM members m LEFT JOIN member_settings s ON s.member_id = m.id
  WHERE m.email NOT LIKE '%@erased.invalid'
  `.execute(db)
}
