import { type Kysely, sql } from 'kysely'

/** Department codes may have 120 characters. Widening the column loses no data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE departments MODIFY code VARCHAR(120) NULL`.execute(db)
}
