import { createConnection as createRaw, escape, escapeId, type Connection as RawConnection } from 'mysql2'
import type { Connection, RowDataPacket } from 'mysql2/promise'
import { databaseConnection, explainFailure } from '../../../services/kernel/database/connection.ts'

/* mariadb-dump is neither in the image nor in the server packages that `npm start` downloads. */

/** A connection to a database server whose reads all see the moment it was opened. */
export type Snapshot = {
  connection: Connection
  raw: RawConnection
  /** The server's version. */
  version(): Promise<string>
  close(): Promise<void>
}

const batchChars = 256 * 1024
const binaryTypes = /^(binary|varbinary|tinyblob|blob|mediumblob|longblob|bit)$/

/** Opens a snapshot, which sees no later commits. If it fails, it leaves no connection open. */
export async function openSnapshot(uri: string): Promise<Snapshot> {
  // Whole numbers, decimals and times are read as the server's text, so that nothing is rounded.
  const raw = createRaw({
    ...databaseConnection(uri),
    charset: 'utf8mb4_unicode_ci',
    typeCast: field => field.buffer(),
    rowsAsArray: true,
  })
  const connection = raw.promise()
  await beginSnapshot(connection).catch((error: unknown) => {
    raw.destroy()
    throw explainFailure(error, uri)
  })
  const version = async () => {
    const [rows] = await connection.query<RowDataPacket[]>('select version()')
    return texts(rows)[0]?.[0] ?? ''
  }
  return { connection, raw, version, close: () => connection.end() }
}

async function beginSnapshot(connection: Connection): Promise<void> {
  // Connects first: the fallbacks below would hide the reason of a refused login.
  await connection.connect()
  await connection.query("set session time_zone = '+00:00', transaction_isolation = 'REPEATABLE-READ'").catch(() =>
    // MariaDB's name of the variable.
    connection.query("set session time_zone = '+00:00', tx_isolation = 'REPEATABLE-READ'"),
  )
  await connection
    .query('start transaction with consistent snapshot, read only')
    .catch(() => connection.query('start transaction with consistent snapshot'))
}

/** The cells of rows that arrive as lists of bytes. */
const texts = (rows: RowDataPacket[]): string[][] =>
  rows.map(row => Object.values<Buffer | null>(row).map(value => value?.toString('utf8') ?? ''))

async function ask({ connection }: Snapshot, sql: string, values: string[] = []): Promise<string[][]> {
  const [rows] = await connection.query<RowDataPacket[]>(sql, values)
  return texts(rows)
}

/**
 * Writes a schema as SQL, one statement per line: tables with their rows, then views. `zcat news.sql.gz
 * mysql news` reads it, too.
 * @returns rows per table
 */
export async function dumpSchema(
  snapshot: Snapshot,
  schema: string,
  write: (line: string) => Promise<void>,
): Promise<Record<string, number>> {
  const namesOf = (type: string) =>
    ask(
      snapshot,
      'select table_name from information_schema.tables where table_schema = ? and table_type = ? order by 1',
      [schema, type],
    )
  const rows: Record<string, number> = {}
  for (const line of sessionSettings) await write(line)
  for (const [table = ''] of await namesOf('BASE TABLE')) {
    const tableName = `${escapeId(schema)}.${escapeId(table)}`
    const [definition] = await ask(snapshot, `show create table ${tableName}`)
    await write(oneLine(definition?.[1] ?? ''))
    rows[table] = await dumpRows(snapshot, schema, table, write)
  }
  for (const [view = ''] of await namesOf('VIEW')) {
    const [definition] = await ask(snapshot, `show create view ${escapeId(schema)}.${escapeId(view)}`)
    const text = (definition?.[1] ?? '').replaceAll(`${escapeId(schema)}.`, '')
    await write(oneLine(text.replace(/DEFINER=\S+ /, '')))
  }
  return rows
}

/** Client settings under which the data is restored unchanged: text, time and order. */
const sessionSettings = [
  'set names utf8mb4;',
  "set session time_zone = '+00:00', foreign_key_checks = 0, unique_checks = 0, sql_mode = 'NO_AUTO_VALUE_ON_ZERO';",
]

const oneLine = (statement: string): string => `${statement.replace(/\s*\n\s*/g, ' ')};`

async function dumpRows(
  snapshot: Snapshot,
  schema: string,
  table: string,
  write: (line: string) => Promise<void>,
): Promise<number> {
  // By the expression: MySQL marks a default such as current_timestamp as GENERATED, too.
  const columns = await ask(
    snapshot,
    `select column_name, data_type from information_schema.columns
     where table_schema = ? and table_name = ? and coalesce(generation_expression, '') = '' order by ordinal_position`,
    [schema, table],
  )
  const names = columns.map(([name = '']) => escapeId(name)).join(', ')
  const isBinary = columns.map(([, type = '']) => binaryTypes.test(type.toLowerCase()))
  const head = `insert into ${escapeId(table)} (${names}) values `
  const stream = snapshot.raw.query(`select ${names} from ${escapeId(schema)}.${escapeId(table)}`).stream()
  let count = 0
  let batch: string[] = []
  let size = 0
  const flush = async () => {
    if (batch.length > 0) await write(`${head}${batch.join(', ')};`)
    batch = []
    size = 0
  }
  for await (const row of stream as AsyncIterable<(Buffer | null)[]>) {
    const text = `(${row.map((value, index) => literal(value, isBinary[index] ?? false)).join(', ')})`
    batch.push(text)
    size += text.length
    count++
    if (size > batchChars) await flush()
  }
  await flush()
  return count
}

/** A value as SQL without a line break. */
function literal(value: Buffer | null, isBinary: boolean): string {
  if (value === null) return 'null'
  if (isBinary) return value.length === 0 ? "''" : `0x${value.toString('hex')}`
  return escape(value.toString('utf8'))
}
