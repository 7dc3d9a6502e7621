import { Registry } from 'prom-client'
import { testBus, testDatabase } from '../../../test/kit/database.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { newId } from '../base/ids.ts'
import { openDatabase } from '../database/database.ts'
import { kernelMigrations } from '../database/migrate.ts'
import { silentLog } from '../process/log.ts'
import { connectBus } from './bus.ts'
import { startConsumer } from './consume.ts'
import { watchBus } from './metrics.ts'

const test = suite('metrics of the bus')

test('lag, redeliveries, dead letters and a disconnected broker are shown', async () => {
  const broker = await testBus()
  const database = await testDatabase(kernelMigrations)
  const db = openDatabase<unknown>(database.url)
  const bus = await connectBus({ url: broker.url, stream: broker.stream, name: 'test' })
  const registry = new Registry()
  watchBus(registry, bus)
  /** One metric's value; undefined while it has none. */
  const valueOf = async (name: string): Promise<number | undefined> =>
    (await registry.getMetricsAsJSON()).find(one => one.name === name)?.values[0]?.value

  let held = 0
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
      held++
      await until
      if (message.subject.endsWith('poison')) throw new Error('never')
    },
  })
  try {
    for (const kind of ['poison', 'good', 'good', 'good', 'good'])
      await bus.publish(`platform.test.${kind}`, '{}', { id: newId() })
    await eventually(() => held === 2)
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

test.run()
