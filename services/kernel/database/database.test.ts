import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type TestDatabase, testDatabase } from '../../../test/kit/database.ts'
import { eventually } from '../../../test/kit/kit.ts'
import { toRpcError } from '../base/errors.ts'
import {
  afterCommit,
  closeDatabase,
  exempt,
  inTransaction,
  isDuplicateKey,
  isServerRefusing,
  isUnavailable,
  openDatabase,
} from './database.ts'
import { kernelMigrations } from './migrate.ts'

interface Tables {
  account: { id: number; amount: number; note: string | null; at: Date | null }
}

const test = suite('database')
let database: TestDatabase
const open = (poolSize = 8) => openDatabase<Tables>(database.url, { poolSize })
let db: ReturnType<typeof open>

test.before(async () => {
  database = await testDatabase(kernelMigrations)
  db = open()
  await sql`create table account (id int primary key, amount int not null, note text, at datetime(3),
    unique key account_amount (amount))`.execute(db)
})
test.before.each(async () => {
  await db.deleteFrom('account').execute()
  const rows = [1, 2].map(id => ({ id, amount: id, note: null, at: null }))
  await db.insertInto('account').values(rows).execute()
})
test.after(async () => {
  await closeDatabase(db)
  await database.drop()
})

test('connections are probed, so that a statement does not wait for a server that was cut off', async () => {
  const otherDb = open()
  try {
    const ask = sql<{ host: string }>`select host from information_schema.processlist where id = connection_id()`
    const host = (await ask.execute(otherDb)).rows[0]?.host ?? ''
    const port = Number(host.split(':').at(-1)).toString(16).toUpperCase().padStart(4, '0')
    // The timer of a connection is 02 while a quiet one is to be probed, with the hundredths of a second left.
    const timer = await eventually(() =>
      readFileSync('/proc/net/tcp', 'utf8')
        .split('\n')
        .map(line => line.trim().split(/\s+/))
        .find(([, local, , , , expiry]) => local?.endsWith(`:${port}`) && expiry?.startsWith('02:'))
        ?.at(5),
    )
    const secondsLeft = Number.parseInt(String(timer).slice(3), 16) / 100
    assert.ok(secondsLeft > 0 && secondsLeft <= 10, `${secondsLeft} s`)
  } finally {
    await closeDatabase(otherDb)
  }
})

test('a statement that finds no free connection in time is refused as unavailable, and the pool recovers', async () => {
  const single = openDatabase<Tables>(database.url, { poolSize: 1, maxWaitMs: 300 })
  try {
    await single.transaction().execute(async () => {
      const error = await single
        .selectFrom('account')
        .select('id')
        .execute()
        .catch((thrown: unknown) => thrown)
      assert.ok(isUnavailable(error), String(error))
    })
    assert.is((await single.selectFrom('account').select('id').execute()).length, 2)
  } finally {
    await closeDatabase(single)
  }
})

test('a transaction that loses a deadlock runs again and both commit', async () => {
  let runs = 0
  let resolveBoth = () => {}
  const both = new Promise<void>(resolve => (resolveBoth = resolve))
  let arrivals = 0
  const cross = (first: number, second: number) =>
    inTransaction(db, async trx => {
      runs++
      const add = (id: number) =>
        trx
          .updateTable('account')
          .set(eb => ({ amount: eb('amount', '+', 10) }))
          .where('id', '=', id)
          .execute()
      await add(first)
      if (++arrivals === 2) resolveBoth()
      await both
      await add(second)
    })
  await Promise.all([cross(1, 2), cross(2, 1)])
  assert.is(runs, 3)
  const rows = await db.selectFrom('account').select('amount').orderBy('id').execute()
  assert.equal(
    rows.map(row => row.amount),
    [21, 22],
  )
})

test('callbacks of a commit run once after it, and never after a rollback', async () => {
  const calls: string[] = []
  let runs = 0
  await inTransaction(db, async trx => {
    afterCommit(trx, async () =>
      calls.push(`committed ${(await db.selectFrom('account').selectAll().execute()).length}`),
    )
    await trx.insertInto('account').values({ id: 3, amount: 3, note: null, at: null }).execute()
    if (++runs === 1) throw Object.assign(new Error('Deadlock found'), { errno: 1213 })
  })
  await inTransaction(db, async trx => {
    afterCommit(trx, () => calls.push('never'))
    throw new Error('no')
  }).catch(() => {})
  await eventually(() => calls.length > 0)
  assert.equal(calls, ['committed 3'])
})

test('a connection runs one statement at a time, also when others arrive with it', async () => {
  const error = await sql
    .raw('select 1; select 2')
    .execute(db)
    .catch((e: unknown) => e)
  assert.match(String(error), 'ER_PARSE_ERROR')
})

test('a failing callback after the commit does not fail the transaction', async () => {
  const warned = new Promise(resolve => process.once('warning', resolve))
  const result = await inTransaction(db, async trx => {
    afterCommit(trx, () => Promise.reject(new Error('later')))
    return 'kept'
  })
  assert.is(result, 'kept')
  assert.match(String(await warned), 'later')
})

test('a deadlock is retried at most five times, and no other error is', async () => {
  for (const [errno, runs] of [
    [1213, 5],
    [1205, 5],
    [1064, 1],
  ] as const) {
    let count = 0
    const failing = inTransaction(db, async () => {
      count++
      throw Object.assign(new Error('x'), { errno })
    })
    assert.is(await failing.catch(() => 'failed'), 'failed')
    assert.is(count, runs)
  }
})

test('a duplicate key is identified by its name, whatever the value contains', async () => {
  const insert = (id: number, amount: number) => db.insertInto('account').values({ id, amount, note: null, at: null })
  const error = await insert(9, 1)
    .execute()
    .catch((e: unknown) => e)
  assert.ok(isDuplicateKey(error))
  assert.ok(isDuplicateKey(error, 'account_amount'))
  assert.not(isDuplicateKey(error, 'PRIMARY'))
  assert.ok(
    isDuplicateKey(
      await insert(1, 99)
        .execute()
        .catch((e: unknown) => e),
      'PRIMARY',
    ),
  )
  const forged = Object.assign(new Error(`Duplicate entry 'x' for key 'PRIMARY'' for key 'account_amount'`), {
    errno: 1062,
  })
  assert.not(isDuplicateKey(forged, 'PRIMARY'))
  const mysql8 = Object.assign(new Error(`Duplicate entry '1' for key 'account.account_amount'`), { errno: 1062 })
  assert.ok(isDuplicateKey(mysql8, 'account_amount'))
})

test('times are UTC instants with milliseconds, text keeps every character, an empty in matches nothing', async () => {
  const instant = new Date('2026-03-29T01:30:00.123Z')
  await db.updateTable('account').set({ at: instant, note: 'été 🏨' }).where('id', '=', 1).execute()
  const row = await db.selectFrom('account').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
  assert.is(row.at?.getTime(), instant.getTime())
  assert.is(row.note, 'été 🏨')
  const { rows } = await sql<{ zone: string; text: string }>`
    select @@session.time_zone as zone, date_format(at, '%H:%i:%s') as text from account where id = 1`.execute(db)
  assert.equal({ ...rows[0] }, { zone: '+00:00', text: '01:30:00' })
  const ids = async (from: typeof db, operator: 'in' | 'not in') =>
    (await from.selectFrom('account').select('id').where('id', operator, []).execute()).length
  for (const from of [db, exempt(db, 'the rows have no tenant')]) {
    assert.is(await ids(from, 'in'), 0)
    assert.ok((await ids(from, 'not in')) > 0)
  }
  const within = db.selectFrom('account').select('id').where('id', 'in', [])
  assert.equal(await db.selectFrom('account').selectAll().where('id', 'in', within).execute(), [])
})

test('a value that does not fit is refused, never truncated', async () => {
  const failing = sql`update account set amount = 'many' where id = 1`.execute(db)
  assert.instance(await failing.catch((e: unknown) => e), Error)
})

test('a server that is absent or disconnects is unavailable, and a wrong statement is not', async () => {
  const absent = openDatabase('mysql://nobody@127.0.0.1:1/none')
  assert.ok(isUnavailable(await sql`select 1`.execute(absent).catch((e: unknown) => e)))
  const rude = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  await new Promise(resolve => rude.once('listening', resolve))
  const address = rude.address()
  const port = typeof address === 'object' ? address?.port : 0
  const cut = openDatabase(`mysql://nobody@127.0.0.1:${port}/none`)
  assert.ok(isUnavailable(await sql`select 1`.execute(cut).catch((e: unknown) => e)))
  rude.close()
  assert.not(isUnavailable(await sql`selekt`.execute(db).catch((e: unknown) => e)))
  assert.not(isUnavailable(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })))
  await Promise.all([closeDatabase(absent), closeDatabase(cut)])
})

test('a denied account, a full table and a full disk are a 503, and no fault of the statement', async () => {
  const denied = openDatabase(Object.assign(new URL(database.url), { username: 'root', password: 'wrong' }).href)
  const failures = {
    denied: () => sql`select 1`.execute(denied),
    'full table': () =>
      db.connection().execute(async one => {
        await sql`set session max_heap_table_size = 16384`.execute(one)
        await sql`create temporary table full_table (text char(255)) engine=memory max_rows=1`.execute(one)
        await sql`insert into full_table select repeat('x', 255) from seq_1_to_500`.execute(one)
      }),
    'full disk': () => writeFile('/dev/full', 'x'),
  }
  for (const [name, work] of Object.entries(failures)) {
    const error = await work().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    assert.ok(isServerRefusing(error), `${name}: ${error}`)
    assert.is(toRpcError(error).info.status, 503, name)
  }
  await closeDatabase(denied)
})

test('a connection killed during a statement is unavailable, and the pool recovers', async () => {
  const error = await inTransaction(db, async trx => {
    const { rows } = await sql<{ id: number }>`select connection_id() as id`.execute(trx)
    await sql`kill ${sql.lit(rows[0]?.id ?? 0)}`.execute(db)
    await sql`select 1`.execute(trx)
  }).catch((e: unknown) => e)
  assert.ok(isUnavailable(error), String(error))
  assert.is((await db.selectFrom('account').selectAll().execute()).length, 2)
})

test.run()
