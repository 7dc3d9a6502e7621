import { type Kysely, sql } from 'kysely'

/*
 * Steps of migrations that may run again after a process died between a statement and its record. MySQL 8 has no
 * `ADD COLUMN IF NOT EXISTS`, so that each step asks first.
 */

type Db = Kysely<unknown>

async function has(db: Db, kind: 'columns' | 'statistics', table: string, nameColumn: string, name: string) {
  const { rows } = await sql`
    select 1 from ${sql.table(`information_schema.${kind}`)}
    where table_schema = database() and table_name = ${table} and ${sql.ref(nameColumn)} = ${name} limit 1
  `.execute(db)
  return rows.length > 0
}

/** Adds a column unless it is there. @param definition type, default and place, as in ALTER TABLE */
export async function addColumn(db: Db, table: string, column: string, definition: string): Promise<void> {
  if (await has(db, 'columns', table, 'column_name', column)) return
  await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${sql.raw(definition)}`.execute(db)
}

/** Adds an index unless it is there. @param columns in their order, `name desc` where it descends */
export async function addIndex(db: Db, table: string, index: string, columns: string[]): Promise<void> {
  if (await has(db, 'statistics', table, 'index_name', index)) return
  const list = sql.raw(columns.join(', '))
  await sql`alter table ${sql.table(table)} add index ${sql.ref(index)} (${list})`.execute(db)
}

/** Drops an index unless it is gone. */
export async function dropIndex(db: Db, table: string, index: string): Promise<void> {
  if (!(await has(db, 'statistics', table, 'index_name', index))) return
  await sql`alter table ${sql.table(table)} drop index ${sql.ref(index)}`.execute(db)
}
