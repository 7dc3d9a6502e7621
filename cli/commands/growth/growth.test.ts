import { readFileSync } from 'node:fs'
import { newId } from '../../../services/kernel/base/ids.ts'
import { serviceNames } from '../../../services/kernel/base/service-names.ts'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { type TestDatabase, testDatabase } from '../../../test/kit/database.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import { CommandError } from '../command.ts'
import { growthCommand } from './growth.ts'
import { growingTables } from './tables.ts'

const test = suite('platform growth')
const databases = new Map<string, TestDatabase>()
let env: Environment

test.before(async () => {
  for (const name of serviceNames)
    databases.set(name, await testDatabase(new URL(`../../../services/${name}/migrations/`, import.meta.url)))
  env = Object.fromEntries([...databases].map(([name, { url }]) => [`${name.toUpperCase()}_DATABASE_URL`, url]))
})
test.after(async () => {
  for (const database of databases.values()) await database.drop()
})

async function within<T>(service: string, run: (ask: (text: string, ...values: unknown[]) => Promise<unknown[]>) => T) {
  const db = await connectDatabase(databases.get(service)?.url ?? '')
  try {
    return await run(async (text, ...values) => (await db.query(text, values))[0] as unknown[])
  } finally {
    await db.end()
  }
}

type Shown = { service: string; table: string; retention: string } & Record<
  'rows' | 'bytes' | 'rowsPerDay' | 'cleanedAt',
  unknown
>

async function readGrowth(overrides: Environment = {}) {
  const run = { words: [], optionValues: {}, isJson: true, print: () => undefined, stream: () => undefined }
  const { data, text } = await growthCommand.run({ env: { ...env, ...overrides }, ...run })
  const { tables } = data as { tables: Shown[] }
  return { tables, text, tableOf: (name: string) => tables.find(({ table }) => table === name) }
}

/** They hold settings, counters or work in progress: their number follows hotels, people and pages, not time. */
const bounded = [
  ...['kysely_migration', 'kysely_migration_lock', 'cleanings', 'leases', 'schema_owner', 'administrators'],
  ...['password_resets', 'mails'],
  ...['email_verifications', 'ecosystem_credentials', 'rate_counters', 'route_usage', 'workspaces'],
  ...['address_changes', 'permissions', 'workspace_roles', 'role_permissions', 'teams', 'team_members', 'departments'],
  ...['department_members', 'member_settings', 'member_activity', 'workspace_revisions', 'audit_totals', 'hotel_types'],
  ...['hotel_groups', 'hotel_settings', 'hotels', 'media_storage', 'media_uploads', 'categories'],
  ...['media_removals', 'page_counters', 'templates', 'pins', 'page_preferences', 'must_reads'],
  ...['acknowledgements', 'polls', 'poll_votes', 'preferences', 'preference_changes', 'subscriptions', 'digests'],
  ...[
    'digest_items',
    'delivery_hours',
    'ended_entities',
    'erased_members',
    'mail_counters',
    'payment_customers',
    'payment_subscriptions',
    'webhooks',
  ],
]

test('every table of every service is listed as growing or as bounded', async () => {
  for (const service of serviceNames) {
    const listedTables = new Set(growingTables.filter(each => each.service === service).map(({ table }) => table))
    const rows = (await within(service, ask =>
      ask(
        "select table_name as name from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE'",
      ),
    )) as { name: string }[]
    const names = rows.map(({ name }) => name)
    assert.equal(
      names.filter(name => !listedTables.has(name) && !bounded.includes(name)),
      [],
      `Add a new table of ${service} to \`growing\` in cli/commands/growth/tables.ts if it grows with time, otherwise to \`bounded\` in cli/commands/growth/growth.test.ts.`,
    )
    assert.equal(
      [...listedTables].filter(name => !names.includes(name)),
      [],
    )
  }
})

test('it shows rows, bytes, rows per day of the last week, retention and the last cleaning', async () => {
  const idOf = (daysAgo: number) => newId(Date.now() - daysAgo * 86_400_000)
  await within('news', async ask => {
    const views = Array.from({ length: 90 }, (_, i) => [idOf(i < 70 ? 1 : 20), newId(), newId(), newId(), new Date()])
    await ask('insert into page_views (id, workspace_id, page_id, member_id, created_at) values ?', views)
    await ask("insert into cleanings values ('page_views', '2026-01-02 03:04:05', 7)")
    await ask('analyze table page_views')
  })
  await within('member', ask =>
    ask(
      `insert into audit_entries (id, actor_id, actor_name, actor_type, action, entity, entity_id, created_at)
      select id, id, 'A', 'system', 'x', 'member', id, now(3) - interval 1 day from permissions limit 7`,
    ),
  )
  const { tableOf, text, tables } = await readGrowth({ VIEWS_KEPT_DAYS: '365' })
  const views = tableOf('page_views')
  assert.equal(
    [views?.rows, views?.rowsPerDay, views?.retention, views?.cleanedAt],
    [90, 10, '365 days (VIEWS_KEPT_DAYS)', new Date('2026-01-02T03:04:05Z')],
  )
  assert.ok(Number(views?.bytes) > 10_000)
  assert.match(
    text,
    /news\.page_views +90 +\d+\.\d kB +10 +\d+\.\d kB +365 days \(VIEWS_KEPT_DAYS\) +2026-01-02 03:04:05/,
  )
  assert.equal([tableOf('audit_entries')?.retention, tableOf('pages')?.rowsPerDay], ['for ever (AUDIT_KEPT_DAYS=0)', 0])
  assert.is(tableOf('page_days')?.rowsPerDay, null)
  const bytes = tables.map(each => Number(each.bytes))
  assert.equal(
    bytes,
    bytes.toSorted((a, b) => b - a),
  )
  assert.is(
    (await readGrowth({ NEWS_VIEWS_KEPT_DAYS: '9' })).tableOf('page_views')?.retention,
    '9 days (VIEWS_KEPT_DAYS)',
  )
})

test('a database that does not answer, or has no tables, is named', async () => {
  const readRefusal = async (overrides: Environment) => {
    try {
      await readGrowth(overrides)
      return assert.unreachable()
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      return [error.exitCode, error.message.split(':')[0]]
    }
  }
  assert.equal(await readRefusal({ NEWS_DATABASE_URL: 'mysql://nobody@127.0.0.1:1/x' }), [3, 'news'])
  const empty = Object.assign(new URL(databases.get('news')?.url ?? ''), { pathname: '/information_schema' })
  assert.equal(await readRefusal({ NEWS_DATABASE_URL: empty.href }), [1, 'news has no table cleanings'])
})

test('the retention that it shows without a setting is the documented one', () => {
  const exampleEnv = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
  for (const { retention } of growingTables)
    if (typeof retention !== 'string')
      assert.match(exampleEnv, new RegExp(`^#${retention.setting}=${retention.days}$`, 'm'))
})

test.run()
