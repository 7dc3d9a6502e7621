import type { Connection } from 'mysql2/promise'
import { lowestIdAt } from '../../../services/kernel/base/ids.ts'
import { type ServiceName, serviceNames } from '../../../services/kernel/base/service-names.ts'
import { connectDatabase, queryRows } from '../../../services/kernel/database/connection.ts'
import { type Environment, readSetting } from '../../../services/kernel/process/config.ts'
import { databaseUrlOf } from '../../environment.ts'
import { messageOf } from '../../stack/messages.ts'
import { type CliCommand, CommandError, exitCodes } from '../command.ts'
import { settingsOf } from '../operator-settings.ts'
import { table, time } from '../print.ts'
import { type GrowingTable, growingTables } from './tables.ts'

type TableGrowth = {
  service: ServiceName
  table: string
  /** Estimated by the database from its statistics. */
  rows: number
  bytes: number
  /** Mean of the last seven days; null for a table without an index on a time. */
  rowsPerDay: number | null
  retention: string
  /** When old rows were last deleted. */
  cleanedAt: Date | null
}

const lookBackDays = 7

/** The size and growth of each table. */
export const growthCommand: CliCommand = {
  name: 'growth',
  summary: 'rows, bytes, rows per day and retention of the tables that grow, largest first',
  async run({ env }) {
    const settings = settingsOf(env)
    const tables = (await Promise.all(serviceNames.map(name => ofService(name, settings)))).flat()
    tables.sort((a, b) => b.bytes - a.bytes)
    const rows = tables.map(table => [
      `${table.service}.${table.table}`,
      table.rows.toLocaleString('en'),
      size(table.bytes),
      table.rowsPerDay?.toLocaleString('en') ?? '',
      size(((table.rowsPerDay ?? 0) * table.bytes) / Math.max(1, table.rows)),
      table.retention,
      time(table.cleanedAt?.toISOString()),
    ])
    const head = ['table', 'rows', 'size', 'rows/day', 'size/day', 'kept', 'cleaned']
    return { data: { tables }, text: `${table(head, rows)}\n\nRows and sizes are the database's estimates.` }
  },
}

async function ofService(service: ServiceName, env: Environment): Promise<TableGrowth[]> {
  const url = databaseUrlOf(env, service)
  if (!url) throw new CommandError(`No database is configured for ${service}: set DATABASE_URL or DATA_DIR.`)
  const db = await connectDatabase(url, { connectTimeout: 3_000, timezone: 'Z' }).catch((error: unknown) => {
    throw new CommandError(`${service}: ${messageOf(error)}`, exitCodes.unreachable)
  })
  try {
    const sizes = await queryRows(
      db,
      `select table_name as name, table_rows as n, data_length + index_length as bytes
      from information_schema.tables where table_schema = database()`,
    )
    const ownTables = growingTables.filter(candidate => candidate.service === service)
    const missingTable = ['cleanings', ...ownTables.map(one => one.table)].find(
      table => !sizes.some(({ name }) => name === table),
    )
    if (missingTable !== undefined)
      throw new CommandError(`${service} has no table ${missingTable}: run npm run platform -- migrate.`)
    const cleanings = await queryRows(db, 'select table_name as name, cleaned_at as at from cleanings')
    const tables: TableGrowth[] = []
    for (const one of ownTables) {
      const row = sizes.find(({ name }) => name === one.table)
      const cleaned = cleanings.find(({ name }) => name === one.table)
      tables.push({
        ...{ service, table: one.table },
        rows: Number(row?.['n'] ?? 0),
        bytes: Number(row?.['bytes'] ?? 0),
        rowsPerDay: await rowsPerDay(db, one),
        retention: retentionText(one, env),
        cleanedAt: (cleaned?.['at'] as Date | undefined) ?? null,
      })
    }
    return tables
  } finally {
    db.destroy()
  }
}

/** From the planner's estimate of a range in an index, which takes no time however many rows there are. */
async function rowsPerDay(db: Connection, { table: name, since }: GrowingTable): Promise<number | null> {
  if (!since) return null
  const from = new Date(Date.now() - lookBackDays * 86_400_000)
  const { column, index } = since === 'id' ? { column: 'id', index: 'primary' } : since
  const [plan] = await queryRows(
    db,
    `explain format=traditional select ${column} from ${name} force index (${index}) where ${column} >= ?`,
    since === 'id' ? lowestIdAt(from) : from,
  )
  // Without a matching row the plan names no table.
  return plan?.['table'] ? Math.round(Number(plan['rows']) / lookBackDays) : 0
}

function retentionText({ service, retention }: GrowingTable, env: Environment): string {
  if (typeof retention === 'string') return retention
  const days = Number(readSetting(env, service.toUpperCase(), retention.setting) ?? retention.days)
  return days === 0 ? `for ever (${retention.setting}=0)` : `${days} days (${retention.setting})`
}

/** Bytes in the unit that people read. */
function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
