import { type Kysely, sql } from 'kysely'

/** All members who aren't erased, so that their content keeps their names. `is_active` says who may be notified. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE OR REPLACE VIEW member_directory AS
  SELECT m.id AS member_id, m.user_id, m.first_name, m.last_name, m.email, m.photo_url,
    COALESCE(JSON_UNQUOTE(JSON_EXTRACT(s.settings, '$.language')), 'fr') AS language,
    (m.deleted_at IS NULL AND m.is_active = 1) AS is_active
  FROM members m LEFT JOIN member_settings s ON s.member_id = m.id
  WHERE m.email NOT LIKE '%@erased.invalid'
  `.execute(db)
}
