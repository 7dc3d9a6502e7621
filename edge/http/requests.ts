import type { ServerResponse } from 'node:http'
import { Counter, type Registry } from 'prom-client'

/**
 * Counts the requests of a listener by status; one whose client left before the answer counts as `aborted`. Sockets
 * aren't counted.
 */
export function requestCounter(registry: Registry): (listener: string, response: ServerResponse) => void {
  const name = 'edge_requests_total'
  // The edges of one process count together.
  const existing = registry.getSingleMetric(name)
  const counter =
    existing instanceof Counter
      ? existing
      : new Counter({
          name,
          help: 'Requests by listener and status',
          labelNames: ['listener', 'status'],
          registers: [registry],
        })
  return (listener, response) =>
    counter.inc({ listener, status: response.writableFinished ? String(response.statusCode) : 'aborted' })
}
