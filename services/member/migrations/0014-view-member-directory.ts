import { type Kysely, sql } from 'kysely'

/** Read by the news and notification services, which may read nothing else here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE OR REPLACE VIEW member_directory AS
  SELECT m.id AS member_id, m.user_id, m.first_name, m.last_name, m.email, m.photo_url,
    COALESCE(JSON_UNQUOTE(JSON_EXTRACT(s.settings, '$.language')), 'fr') AS language
  FROM members m LEFT JOIN member_settings s ON s.member_id = m.id
  WHERE m.deleted_at IS NULL AND m.is_active = 1
  `.execute(db)
}
