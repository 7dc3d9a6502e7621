import { type Kysely, sql } from 'kysely'

/** Team names may repeat: drops the unique key. Its column `live_name` is unread since 0.1. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`SHOW INDEX FROM teams WHERE Key_name = 'teams_name'`.execute(db)
  if (rows.length > 0) await sql`ALTER TABLE teams DROP INDEX teams_name`.execute(db)
}
