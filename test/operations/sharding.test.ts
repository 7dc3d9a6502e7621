import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RowDataPacket } from 'mysql2/promise'
import { tenantTables as auth } from '../../services/auth/tables.ts'
import { tenantTables as hotel } from '../../services/hotel/tables.ts'
import { serviceNames } from '../../services/kernel/base/service-names.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import type { TenantTables } from '../../services/kernel/database/tenant-guard.ts'
import { tenantTables as media } from '../../services/media/tables.ts'
import { tenantTables as member } from '../../services/member/tables.ts'
import { tenantTables as news } from '../../services/news/tables.ts'
import { tenantTables as notification } from '../../services/notification/tables.ts'
import { testDatabase } from '../kit/database.ts'
import { assert, suite } from '../kit/kit.ts'

const test = suite('sharding keys in docs/guides/scale.md')
const guards: Record<string, TenantTables> = { auth, hotel, media, member, news, notification, payment: {} }

/** A table's row in the guide. `parent` is the table that the key refers to. */
type Listed = { table: string; key: string | undefined; parent: string | undefined; reason: string }

const inTicks = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)

function listedOf(schema: string): Listed[] {
  const guide = readFileSync(fileURLToPath(new URL('../../docs/guides/scale.md', import.meta.url)), 'utf8')
  const [, section = ''] = guide.split('### Hotels over several database servers\n')
  return (section.split('\n#')[0] ?? '')
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()))
    .filter(([, name]) => name === schema || name === 'all')
    .flatMap(([, , tables = '', keys = '', reason = '']) => {
      const [key, parent] = inTicks(keys)
      return inTicks(tables).map(table => ({ table, key, parent, reason }))
    })
}

/** The columns of each table of a migrated schema. */
async function columnsOf(schema: string): Promise<Map<string, string[]>> {
  const database = await testDatabase(new URL(`../../services/${schema}/migrations/`, import.meta.url))
  const connection = await connectDatabase(database.url)
  const [rows] = await connection.query<RowDataPacket[]>(
    `select table_name as name, group_concat(column_name) as columns
     from information_schema.tables join information_schema.columns using (table_schema, table_name)
     where table_schema = database() and table_type = 'BASE TABLE' group by table_name`,
  )
  await connection.end()
  await database.drop()
  return new Map(rows.map(row => [String(row['name']), String(row['columns']).split(',')]))
}

/** The columns that name a hotel or a workspace among those that the tenant guard accepts. */
function guardKeys(schema: string, table: string): string[] {
  const columns = [guards[schema]?.[table]?.tenant ?? []].flat()
  return columns.filter(column => /^(id|ecosystem_id|workspace_id)$/.test(column))
}

for (const schema of serviceNames) {
  test(`every table of ${schema} is listed once, with a key that it has or the reason why it has none`, async () => {
    const listedTables = listedOf(schema)
    const columns = await columnsOf(schema)
    assert.equal(listedTables.map(({ table }) => table).toSorted(), [...columns.keys()].toSorted())
    const keyed = new Set(listedTables.filter(({ key }) => key !== undefined).map(({ table }) => table))
    for (const { table, key, parent, reason } of listedTables) {
      if (key === undefined) assert.ok(reason, `${table} needs a key or a reason`)
      else assert.ok(columns.get(table)?.includes(key), `${table} has no column ${key}`)
      if (parent !== undefined) assert.ok(keyed.has(parent), `${parent}, the parent of ${table}, needs a key`)
    }
  })

  test(`the keys of ${schema} are those of the tenant guard`, () => {
    for (const { table, key } of listedOf(schema)) {
      const guardColumns = guardKeys(schema, table)
      if (guardColumns.length > 0)
        assert.ok(key !== undefined && guardColumns.includes(key), `${table}: ${guardColumns.join(' or ')}`)
    }
  })
}

test.run()
