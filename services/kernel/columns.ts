import { type Kysely, sql } from 'kysely'

/**
 * Whether a table of this database is without a column: for migrations that add one. MariaDB alone knows ADD COLUMN IF
 * NOT EXISTS, and a process may die between the change of a table and the note of it.
 */
export async function lacks(db: Kysely<unknown>, table: string, column: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = ${table} and column_name = ${column}`.execute(db)
  return rows.length === 0
}
