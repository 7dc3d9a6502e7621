import { sql } from 'kysely'
import { testBus, testDatabase } from '../../../test/kit/database.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { effects, effectTables } from '../../../test/kit/worker.ts'
import { newId } from '../base/ids.ts'
import { closeDatabase, openDatabase } from '../database/database.ts'
import { kernelMigrations } from '../database/migrate.ts'
import { silentLog } from '../process/log.ts'
import { connectBus } from './bus.ts'
import { type Consumer, startConsumer } from './consume.ts'
import { listDeadLetters } from './dead-letters.ts'

const test = suite('consumers whose database refuses work')

const broker = await testBus()
const bus = await connectBus({ url: broker.url, stream: broker.stream, name: 'test' })
const database = await testDatabase(kernelMigrations)
const db = openDatabase<unknown>(database.url)
let consumer: Consumer | undefined
test.before(() => effectTables(db))
test.after(async () => {
  await consumer?.stop()
  await bus.close()
  await broker.close()
  await closeDatabase(db)
  await database.drop()
})

test('a denied account and a full table are waited for like an absent database', async () => {
  const account = `rotated_${newId().slice(0, 12)}`
  const password = (text: string) => sql.raw(`identified by '${text}'`)
  await sql`create user ${sql.lit(account)}@'%' ${password('former')}`.execute(db)
  await sql`grant all on ${sql.raw(new URL(database.url).pathname.slice(1))}.* to ${sql.lit(account)}@'%'`.execute(db)
  await sql`set session max_heap_table_size = 16384`.execute(db)
  await sql`create table small (text char(255)) engine=memory max_rows=1`.execute(db)
  const accountDb = openDatabase<unknown>(
    Object.assign(new URL(database.url), { username: account, password: 'next' }).href,
  )
  const problems: string[] = []
  const waiting = { ...silentLog, warn: (fields: object) => void problems.push(String(Object(fields).reason)) }
  try {
    consumer = startConsumer({
      ...{ bus, db, durable: 'tests', subject: 'platform.>', log: waiting as never },
      handle: async message => {
        await sql`insert into small select repeat('x', 255) from seq_1_to_500`.execute(accountDb)
        await effects(db, 'tests')(message)
      },
    })
    const id = newId()
    await bus.publish('platform.test.event', '{}', { id })
    await eventually(() => problems.some(reason => reason.includes('Access denied')))
    await sql`alter user ${sql.lit(account)}@'%' ${password('next')}`.execute(db)
    await eventually(() => problems.some(reason => reason.includes("The table 'small' is full")))
    await sql`alter table small engine=innodb`.execute(db)
    await eventually(async () => (await bus.backlog()).consumers.every(one => one.waiting + one.delivered === 0))
    const { rows } = await sql<{ attempt: number }>`select attempt from runs where event_id = ${id}`.execute(db)
    assert.equal(rows, [{ attempt: 1 }])
    assert.equal(await listDeadLetters(bus), [])
  } finally {
    await closeDatabase(accountDb)
    await sql`drop user ${sql.lit(account)}@'%'`.execute(db)
  }
})

test.run()
