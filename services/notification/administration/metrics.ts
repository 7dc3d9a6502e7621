import type { Registry } from 'prom-client'
import type { Bus } from '../../kernel/bus/bus.ts'
import { watchBacklog } from '../../kernel/bus/metrics.ts'
import { databaseGauge, watchQueue } from '../../kernel/database/gauges.ts'
import { loadLane } from '../delivery/sql.ts'
import { type NotificationDb, pushLanes } from '../tables.ts'
import { loadWebhookQueue } from '../webhooks/deliveries.sql.ts'
import { countWebhooks } from '../webhooks/endpoints.sql.ts'

/** Exposes the broker's backlog, which this service administers, what waits to be delivered, and the endpoints. */
export function watchDeliveries(registry: Registry, bus: Bus, db: NotificationDb): void {
  watchBacklog(registry, bus, db)
  for (const lane of [...pushLanes, 'email'] as const) watchQueue(registry, db, lane, () => loadLane(db, lane))
  watchQueue(registry, db, 'webhooks', () => loadWebhookQueue(db))
  const endpoints = { name: 'webhook_endpoints', help: 'Endpoints of webhooks, by state', labels: ['state'] }
  databaseGauge(registry, db, endpoints, async () =>
    Object.entries(await countWebhooks(db)).map(([state, value]) => ({ labels: { state }, value })),
  )
}
