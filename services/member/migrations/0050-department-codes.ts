import { type Kysely, sql } from 'kysely'

/** Codes of departments may have 120 characters: the column grows, which takes nothing away. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE departments MODIFY code VARCHAR(120) NULL`.execute(db)
}
