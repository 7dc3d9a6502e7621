import { type QueryExecutorProvider, sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import { type Lease, renewLease, takeLease } from './lease.ts'

/** One value of a gauge, with its labels. */
export type Reading = { labels?: Record<string, string>; value: number }

/** Longer than the usual interval between two scrapes, in ms. */
const reporterLeaseMs = 60_000
/** A scrape doesn't wait longer for a database. */
const patienceMs = 2_000

const reporters = new WeakMap<object, () => Promise<boolean>>()

/**
 * Whether this process reports what is in a database: of the processes of a service, one at a time does, so that a sum
 * over all counts each row once [D549]. A killed one is replaced within a minute.
 */
function isReporter(db: QueryExecutorProvider): Promise<boolean> {
  const existing = reporters.get(db)
  if (existing) return existing()
  let lease: Lease | undefined
  let asking: Promise<boolean> | undefined
  const claim = async (): Promise<boolean> => {
    if (!lease || !(await renewLease(db, lease))) lease = await takeLease(db, 'metrics', reporterLeaseMs)
    return lease !== undefined
  }
  // All gauges of a scrape ask at the same time.
  const ask = () =>
    (asking ??= claim()
      .catch(() => false)
      .finally(() => {
        asking = undefined
      }))
  reporters.set(db, ask)
  return ask()
}

type GaugeOptions = { name: string; help: string; labels?: string[] }

const readersByGauge = new WeakMap<Gauge, (() => Promise<Reading[]>)[]>()

/**
 * A gauge that is read from a database at each scrape, by the reporter alone. Without an answer in time it has no value.
 * Services of one process may share a gauge: each adds its readings.
 */
export function databaseGauge(
  registry: Registry,
  db: QueryExecutorProvider,
  options: GaugeOptions,
  read: () => Promise<Reading[]>,
): void {
  const gauge = gaugeOf(registry, options)
  readersByGauge.get(gauge)?.push(async () => ((await isReporter(db)) ? read() : []))
}

function gaugeOf(registry: Registry, { name, help, labels = [] }: GaugeOptions): Gauge {
  const existing = registry.getSingleMetric(name)
  if (existing instanceof Gauge) return existing
  const readers: (() => Promise<Reading[]>)[] = []
  const gauge = new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    async collect() {
      const readings = await Promise.all(readers.map(read => inTime(read()).catch(() => [])))
      this.reset()
      // A gauge without labels would begin with 0.
      if (labels.length === 0) this.remove()
      for (const { labels: values = {}, value } of readings.flat()) this.set(values, value)
    },
  })
  readersByGauge.set(gauge, readers)
  return gauge
}

const inTime = (reading: Promise<Reading[]>): Promise<Reading[]> =>
  Promise.race([reading, new Promise<Reading[]>(resolve => setTimeout(resolve, patienceMs, []).unref())])

/** What waits in a queue, and since when the first entry is due, in seconds. */
type QueueState = { waiting: number; lateSeconds: number | null }

/** Exposes a queue in a database: how much waits, and how late it is. */
export function watchQueue(
  registry: Registry,
  db: QueryExecutorProvider,
  queue: string,
  load: () => Promise<QueueState>,
): void {
  const labels = { queue }
  const gauge = (name: string, help: string, valueOf: (state: QueueState) => number) =>
    databaseGauge(registry, db, { name, help, labels: ['queue'] }, async () => [
      { labels, value: valueOf(await load()) },
    ])
  gauge('queue_waiting', 'Entries that wait, those for later included', ({ waiting }) => Number(waiting))
  gauge('queue_overdue_seconds', 'How late the first entry is that is due', ({ lateSeconds }) =>
    Math.max(0, Number(lateSeconds ?? 0)),
  )
}

/** The state of the rows whose time is in a column. */
export const queueState = (column: string) => [
  sql<number>`count(*)`.as('waiting'),
  sql<number | null>`timestampdiff(second, min(${sql.ref(column)}), now(3))`.as('lateSeconds'),
]
