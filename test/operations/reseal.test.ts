import { reseal, sealedColumns } from '../../cli/commands/keys/reseal.ts'
import { newSecret } from '../../cli/stack/secrets.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { cipher } from '../../services/kernel/base/secrets.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import { testDatabase } from '../kit/database.ts'
import { assert, suite } from '../kit/kit.ts'

const test = suite('resealing of stored secrets')

const names = [...new Set(sealedColumns.map(({ service }) => service))]
const databases = await Promise.all(
  names.map(name => testDatabase(new URL(`../../services/${name}/migrations/`, import.meta.url))),
)
const [former, present, foreign] = [1, 2, 3].map(() => newSecret('PASSWORD_ENCRYPTION_KEY'))
const env = {
  ...Object.fromEntries(names.map((name, at) => [`${name.toUpperCase()}_DATABASE_URL`, databases[at]?.url])),
  PASSWORD_ENCRYPTION_KEY: present,
  PASSWORD_ENCRYPTION_KEY_PREVIOUS: former,
}
test.after(async () => {
  for (const each of databases) await each.drop()
})

/** Required columns. */
const needed: Record<string, (id: string) => Record<string, string>> = {
  ecosystem_credentials: id => ({ api_key: id, permissions: '[]' }),
  password_resets: id => ({ token_digest: id }),
  member_settings: () => ({ settings: '{}', preferences: '{}' }),
  webhooks: () => ({ event_types: '[]' }),
}

/** Runs statements without checks for other rows and columns. */
async function over<T>(
  service: string,
  run: (query: (sql: string, values?: unknown[]) => Promise<T>) => Promise<void>,
) {
  const db = await connectDatabase(databases[names.findIndex(name => name === service)]?.url ?? '')
  try {
    await db.query("set foreign_key_checks = 0, sql_mode = ''")
    await run(async (sql, values) => (await db.query(sql, values))[0] as T)
  } finally {
    await db.end()
  }
}

for (const { service, table, column, purpose, id = 'id' } of sealedColumns)
  test(`${service}.${table}.${column}: only values sealed with the previous key change, and keep their content`, async () => {
    const [oldCipher, ownCipher, strangeCipher] = [former, present, foreign].map(key => cipher(purpose, [key ?? '']))
    const texts = { old: 'clé,1'.repeat(20), own: 'already', strange: 'lost' }
    const rows = {
      old: [newId(), oldCipher?.seal(texts.old)],
      // Long mails are sealed in pieces.
      pieces: [newId(), [oldCipher?.seal('one'), ownCipher?.seal('two')].join(',')],
      own: [newId(), ownCipher?.seal(texts.own)],
      strange: [newId(), strangeCipher?.seal(texts.strange)],
      none: [newId(), null],
    }
    await over<Record<string, string>[]>(service, async query => {
      const [{ nullable = 'NO' } = {}] = await query(
        'select is_nullable as nullable from information_schema.columns where table_schema = database() and table_name = ? and column_name = ?',
        [table, column],
      )
      for (const row of Object.values(rows)) {
        if (row[1] === null && nullable === 'NO') continue
        const neededColumns = needed[table]?.(row[0] ?? '') ?? {}
        const columns = [id, column, ...Object.keys(neededColumns)].join(', ')
        await query(`insert into ${table} (${columns}) values (?)`, [[...row, ...Object.values(neededColumns)]])
      }
      const expectedCounts = { service, table, column, examined: 4, resealed: 2, unreadable: 1 }
      const findCounts = (all: { table: string; column: string }[]) =>
        all.find(one => one.table === table && one.column === column)
      assert.equal(findCounts(await reseal(env, true)), expectedCounts)
      const before = await query(`select ${id} as id, ${column} as sealed from ${table} order by ${id}`)
      assert.equal(findCounts(await reseal(env, false)), expectedCounts)
      assert.equal(findCounts(await reseal(env, false)), { ...expectedCounts, resealed: 0 })
      const after = await query(`select ${id} as id, ${column} as sealed from ${table} order by ${id}`)
      const findSealed = (all: Record<string, string>[], row: unknown[]) =>
        all.find(one => one['id'] === row[0])?.['sealed'] ?? ''
      assert.is(ownCipher?.open(findSealed(after, rows.old)), texts.old)
      assert.equal(
        findSealed(after, rows.pieces)
          .split(',')
          .map(piece => ownCipher?.open(piece)),
        ['one', 'two'],
      )
      for (const row of [rows.own, rows.strange]) assert.is(findSealed(after, row), findSealed(before, row))
    })
  })

test.run()
