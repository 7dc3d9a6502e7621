import { edgeConfig } from '../edge/config.ts'
import { type Edge, startEdge } from '../edge/edge.ts'
import type { Environment } from '../services/kernel/process/config.ts'
import { createLog } from '../services/kernel/process/log.ts'
import { startObservability } from '../services/kernel/process/observability.ts'
import { type Host, serviceNames, startHost } from '../services/kernel/rpc/host.ts'
import { loadServices } from '../services/modules.ts'

export type Platform = {
  host: Host
  edge: Edge
  /**
   * Sends new work elsewhere while everything is still answered.
   * @param handsOver whether other processes listen on the same ports
   */
  drain(handsOver?: boolean): void
  stop(): Promise<void>
}

/**
 * Starts every service and the edge in this process.
 * @param granted resolves when the reading account may read member's views
 * @param isAlone whether this process exposes its metrics; several expose theirs together (worker.ts)
 */
export async function servePlatform(
  env: Environment,
  granted: () => Promise<void>,
  isAlone: boolean,
): Promise<Platform> {
  edgeConfig(env)
  const log = createLog('platform', env['LOG_LEVEL'] ?? 'info')
  const host = await startHost(await loadServices([...serviceNames]), env, log)
  await granted()
  const edge = await startEdge(host, env, log)
  const shown = await startObservability(
    env,
    'platform',
    log,
    isAlone ? () => host.metrics.registry.metrics() : undefined,
  )
  return {
    host,
    edge,
    drain(handsOver) {
      edge.drain(handsOver)
      host.drain(handsOver)
    },
    async stop() {
      await edge.stop()
      await host.stop()
      await shown.stop()
    },
  }
}
