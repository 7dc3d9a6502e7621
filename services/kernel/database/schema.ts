import { type Kysely, sql } from 'kysely'

/*
 * Migration steps that can be repeated after a process died between a statement and its record. MySQL 8 has no `ADD
 * COLUMN IF NOT EXISTS`, so each step checks first. The former version writes the table meanwhile: the database refuses
 * a step that would make it wait.
 */

/** Whether a table of this database has a column. */
export async function hasColumn(db: Kysely<unknown>, table: string, column: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = ${table} and column_name = ${column}
  `.execute(db)
  return rows.length > 0
}

/**
 * Adds a column if it is missing.
 * @param definition type, default and place, as in ALTER TABLE
 */
export async function addColumn(db: Kysely<unknown>, table: string, column: string, definition: string): Promise<void> {
  if (await hasColumn(db, table, column)) return
  const addition = sql`add column ${sql.ref(column)} ${sql.raw(definition)}`
  await sql`alter table ${sql.table(table)} ${addition}, algorithm = instant`.execute(db)
}

/**
 * Adds an index if it is missing.
 * @param columns in order, separated by commas
 */
export async function addIndex(db: Kysely<unknown>, table: string, name: string, columns: string): Promise<void> {
  const { rows } = await sql`
    select 1 from information_schema.statistics
    where table_schema = database() and table_name = ${table} and index_name = ${name}
  `.execute(db)
  if (rows.length > 0) return
  const addition = sql`add key ${sql.ref(name)} (${sql.raw(columns)})`
  await sql`alter table ${sql.table(table)} ${addition}, algorithm = inplace, lock = none`.execute(db)
}
