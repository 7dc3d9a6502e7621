import { createLog } from '../services/kernel/process/log.ts'
import { startObservability } from '../services/kernel/process/observability.ts'
import { runProcess, stopOnSignal } from '../services/kernel/process/process.ts'
import { startHost } from '../services/kernel/rpc/host.ts'
import { edgeConfig } from './config.ts'
import { startEdge } from './edge.ts'

/** The edge as a separate process: every service is reached at its *_RPC_URL. */
const log = createLog('edge')
await runProcess(log, async () => {
  edgeConfig(process.env)
  const host = await startHost([], process.env, log)
  const edge = await startEdge(host, process.env, log)
  const observability = await startObservability(process.env, 'edge', log, () => host.metrics.registry.metrics())
  log.info({ urls: edge.urls }, 'edge ready')
  process.send?.({ type: 'ready', urls: edge.urls })
  await stopOnSignal(log, {
    drain: () => edge.drain(),
    async stop() {
      await edge.stop()
      await host.stop()
      await observability.stop()
    },
  })
})
