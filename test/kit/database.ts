import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import type { Connection } from 'mysql2/promise'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import { leaseMs, msFromNow } from '../../services/kernel/database/lease.ts'
import { kernelMigrations, migrate, migrationFiles } from '../../services/kernel/database/migrate.ts'

export { type TestBus, testBus } from './bus.ts'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/**
 * A separate database with a service's tables, cloned from a template that is migrated once per state of the migration
 * files. TEST_DATABASE_URL names the server and an account that may create databases.
 */
export async function testDatabase(migrationsFolder: URL): Promise<TestDatabase> {
  const server = process.env['TEST_DATABASE_URL']
  if (!server) throw new Error('TEST_DATABASE_URL must name the database server of the tests')
  const template = `template_${await contentHash([kernelMigrations, migrationsFolder])}`
  const name = `test_${randomBytes(8).toString('hex')}`
  await withConnection(server, async connection => {
    await ensureTemplate(connection, server, template, migrationsFolder)
    await connection.query(`create database ${name} character set utf8mb4 collate utf8mb4_unicode_ci`)
    await clone(connection, template, name)
  })
  const drop = () =>
    withConnection(server, async connection => {
      await connection.query(`drop database if exists ${name}`)
    })
  return { url: urlOf(server, name), drop }
}

/**
 * Ends the lease of a killed process, which a test doesn't wait for.
 * @returns whether it was held, for as long as documented at most
 */
export async function endLease<T>(db: Kysely<T>, name: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update leases set expires_at = now(3)
    where name = ${name} and expires_at > now(3) and expires_at <= ${msFromNow(leaseMs)}`.execute(db)
  return numAffectedRows > 0n
}

/** Several test files may need the same template at once: one creates it, the others wait. */
async function ensureTemplate(connection: Connection, server: string, template: string, folder: URL): Promise<void> {
  await connection.query('select get_lock(?, 120)', [template])
  try {
    const [rows] = await connection.query<[]>(
      `select 1 from information_schema.tables where table_schema = ? and table_name = 'template_ready'`,
      [template],
    )
    if (rows.length > 0) return
    // Without the mark, the last attempt did not finish.
    await connection.query(`drop database if exists ${template}`)
    await connection.query(`create database ${template} character set utf8mb4 collate utf8mb4_unicode_ci`)
    const owner = /\/services\/(?!kernel)(\w+)\//.exec(folder.pathname)?.[1]
    await migrate(urlOf(server, template), folder, owner === undefined ? {} : { owner })
    await connection.query(`create table ${template}.template_ready (id int primary key)`)
  } finally {
    await connection.query('select release_lock(?)', [template])
  }
}

async function clone(connection: Connection, template: string, name: string): Promise<void> {
  await connection.query('set session foreign_key_checks = 0')
  await connection.query(`use ${name}`)
  const tables = await names(connection, template, 'BASE TABLE')
  for (const table of tables) {
    if (table === 'template_ready') continue
    const [rows] = await connection.query<[]>(`show create table ${template}.\`${table}\``)
    await connection.query(String(first(rows)['Create Table']))
    await copyRows(connection, template, table)
  }
  // A view may read another one that doesn't exist yet, and is then retried.
  const views = await names(connection, template, 'VIEW')
  for (let tries = views.length * views.length; views.length > 0; tries--) {
    const view = views.shift() ?? ''
    const [rows] = await connection.query<[]>(`show create view ${template}.\`${view}\``)
    const text = String(first(rows)['Create View']).replaceAll(`\`${template}\`.`, `\`${name}\`.`)
    try {
      await connection.query(text.replace(/DEFINER=\S+ /, ''))
    } catch (error) {
      if (tries <= 0) throw error
      views.push(view)
    }
  }
}

async function copyRows(connection: Connection, template: string, table: string): Promise<void> {
  const [rows] = await connection.query<[]>(`select 1 from ${template}.\`${table}\` limit 1`)
  if (rows.length === 0) return
  const [columns] = await connection.query<[]>(
    `select column_name as name from information_schema.columns
     where table_schema = ? and table_name = ? and coalesce(generation_expression, '') = ''`,
    [template, table],
  )
  const list = (columns as Record<string, unknown>[]).map(column => `\`${String(column['name'])}\``).join(', ')
  await connection.query(`insert into \`${table}\` (${list}) select ${list} from ${template}.\`${table}\``)
}

async function names(connection: Connection, schema: string, type: string): Promise<string[]> {
  const [rows] = await connection.query<[]>(
    'select table_name as name from information_schema.tables where table_schema = ? and table_type = ? order by 1',
    [schema, type],
  )
  return (rows as Record<string, unknown>[]).map(row => String(row['name']))
}

function first(rows: unknown): Record<string, unknown> {
  const [row] = rows as Record<string, unknown>[]
  return row ?? {}
}

async function contentHash(folders: URL[]): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of folders) {
    for (const file of await migrationFiles(folder)) {
      hash.update(`${file}\0`).update(await readFile(new URL(file, folder)))
    }
  }
  return hash.digest('hex').slice(0, 24)
}

async function withConnection(server: string, work: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = await connectDatabase(server, { charset: 'utf8mb4_unicode_ci' })
  try {
    await work(connection)
  } finally {
    await connection.end()
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
