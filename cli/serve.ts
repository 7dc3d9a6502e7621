import { edgeConfig } from '../edge/config.ts'
import { type Edge, startEdge } from '../edge/edge.ts'
import { type Environment, integer, settings } from '../services/kernel/config.ts'
import { type Host, serviceNames, startHost } from '../services/kernel/host.ts'
import { createLog } from '../services/kernel/log.ts'
import { serveMetrics } from '../services/kernel/metrics.ts'
import { loadServices } from '../services/modules.ts'

export type Platform = { host: Host; edge: Edge; stop(): Promise<void> }

/**
 * Starts every service and the edge in this process.
 * @param granted resolves when the reading account may read member's views
 */
export async function servePlatform(env: Environment, granted: () => Promise<void>): Promise<Platform> {
  edgeConfig(env)
  const log = createLog('platform', env['LOG_LEVEL'] ?? 'info')
  const host = await startHost(await loadServices([...serviceNames]), env, log)
  await granted()
  const edge = await startEdge(host, env, log)
  const { METRICS_PORT } = settings(env, '', { METRICS_PORT: integer(0, 65_535).default(9464) })
  const metrics = await serveMetrics(host.metrics.registry, METRICS_PORT)
  return {
    host,
    edge,
    async stop() {
      await edge.stop()
      await host.stop()
      await metrics.close()
    },
  }
}
