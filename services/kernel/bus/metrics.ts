import { Gauge, type Registry } from 'prom-client'
import type { Backlog, Bus } from './bus.ts'

/**
 * What waits at the broker, asked anew at each look: how far each durable consumer is behind, what it holds, what came
 * to it again, and how many dead letters lie there. While the broker is away only bus_connected says so.
 */
export function watchBus(registry: Registry, bus: Bus): void {
  let asked: Promise<Backlog | undefined> | undefined
  // All of them are read at once: one question answers them.
  const ask = () =>
    (asked ??= bus
      .backlog()
      .catch(() => undefined)
      .finally(() => {
        asked = undefined
      }))
  const gauge = (name: string, help: string, fill: (gauge: Gauge, backlog: Backlog | undefined) => void) =>
    new Gauge({
      name,
      help,
      labelNames: name.startsWith('bus_consumer') ? ['durable'] : [],
      registers: [registry],
      // Every process sees the same broker: where they show their metrics together, these are one figure and no sum.
      aggregator: 'max',
      async collect() {
        const backlog = await ask()
        this.reset()
        fill(this, backlog)
      },
    })
  const perConsumer = (name: string, help: string, of: (one: Backlog['consumers'][number]) => number) =>
    gauge(name, help, (shown, backlog) => {
      for (const one of backlog?.consumers ?? []) shown.set({ durable: one.durable }, of(one))
    })
  perConsumer('bus_consumer_lag', 'Messages a consumer has not been given yet', one => one.waiting)
  perConsumer('bus_consumer_unsettled', 'Messages given to a consumer and not settled yet', one => one.delivered)
  perConsumer('bus_consumer_redelivered', 'Unsettled messages that were given more than once', one => one.redelivered)
  gauge('bus_dead_letters', 'Dead letters that lie there', (shown, backlog) => {
    if (backlog) shown.set(backlog.dead)
    else shown.remove()
  })
  gauge('bus_connected', '1 while the broker can be used', (shown, backlog) => shown.set(backlog ? 1 : 0))
}
