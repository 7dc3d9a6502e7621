import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { endLease, type TestDatabase, testDatabase } from '../../../test/kit/database.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import { startWorker } from '../../../test/kit/worker-process.ts'
import { ConfigError } from '../process/config.ts'
import { closeDatabase, openDatabase } from './database.ts'
import { kernelMigrations, migrate } from './migrate.ts'
import { addColumn, addIndex, hasColumn } from './schema.ts'

const test = suite('migrations')
const folders: string[] = []
let database: TestDatabase
let db: Kysely<unknown>

test.before.each(async () => {
  database = await testDatabase(kernelMigrations)
  db = openDatabase(database.url)
  await sql`create table notes (at int auto_increment primary key, text varchar(20))`.execute(db)
})
test.after.each(async () => {
  await closeDatabase(db)
  await database.drop()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** A folder of migrations. `bodies` are what `up` does to `db`, by file name. */
function folderOf(bodies: Record<string, string>): URL {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  folders.push(folder)
  const kysely = import.meta.resolve('kysely')
  for (const [name, body] of Object.entries(bodies))
    writeFileSync(join(folder, name), `import { sql } from '${kysely}'\nexport async function up(db) { ${body} }`)
  return pathToFileURL(`${folder}/`)
}

/** A migration that leaves a trace each time it runs. */
const note = (text: string) => `await sql\`insert into notes (text) values ('${text}')\`.execute(db)`
const noted = async () =>
  (await sql<{ text: string }>`select text from notes order by at`.execute(db)).rows.map(({ text }) => text)

test('repeating a migration, also from several processes at once, changes nothing', async () => {
  const runs = await Promise.all([1, 2, 3].map(() => migrate(database.url, kernelMigrations)))
  assert.equal(runs.flat(), [])
})

test('a column that the database would have to rewrite the table for is refused, and nothing is added', async () => {
  await sql`create table stays_written (id int primary key, text varchar(20) not null)`.execute(db)
  const rewriting = 'varchar(20) as (upper(text)) stored'
  const refusal = await addColumn(db, 'stays_written', 'upper', rewriting).then(String, String)
  assert.match(refusal, 'ER_ALTER_OPERATION_NOT_SUPPORTED')
  assert.not(await hasColumn(db, 'stays_written', 'upper'))
  await addColumn(db, 'stays_written', 'color', "varchar(20) not null default 'red'")
  await addIndex(db, 'stays_written', 'stays_written_text', 'text')
  assert.ok(await hasColumn(db, 'stays_written', 'color'))
})

test('an older version starts on a database migrated by a newer one, and applies what it misses', async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2031-01-01T00:00:00.000Z')`.execute(
    db,
  )
  assert.equal(await migrate(database.url, kernelMigrations), [])
  const folder = folderOf({ '0001-missed.ts': note('missed') })
  assert.equal(await migrate(database.url, folder), ['0001-missed'])
  assert.equal(await noted(), ['missed'])
})

test('code is refused on a schema from which a later version has removed what it reads, in one line', async () => {
  const record = (name: string) =>
    sql`insert into kysely_migration (name, timestamp) values (${name}, '2031-01-01T00:00:00.000Z')`.execute(db)
  await record('0012-since-0-1-no-names')
  assert.equal(await migrate(database.url, kernelMigrations), [])
  await record('0013-since-99-1-no-colors')
  const error = await migrate(database.url, folderOf({ '0001-own.ts': note('own') })).then(String, String)
  const schema = new URL(database.url).pathname.slice(1)
  assert.match(
    error,
    new RegExp(
      `^ConfigError: the schema ${schema} was migrated by a later version \\(0013-since-99-1-no-colors\\), and this is [\\d.]+: start 99.1 or later, or restore a backup`,
    ),
  )
  assert.equal(await noted(), [])
})

test('a schema belongs to the service that migrates it first, and is refused to every other one in one line', async () => {
  const refusalOf = async (owner: string, folder: URL) => {
    const error = await migrate(database.url, folder, { owner }).then(String, (thrown: unknown) => thrown)
    assert.instance(error, ConfigError)
    return String(error).replace(/^ConfigError: /, '')
  }
  const schema = new URL(database.url).pathname.slice(1)
  const members = folderOf({ '0001-members.ts': note('members') })
  const users = folderOf({ '0001-users.ts': note('users') })
  await sql`delete from kysely_migration`.execute(db)
  await migrate(database.url, members, { owner: 'member' })
  assert.is(
    await refusalOf('auth', users),
    `AUTH_DATABASE_URL: the schema ${schema} belongs to the service member; give auth its own`,
  )
  assert.equal(await noted(), ['members'])
})

test('a schema of before the first release is refused in one line that says what to do', async () => {
  await sql`delete from kysely_migration`.execute(db)
  await sql`insert into kysely_migration (name, timestamp) values ('0001-users', '2026-01-01'), ('kernel-0001-outbox', '')`.execute(
    db,
  )
  const folder = folderOf({ '0001-baseline.ts': note('baseline') })
  const error = await migrate(database.url, folder, { owner: 'auth' }).then(String, (thrown: unknown) => thrown)
  assert.instance(error, ConfigError)
  assert.match(String(error), /^ConfigError: AUTH_DATABASE_URL: .* before the first release .* delete the data folder/)
  assert.equal(await noted(), [])
})

test('of two services that start at once on one empty schema, one gets it', async () => {
  await sql`delete from kysely_migration`.execute(db)
  const folders = ['a', 'b'].map(name => folderOf({ [`0001-${name}.ts`]: note(name) }))
  const runs = await Promise.allSettled(
    folders.map((folder, index) => migrate(database.url, folder, { owner: `s${index}` })),
  )
  assert.equal(runs.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.is((await noted()).length, 1)
})

test('several processes that start at once apply a migration once', async () => {
  const folder = folderOf({ '0001-first.ts': note('first'), '0002-second.ts': note('second') })
  const localRuns = [1, 2].map(() => migrate(database.url, folder))
  const workers = [1, 2].map(() => startWorker({ WORKER: 'migrate', DATABASE: database.url, FOLDER: folder.href }))
  await Promise.all(localRuns)
  for (const process of workers) assert.is(await process.exitStatus, '0')
  assert.equal(await noted(), ['first', 'second'])
})

test('a process killed while it migrates is replaced when its lease expires, at most 30 s later', async () => {
  const die = `${note('second')}; if (process.env.WORKER) process.kill(process.pid, 'SIGKILL')`
  const folder = folderOf({ '0001-first.ts': note('first'), '0002-second.ts': die, '0003-third.ts': note('third') })
  const killed = startWorker({ WORKER: 'migrate', DATABASE: database.url, FOLDER: folder.href })
  assert.is(await killed.exitStatus, 'SIGKILL')
  const next = migrate(database.url, folder)
  assert.ok(await endLease(db, 'migrations'))
  assert.equal(await next, ['0002-second', '0003-third'])
  assert.equal(await noted(), ['first', 'second', 'second', 'third'], 'the interrupted migration runs again')
})

test('a process that has lost its lease applies no further migration', async () => {
  const lose = "await sql`update leases set holder = 'another'`.execute(db)"
  const folder = folderOf({ '0001-first.ts': lose, '0002-second.ts': note('second') })
  assert.match(await migrate(database.url, folder).then(String, String), /0002-second .*another process has taken over/)
  assert.equal(await noted(), [])
})

const allMigrations = readdirSync(new URL('../..', import.meta.url))
  .flatMap(name => [`../../${name}/migrations/`, `../../${name}/database/migrations/`])
  .map(folder => new URL(folder, import.meta.url))
  .filter(existsSync)
  .flatMap(folder => readdirSync(folder).map(name => new URL(name, folder)))

test('migrations only add: the name of one that takes something away holds the first version that can do without, unless no data is lost', () => {
  assert.ok(allMigrations.length >= 8)
  const takesAway =
    /\b(drop\s+(table|column|index|key|view)|rename|modify|change\s+column|truncate)\b|\.(drop|rename)\w*\(/i
  const wrong = allMigrations.filter(file => {
    const text = readFileSync(file, 'utf8')
    return takesAway.test(text) && !/-since-\d+-\d+/.test(file.pathname) && !text.includes('loses no data')
  })
  assert.equal(wrong.map(String), [])
})

test('every table defines its collation, because the defaults of servers differ', () => {
  const wrong = allMigrations.filter(file => {
    const text = readFileSync(file, 'utf8')
    return /create table/i.test(text) && !/default charset=utf8mb4 collate=utf8mb4_unicode_ci/i.test(text)
  })
  assert.equal(wrong.map(String), [])
})

const migrationError = (name: string, body: string) =>
  migrate(database.url, folderOf({ [name]: body })).then(String, String)

test('a failing migration is reported by name', async () => {
  const error = await migrationError('0001-broken.ts', "throw new Error('no such thing')")
  assert.match(error, '0001-broken')
  assert.match(error, 'no such thing')
})

test('a migration with a wrong name is an error that names it', async () => {
  for (const name of ['1-notes.ts', '0001_notes.ts', '0001-Notes.ts', '0001-notes.js', '0001-notes %41.ts'])
    assert.match(await migrationError(name, ''), `${name} needs a name like 0001-name.ts`)
})

test.run()
