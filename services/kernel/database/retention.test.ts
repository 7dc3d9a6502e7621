import { type Kysely, sql } from 'kysely'
import { endLease, type TestDatabase, testDatabase } from '../../../test/kit/database.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import { startWorker } from '../../../test/kit/worker-process.ts'
import { closeDatabase, openDatabase } from './database.ts'
import { kernelMigrations } from './migrate.ts'
import { deleteExpired, deleteInParts, deleteOldRows, purgeKernelTables } from './retention.ts'

const test = suite('retention')
let database: TestDatabase
let db: Kysely<{ outbox: { id: string } }>

test.before(async () => {
  database = await testDatabase(kernelMigrations)
  db = openDatabase(database.url)
})
test.after(async () => {
  await closeDatabase(db)
  await database.drop()
})

const cleanings = async () =>
  (
    await sql<{ table_name: string; deleted_rows: number; age: number }>`
    select table_name, deleted_rows, timestampdiff(second, cleaned_at, now(3)) as age from cleanings
    order by table_name`.execute(db)
  ).rows

test('rows are deleted part by part, until a part is not full', async () => {
  const [remainingRows, partSizes] = [[2_500], [] as number[]]
  const total = await deleteInParts(async maxRows => {
    const partSize = Math.min(maxRows, remainingRows[0] ?? 0)
    partSizes.push(partSize)
    remainingRows[0] = (remainingRows[0] ?? 0) - partSize
    return { numDeletedRows: BigInt(partSize) }
  })
  assert.equal([total, partSizes], [2_500, [1_000, 1_000, 500]])
})

test('a cleaning is noted with its time and the number of rows, the next one in its place', async () => {
  await sql`insert into outbox (id, subject, body, published_at)
    values ('a', 's', '1', now(3) - interval 25 hour), ('b', 's', '1', now(3)), ('c', 's', '1', null)`.execute(db)
  await purgeKernelTables(db)
  const first = await cleanings()
  assert.equal(
    first.map(row => [row.table_name, Number(row.deleted_rows), Number(row.age) < 60]),
    [
      ['idempotency_keys', 0, true],
      ['inbox', 0, true],
      ['outbox', 1, true],
    ],
  )
  await purgeKernelTables(db)
  assert.is(Number((await cleanings()).at(-1)?.deleted_rows), 0)
})

test('what has no retention stays; one process at a time deletes the rest, once a day', async () => {
  const calls: string[] = []
  const createRetention = (table: string, days: number) => ({
    table,
    days,
    deleteBefore: async (before: Date) => {
      const ago = Math.round((Date.now() - before.getTime()) / 86_400_000)
      calls.push(`${table} ${ago}`)
      // Another process looks while this one deletes.
      if (table === 'log') await deleteExpired(db, [createRetention('other', 1)])
      await deleteOldRows(db, table, async () => ({ numDeletedRows: 0n }))
    },
  })
  await deleteExpired(db, [createRetention('views', 0), createRetention('log', 30)])
  assert.equal(calls, ['log 30'])
  await deleteExpired(db, [createRetention('other', 1)])
  assert.equal(calls, ['log 30', 'other 1'])
  await deleteExpired(db, [createRetention('log', 30), createRetention('other', 1)])
  assert.equal(calls, ['log 30', 'other 1'], 'once a day')
  await sql`update cleanings set cleaned_at = now(3) - interval 24 hour where table_name = 'log'`.execute(db)
  await deleteExpired(db, [createRetention('log', 30), createRetention('other', 1)])
  assert.equal(calls, ['log 30', 'other 1', 'log 30'])
})

test('a process killed while it deletes is replaced when its lease expires, at most 30 s later', async () => {
  await sql`delete from cleanings`.execute(db)
  assert.is(await startWorker({ WORKER: 'retention', DATABASE: database.url }).exitStatus, 'SIGKILL')
  let runs = 0
  const retention = { table: 'log', days: 1, deleteBefore: async () => runs++ }
  await deleteExpired(db, [retention])
  assert.is(runs, 0)
  assert.ok(await endLease(db, 'retention'))
  await deleteExpired(db, [retention])
  assert.is(runs, 1)
})

test.run()
