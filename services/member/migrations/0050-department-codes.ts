import { type Kysely, sql } from 'kysely'

/** Clients have codes of departments that are longer than 40 characters. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE departments MODIFY code VARCHAR(120) NULL`.execute(db)
}
