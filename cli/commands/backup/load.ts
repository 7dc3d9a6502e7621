import { escapeId } from 'mysql2'
import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2/promise'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'

async function withConnection<T>(uri: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connectDatabase(uri, { charset: 'utf8mb4_unicode_ci' })
  try {
    return await work(connection)
  } finally {
    await connection.end()
  }
}

async function placesIn(connection: Connection): Promise<{ name: string; isView: boolean }[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'select table_name as name, table_type as kind from information_schema.tables where table_schema = database()',
  )
  return rows.map(row => ({ name: String(row['name']), isView: row['kind'] === 'VIEW' }))
}

/** Names of the tables and views of a schema. */
export const tablesOf = (uri: string): Promise<string[]> =>
  withConnection(uri, async connection => (await placesIn(connection)).map(({ name }) => name))

/** How many other connections use a schema, as far as the account may see them: its own at least. */
export const connectionsTo = (uri: string): Promise<number> =>
  withConnection(uri, async connection => {
    const [rows] = await connection.query<RowDataPacket[]>(
      'select count(*) as n from information_schema.processlist where db = database() and id <> connection_id()',
    )
    return Number(rows[0]?.['n'])
  })

/** Drops every table and view of a schema. */
export const emptySchema = (uri: string): Promise<void> =>
  withConnection(uri, async connection => {
    await connection.query('set session foreign_key_checks = 0')
    for (const { name, isView } of await placesIn(connection))
      await connection.query(`drop ${isView ? 'view' : 'table'} if exists ${escapeId(name)}`)
  })

/**
 * Runs the statements of a dump in an empty schema.
 * @returns inserted rows per table
 */
export const loadSchema = (uri: string, lines: AsyncIterable<string>): Promise<Record<string, number>> =>
  withConnection(uri, async connection => {
    await connection.query(
      `set session time_zone = '+00:00', foreign_key_checks = 0, unique_checks = 0, autocommit = 0,
       sql_mode = 'NO_AUTO_VALUE_ON_ZERO'`,
    )
    const rows: Record<string, number> = {}
    const views: string[] = []
    for await (const line of lines) {
      // A view may read a later one.
      if (/^create [^`]*\bview\b/i.test(line)) {
        views.push(line)
        continue
      }
      const [result] = await connection.query<ResultSetHeader>(line)
      const table = /^(?:insert into|create table) `([^`]+)`/i.exec(line)?.[1]
      if (table === undefined) continue
      rows[table] = (rows[table] ?? 0) + (/^insert/i.test(line) ? result.affectedRows : 0)
    }
    await connection.query('commit')
    await makeViews(connection, views)
    return rows
  })

async function makeViews(connection: Connection, views: string[]): Promise<void> {
  for (let remaining = views; remaining.length > 0; ) {
    const failures: { view: string; error: unknown }[] = []
    for (const view of remaining) await connection.query(view).catch((error: unknown) => failures.push({ view, error }))
    if (failures.length === remaining.length) throw failures[0]?.error
    remaining = failures.map(({ view }) => view)
  }
}
