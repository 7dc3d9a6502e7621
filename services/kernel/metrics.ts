import { createServer } from 'node:http'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** What the interceptors report of every call. */
export type RpcMetrics = { observe(rpc: string, result: string, ms: number): void }

export type Metrics = RpcMetrics & { registry: Registry }

/** The process's metrics: Node's own and a histogram of RPC times by method and result. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'rpc_duration_seconds',
    help: 'Time from the first interceptor to the answer, by RPC and result',
    labelNames: ['rpc', 'result'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  return { registry, observe: (rpc, result, ms) => seconds.observe({ rpc, result }, ms / 1000) }
}

/** Serves /metrics on loopback. */
export async function serveMetrics(registry: Registry, port: number): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    void registry.metrics().then(text => response.writeHead(200, { 'content-type': registry.contentType }).end(text))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return { close: () => new Promise(resolve => server.close(() => resolve())) }
}
