import { type Kysely, sql } from 'kysely'

/** Read by the news and notification services, which may read nothing else here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  CREATE OR REPLACE VIEW workspace_directory AS
  SELECT w.id AS workspace_id, w.name, w.ecosystem_id,
    COALESCE(JSON_UNQUOTE(JSON_EXTRACT(w.settings, '$.timezone')), 'Europe/Paris') AS timezone
  FROM workspaces w
  WHERE w.deleted_at IS NULL AND w.is_active = 1 AND w.closed_at IS NULL
  `.execute(db)
}
