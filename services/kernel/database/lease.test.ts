import { type Kysely, sql } from 'kysely'
import { type TestDatabase, testDatabase } from '../../../test/kit/database.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { closeDatabase, inTransaction, openDatabase } from './database.ts'
import { assertLease, LeaseLostError, lockLease, releaseLease, renewLease, takeLease, withLease } from './lease.ts'
import { kernelMigrations } from './migrate.ts'

const test = suite('leases')
let database: TestDatabase
let db: Kysely<unknown>

test.before(async () => {
  database = await testDatabase(kernelMigrations)
  db = openDatabase(database.url)
})
test.after(async () => {
  await closeDatabase(db)
  await database.drop()
})

const longMs = 60_000
const expiry = async (name: string) =>
  (await sql<{ at: Date }>`select expires_at as at from leases where name = ${name}`.execute(db)).rows[0]?.at.getTime()

test('of those who ask at once one takes the lease, the first time and after its release', async () => {
  for (const time of ['first', 'second']) {
    const leases = await Promise.all(Array.from({ length: 8 }, () => takeLease(db, 'race', longMs)))
    const [takenLease, ...extraLeases] = leases.filter(lease => lease !== undefined)
    assert.equal(extraLeases, [], time)
    assert.ok(takenLease && (await releaseLease(db, takenLease)))
  }
})

test('leases of other names are independent', async () => {
  assert.ok(await takeLease(db, 'one', longMs))
  assert.ok(await takeLease(db, 'two', longMs))
})

test('an abandoned lease is taken over once it expires, and its former holder has no power over it', async () => {
  const former = await takeLease(db, 'abandoned', 300)
  assert.ok(former)
  assert.is(await takeLease(db, 'abandoned', longMs), undefined)
  await eventually(async () => (await takeLease(db, 'abandoned', longMs)) !== undefined)
  assert.is(await renewLease(db, former), false)
  assert.is(await releaseLease(db, former), false)
  assert.instance(await assertLease(db, former).catch(error => error), LeaseLostError)
  assert.is(await takeLease(db, 'abandoned', longMs), undefined)
})

test('a lease is renewed while the work takes longer than it lasts, and released after it', async () => {
  const result = await withLease(
    db,
    'long',
    async () => {
      const first = (await expiry('long')) ?? 0
      await eventually(async () => ((await expiry('long')) ?? 0) > first + 2_000)
      assert.is(await withLease(db, 'long', async () => 'another'), undefined)
      return 'done'
    },
    2_000,
  )
  assert.is(result, 'done')
  assert.is(await withLease(db, 'long', async () => 'another'), 'another')
})

test('work that fails releases its lease', async () => {
  const failing = withLease(db, 'failing', async () => Promise.reject(new Error('no')))
  assert.is(await failing.catch(error => error.message), 'no')
  assert.is(await withLease(db, 'failing', async () => 'next'), 'next')
})

test('a transaction locks a lease until it ends, and a killed connection releases it', async () => {
  const lock = () => inTransaction(db, trx => lockLease(trx, 'relay'))
  assert.is(await lock(), true)
  const error = await inTransaction(db, async trx => {
    assert.is(await lockLease(trx, 'relay'), true)
    assert.is(await lock(), false)
    const { rows } = await sql<{ id: number }>`select connection_id() as id`.execute(trx)
    await sql`kill ${sql.lit(rows[0]?.id ?? 0)}`.execute(db)
    await eventually(lock)
  }).catch(caught => caught)
  assert.instance(error, Error, 'the killed transaction cannot commit')
  assert.is(await lock(), true)
})

test.run()
