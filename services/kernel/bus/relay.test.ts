import { cpSync, rmSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { connect } from 'nats'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type TestBus, type TestDatabase, testBus, testDatabase } from '../../../test/kit/database.ts'
import { eventually } from '../../../test/kit/kit.ts'
import { startWorker } from '../../../test/kit/worker-process.ts'
import { closeDatabase, exempt, inTransaction, openDatabase } from '../database/database.ts'
import { kernelMigrations } from '../database/migrate.ts'
import { silentLog } from '../process/log.ts'
import { type Bus, connectBus } from './bus.ts'
import { startConsumer } from './consume.ts'
import { header } from './message.ts'
import { enqueue } from './outbox.ts'
import { type Relay, startRelay } from './relay.ts'

const test = suite('relay')
let broker: TestBus
let database: TestDatabase
let db: Kysely<unknown>
let bus: Bus
let relays: Relay[] = []

const start = (to = bus) => relays.push(startRelay(db, to, { log: silentLog, pollMs: 50 }))
const write = (body: unknown) => inTransaction(db, trx => enqueue(trx, { subject: 'platform.test.event', body }))
const count = async (condition: string) => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from outbox where ${sql.raw(condition)}`.execute(db)
  return rows[0]?.n
}
const allPublished = () => eventually(async () => (await count('published_at is null')) === 0)

/** Every stored message, in order: its id and body. */
async function readMessages(): Promise<{ id: string; body: unknown }[]> {
  const { last } = await bus.bounds(bus.stream)
  const places = Array.from({ length: last }, (_, i) => i + 1)
  const messages = await Promise.all(places.map(place => bus.read(bus.stream, place)))
  return messages.map(m => ({
    id: m?.headers[header.id] ?? '',
    body: JSON.parse(Buffer.from(m?.data ?? '').toString()),
  }))
}

test.before.each(async () => {
  ;[broker, database] = await Promise.all([testBus(), testDatabase(kernelMigrations)])
  db = openDatabase(database.url)
  bus = await connectBus({ url: broker.url, stream: broker.stream, name: 'test' })
})
test.after.each(async () => {
  await Promise.all(relays.map(relay => relay.stop()))
  relays = []
  await bus.close()
  await closeDatabase(db)
  await Promise.all([broker.close(), database.drop()])
})

test('an event is published after its commit, and never after a rollback', async () => {
  start()
  const id = await write({ n: 1 })
  await inTransaction(db, async trx => {
    await enqueue(trx, { subject: 'platform.test.event', body: { n: 2 } })
    throw new Error('no')
  }).catch(() => {})
  await allPublished()
  assert.equal(await readMessages(), [{ id, body: { n: 1 } }])
})

test('an event that cannot be published is refused when it is written', async () => {
  const enqueueError = (event: Parameters<typeof enqueue>[1]) =>
    inTransaction(db, trx => enqueue(trx, event)).catch(e => e.name)
  assert.is(await enqueueError({ subject: 'platform.*', body: 1 }), 'TypeError')
  assert.is(await enqueueError({ subject: 'platform.a b', body: 1 }), 'TypeError')
  assert.is(await enqueueError({ subject: 'platform.a', body: 'x'.repeat(900_000) }), 'RangeError')
  assert.is(await enqueueError({ subject: 'platform.a', body: undefined }), 'RangeError')
})

test('events wait for an unavailable broker and are published in the order they were written', async () => {
  start()
  await broker.kill()
  await eventually(() => !bus.status().connected)
  for (let n = 0; n < 30; n++) await write(n)
  assert.is(await count('published_at is null'), 30)
  await broker.start()
  await allPublished()
  assert.equal(
    (await readMessages()).map(m => m.body),
    Array.from({ length: 30 }, (_, n) => n),
  )
})

test('several relays of one outbox publish every event once, in order', async () => {
  const second = await connectBus({ url: broker.url, stream: broker.stream, name: 'second' })
  start()
  start(second)
  start(second)
  for (let n = 0; n < 1_200; n += 100) {
    await inTransaction(db, async trx => {
      for (let i = n; i < n + 100; i++) await enqueue(trx, { subject: 'platform.test.event', body: i })
    })
  }
  await allPublished()
  assert.equal(
    (await readMessages()).map(m => m.body),
    Array.from({ length: 1_200 }, (_, n) => n),
  )
  await Promise.all(relays.map(relay => relay.stop()))
  await second.close()
})

/** A bus that publishes once it is opened. */
function closedBus() {
  let open = () => {}
  let [publishCount, pollCount] = [0, 0]
  const whenOpened = new Promise<void>(resolve => (open = resolve))
  const blockedBus: Bus = {
    ...bus,
    status() {
      pollCount++
      return bus.status()
    },
    async publish(...event) {
      publishCount++
      await whenOpened
      return bus.publish(...event)
    },
  }
  return { bus: blockedBus, open, published: () => publishCount, polls: () => pollCount }
}

test('a commit wakes the relays of its database, also without the tenant guard, and no others', async () => {
  const other = await testDatabase(kernelMigrations)
  const otherDatabase = openDatabase<unknown>(other.url)
  const idle = closedBus()
  for (const [on, to] of [[otherDatabase, idle.bus] as const, [db, bus] as const])
    relays.push(startRelay(on, to, { log: silentLog, pollMs: 600_000 }))
  await write(0)
  await allPublished()
  const polls = idle.polls()
  await write(1)
  await inTransaction(exempt(db, 'a test'), trx => enqueue(trx, { subject: 'platform.test.event', body: 2 }))
  await inTransaction(db, trx => enqueue(exempt(trx, 'a test'), { subject: 'platform.test.event', body: 3 }))
  await allPublished()
  assert.is(idle.polls(), polls)
  await closeDatabase(otherDatabase)
  await other.drop()
})

test('while one relay publishes, others wait; what was committed meanwhile follows without a poll', async () => {
  await write(0)
  const [first, second] = [closedBus(), closedBus()]
  relays.push(startRelay(db, first.bus, { log: silentLog, pollMs: 600_000 }))
  await eventually(() => first.published() === 1)
  // As another process, whose commits wake no relay of this one.
  const other = openDatabase<unknown>(database.url)
  const waiting = startRelay(other, second.bus, { log: silentLog, pollMs: 600_000 })
  await inTransaction(other, trx => enqueue(trx, { subject: 'platform.test.event', body: 1 }))
  const polls = second.polls()
  await eventually(() => second.polls() > polls + 3 || second.published() > 0)
  const earlyCount = second.published()
  second.open()
  first.open()
  await allPublished()
  await waiting.stop()
  await closeDatabase(other)
  assert.is(earlyCount, 0)
  assert.equal(
    (await readMessages()).map(m => m.body),
    [0, 1],
  )
})

test('a relay whose connection is killed is replaced at once, and every event is published once', async () => {
  const other = openDatabase<unknown>(database.url, { poolSize: 1 })
  const { rows } = await sql<{ id: number }>`select connection_id() as id`.execute(other)
  const blockedBus = closedBus()
  for (let n = 0; n < 5; n++) await write(n)
  const killed = startRelay(other, blockedBus.bus, { log: silentLog })
  await eventually(() => blockedBus.published() > 0)
  await sql`kill ${sql.lit(rows[0]?.id ?? 0)}`.execute(db)
  start()
  await allPublished()
  blockedBus.open()
  await killed.stop()
  assert.equal(
    (await readMessages()).map(m => m.body),
    [0, 1, 2, 3, 4],
  )
  await closeDatabase(other)
})

for (const place of ['relay-claimed', 'relay-published']) {
  test(`kill -9 between commit and mark (${place}) loses and duplicates nothing`, async () => {
    const settings = { WORKER: 'relay', DATABASE: database.url, BUS: broker.url, STREAM: broker.stream } as const
    const ids: string[] = []
    for (let n = 0; n < 40; n++) ids.push(await write(n))
    const first = startWorker({ ...settings, FAILPOINT: place })
    assert.is(await first.exitStatus, 'SIGKILL')
    assert.is(await count('published_at is null'), 40)
    const second = startWorker(settings)
    await allPublished()
    assert.is(await second.stop(), '0')
    assert.equal(
      (await readMessages()).map(m => m.id),
      ids,
    )
  })
}

test('the end of a stream that a broker lost is published again with the same ids', async () => {
  start()
  const ids: string[] = []
  const writeAll = async (from: number) => {
    for (let n = from; n < from + 25; n++) ids.push(await write(n))
    await allPublished()
  }
  await writeAll(0)
  await broker.kill()
  const backup = `${broker.store}-backup`
  cpSync(broker.store, backup, { recursive: true })
  await eventually(() => !bus.status().connected)
  await broker.start()
  await eventually(() => bus.status().connected)
  await writeAll(25)
  await broker.kill()
  rmSync(broker.store, { recursive: true })
  cpSync(backup, broker.store, { recursive: true })
  // Another publisher comes first and takes the first free places.
  await Promise.all(relays.splice(0).map(relay => relay.stop()))
  await eventually(() => !bus.status().connected)
  await broker.start()
  await eventually(() => bus.status().connected)
  for (let i = 0; i < 5; i++) await bus.publish('platform.other', '0', { id: `other${i}` })
  start()
  await eventually(async () => (await bus.bounds(bus.stream)).last === 55)
  await allPublished()
  const publishedIds = (await readMessages()).map(m => m.id).filter(id => !id.startsWith('other'))
  assert.equal(publishedIds, ids)
})

test('a whole stream that a broker lost is published again', async () => {
  start()
  const ids: string[] = []
  for (let n = 0; n < 30; n++) ids.push(await write(n))
  await allPublished()
  await broker.kill()
  rmSync(broker.store, { recursive: true })
  await broker.start()
  await eventually(async () => bus.status().connected && (await bus.bounds(bus.stream)).last === 30)
  assert.equal(
    (await readMessages()).map(m => m.id),
    ids,
  )
})

test('events beyond one batch follow in the next, and no small event overtakes them', async () => {
  const sizes = Array.from({ length: 26 }, (_, n) => (n % 2 ? 700_000 : 10))
  await inTransaction(db, async trx => {
    for (const [n, size] of sizes.entries())
      await enqueue(trx, { subject: 'platform.test.event', body: { n, filler: 'x'.repeat(size) } })
  })
  start()
  await eventually(async () => (await count('published_at is null')) === 0, 60_000)
  assert.equal(
    (await readMessages()).map(m => (m.body as { n: number }).n),
    sizes.map((_, n) => n),
  )
})

test('a full stream accepts no more than its consumers have read, so that a lasting load drops nothing unread', async () => {
  const admin = await connect({ servers: broker.url.replace('nats://', '') })
  const jsm = await admin.jetstreamManager()
  await jsm.streams.update(bus.stream, { max_bytes: 200_000 })
  const read: unknown[] = []
  let open = () => {}
  const whenOpened = new Promise<void>(resolve => (open = resolve))
  const handle = async ({ body }: { body: unknown }) => {
    await whenOpened
    read.push((body as { n: number }).n)
  }
  const consumer = startConsumer({ bus, db, durable: 'slow', subject: 'platform.test.>', handle, log: silentLog })
  await eventually(async () => (await bus.backlog()).consumers.length === 1)
  const all = Array.from({ length: 400 }, (_, n) => n)
  for (const n of all) await write({ n, filler: 'x'.repeat(2_000) })
  start()
  await eventually(async () => (await bus.freeBytes()) <= 0, 60_000)
  assert.is((await bus.bounds(bus.stream)).first, 1, 'nothing is dropped')
  assert.ok(Number(await count('published_at is null')) > 200, 'most of it waits in the outbox')
  open()
  await eventually(() => read.length === all.length, 60_000)
  assert.equal(
    read.toSorted((a, b) => Number(a) - Number(b)),
    all,
  )
  await consumer.stop()
  await admin.close()
})

test('published events are removed after a day, unpublished ones never', async () => {
  for (let n = 0; n < 3; n++) await write(n)
  await sql`update outbox set published_at = now(3) - interval 25 hour where position <= 2`.execute(db)
  await sql`update outbox set published_at = now(3) where position = 2`.execute(db)
  await sql`update outbox set created_at = now(3) - interval 25 hour`.execute(db)
  await broker.kill()
  await eventually(() => !bus.status().connected)
  start()
  await eventually(async () => (await count('1 = 1')) === 2)
  assert.is(await count('published_at is null'), 1)
})

test.run()
