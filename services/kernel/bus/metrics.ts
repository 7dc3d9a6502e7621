import { type QueryExecutorProvider, sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import { databaseGauge } from '../database/gauges.ts'
import type { Backlog, Bus } from './bus.ts'

/** Whether this process is connected to the broker. */
export function watchBus(registry: Registry, bus: Bus): void {
  new Gauge({
    name: 'bus_connected',
    help: '1 while the broker is available',
    registers: [registry],
    async collect() {
      const { connected, problem } = bus.status()
      this.set(connected && problem === '' ? 1 : 0)
    },
  })
}

/**
 * The broker's backlog, read at each scrape: pending, unacknowledged and redelivered messages of each durable consumer,
 * and the number of dead letters. The broker is one for all, so the reporter of one schema exposes it.
 * @param db whose reporter exposes it
 */
export function watchBacklog(registry: Registry, bus: Bus, db: QueryExecutorProvider): void {
  let reading: Promise<Backlog> | undefined
  // One request to the broker fills all of these metrics.
  const ask = () =>
    (reading ??= bus.backlog().finally(() => {
      reading = undefined
    }))
  const perConsumer = (name: string, help: string, measure: (one: Backlog['consumers'][number]) => number) =>
    databaseGauge(registry, db, { name, help, labels: ['durable'] }, async () =>
      (await ask()).consumers.map(one => ({ labels: { durable: one.durable }, value: measure(one) })),
    )
  perConsumer('bus_consumer_lag', 'Messages not yet delivered to the consumer', one => one.waiting)
  perConsumer('bus_consumer_unsettled', 'Delivered messages that are not settled yet', one => one.delivered)
  perConsumer(
    'bus_consumer_redelivered',
    'Unsettled messages that were delivered more than once',
    one => one.redelivered,
  )
  databaseGauge(registry, db, { name: 'bus_dead_letters', help: 'Stored dead letters' }, async () => [
    { value: (await ask()).dead },
  ])
}

/** Further rows aren't counted. */
const maxCounted = 100_000

/** What waits in the outbox of a service. */
export function watchOutbox(registry: Registry, service: string, db: QueryExecutorProvider): void {
  const labels = { service }
  const read = async (): Promise<{ count: number; age: number | null }> => {
    const { rows } = await sql<{ count: number; age: number | null }>`
      select count(*) as count, timestampdiff(second, min(created_at), now(3)) as age from (
        select created_at from outbox where published_at is null order by position limit ${maxCounted}
      ) as pending`.execute(db)
    return rows[0] ?? { count: 0, age: null }
  }
  databaseGauge(
    registry,
    db,
    { name: 'outbox_pending', help: `Events that wait to be published, up to ${maxCounted}`, labels: ['service'] },
    async () => [{ labels, value: Number((await read()).count) }],
  )
  databaseGauge(
    registry,
    db,
    { name: 'outbox_oldest_seconds', help: 'Age of the oldest event that waits to be published', labels: ['service'] },
    async () => [{ labels, value: Number((await read()).age ?? 0) }],
  )
}
