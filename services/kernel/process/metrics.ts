import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** Receives the result of every call from the interceptors. */
export type RpcMetrics = { observe(rpc: string, result: string, ms: number): void }

export type Metrics = RpcMetrics & { registry: Registry }

/**
 * Sampling interval of the event loop's delay, in ms. prom-client's default would be most of what wakes an idle
 * process.
 */
const eventLoopMonitoringPrecision = 100

/** The process's metrics: Node's own, and a histogram of RPC times by method and result. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision })
  const seconds = new Histogram({
    name: 'rpc_duration_seconds',
    help: 'Time from the first interceptor to the response, by RPC and result',
    labelNames: ['rpc', 'result'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  return { registry, observe: (rpc, result, ms) => seconds.observe({ rpc, result }, ms / 1000) }
}

/**
 * Serves /metrics, read from `text` at each request, and /live for probes.
 * @param host loopback, unless a private network must read it
 */
export async function serveMetrics(
  text: () => Promise<string>,
  host: string,
  port: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url === '/live') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"live":true}')
      return
    }
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    text().then(
      body => response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(body),
      () => response.writeHead(503).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
