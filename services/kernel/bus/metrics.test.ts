import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { testBus, testDatabase } from '../../../test/kit/database.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { newId } from '../base/ids.ts'
import { openDatabase } from '../database/database.ts'
import { kernelMigrations } from '../database/migrate.ts'
import { silentLog } from '../process/log.ts'
import { connectBus } from './bus.ts'
import { startConsumer } from './consume.ts'
import { watchBacklog, watchBus, watchOutbox } from './metrics.ts'

const test = suite('metrics of the bus')

test('lag, redeliveries, dead letters and a disconnected broker are shown', async () => {
  const broker = await testBus()
  const database = await testDatabase(kernelMigrations)
  const db = openDatabase<unknown>(database.url)
  const bus = await connectBus({ url: broker.url, stream: broker.stream, name: 'test' })
  const registry = new Registry()
  watchBus(registry, bus)
  watchBacklog(registry, bus, db)
  /** One metric's value; undefined while it has none. */
  const valueOf = async (name: string): Promise<number | undefined> =>
    (await registry.getMetricsAsJSON()).find(one => one.name === name)?.values[0]?.value

  let heldMessages = 0
  let release = () => {}
  const until = new Promise<void>(resolve => (release = resolve))
  const consumer = startConsumer({
    bus,
    db,
    durable: 'slow',
    subject: 'platform.>',
    prefetch: 2,
    log: silentLog,
    retryDelays: [10],
    handle: async message => {
      heldMessages++
      await until
      if (message.subject.endsWith('poison')) throw new Error('never')
    },
  })
  try {
    for (const kind of ['poison', 'good', 'good', 'good', 'good'])
      await bus.publish(`platform.test.${kind}`, '{}', { id: newId() })
    await eventually(() => heldMessages === 2)
    // The broker updates its pending count a moment after it confirms the message.
    await eventually(async () => (await valueOf('bus_consumer_lag')) === 3)
    assert.equal([await valueOf('bus_consumer_unsettled'), await valueOf('bus_connected')], [2, 1])
    release()
    await eventually(async () => (await valueOf('bus_dead_letters')) === 1 && (await valueOf('bus_consumer_lag')) === 0)

    await broker.kill()
    await eventually(async () => (await valueOf('bus_connected')) === 0)
    assert.is(await valueOf('bus_consumer_lag'), undefined)
  } finally {
    release()
    await Promise.race([consumer.stop(), new Promise(resolve => setTimeout(resolve, 2_000).unref())])
    await bus.close()
    await db.destroy()
    await database.drop()
    await broker.close()
  }
})

test('of several processes, one reports a schema; when it is gone, another one', async () => {
  const database = await testDatabase(kernelMigrations)
  const processes = [1, 2].map(() => {
    const db = openDatabase<unknown>(database.url)
    const registry = new Registry()
    watchOutbox(registry, 'news', db)
    return { db, registry }
  })
  const { db } = processes[0] ?? {}
  if (!db) throw new Error('no process')
  /** The values of a metric over all processes. */
  const values = async (name: string) => {
    const metrics = await Promise.all(processes.map(({ registry }) => registry.getMetricsAsJSON()))
    return metrics.flatMap(all => all.filter(one => one.name === name).flatMap(one => one.values))
  }
  try {
    assert.equal(await values('outbox_pending'), [{ value: 0, labels: { service: 'news' } }])
    await sql`insert into outbox (id, subject, body, created_at)
      values (${newId()}, 'platform.test', '{}', now(3) - interval 90 second), (${newId()}, 'platform.test', '{}', now(3))`.execute(
      db,
    )
    assert.equal(await values('outbox_pending'), [{ value: 2, labels: { service: 'news' } }])
    const [age] = await values('outbox_oldest_seconds')
    assert.ok(Number(age?.value) >= 90 && Number(age?.value) < 120)
    // As after a kill of the reporter: its lease has expired.
    await sql`update leases set holder = 'gone', expires_at = now(3) where name = 'metrics'`.execute(db)
    assert.is((await values('outbox_pending')).length, 1)
  } finally {
    for (const each of processes) await each.db.destroy()
    assert.equal(await values('outbox_pending'), [], 'without the database there is no value')
    await database.drop()
  }
})

test.run()
