import { Gauge, type Registry } from 'prom-client'
import type { Backlog, Bus } from './bus.ts'

/**
 * The broker's backlog, read at each scrape: pending, unacknowledged and redelivered messages of each durable consumer,
 * and the number of dead letters. While disconnected, only bus_connected is reported.
 */
export function watchBus(registry: Registry, bus: Bus): void {
  let reading: Promise<Backlog | undefined> | undefined
  // One request to the broker fills all of these metrics.
  const ask = () =>
    (reading ??= bus
      .backlog()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined
      }))
  const gauge = (name: string, help: string, fill: (gauge: Gauge, backlog: Backlog | undefined) => void) =>
    new Gauge({
      name,
      help,
      labelNames: name.startsWith('bus_consumer') ? ['durable'] : [],
      registers: [registry],
      // All processes see the same broker: an aggregate of their metrics takes one value, not the sum.
      aggregator: 'max',
      async collect() {
        const backlog = await ask()
        this.reset()
        fill(this, backlog)
      },
    })
  const perConsumer = (name: string, help: string, of: (one: Backlog['consumers'][number]) => number) =>
    gauge(name, help, (metric, backlog) => {
      for (const one of backlog?.consumers ?? []) metric.set({ durable: one.durable }, of(one))
    })
  perConsumer('bus_consumer_lag', 'Messages not yet delivered to the consumer', one => one.waiting)
  perConsumer('bus_consumer_unsettled', 'Delivered messages that are not settled yet', one => one.delivered)
  perConsumer(
    'bus_consumer_redelivered',
    'Unsettled messages that were delivered more than once',
    one => one.redelivered,
  )
  gauge('bus_dead_letters', 'Stored dead letters', (metric, backlog) => {
    if (backlog) metric.set(backlog.dead)
    else metric.remove()
  })
  gauge('bus_connected', '1 while the broker is available', (metric, backlog) => metric.set(backlog ? 1 : 0))
}
