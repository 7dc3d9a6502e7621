import { createLog } from './kernel/process/log.ts'
import { startObservability } from './kernel/process/observability.ts'
import { runProcess, stopOnSignal } from './kernel/process/process.ts'
import { serviceNames, startHost } from './kernel/rpc/host.ts'
import { loadServices } from './modules.ts'

/** Hosts the services named in SERVICES (all by default). The others are reached at their *_RPC_URL. */
const names = (process.env['SERVICES'] ?? serviceNames.join(',')).split(',').map(name => name.trim())
const name = names.length === 1 ? (names[0] ?? '') : 'services'
const log = createLog(name)
await runProcess(log, async () => {
  const host = await startHost(await loadServices(names), process.env, log)
  const observability = await startObservability(process.env, name, log, () => host.metrics.registry.metrics())
  log.info({ services: [...host.hostedServices] }, 'services ready')
  process.send?.({ type: 'ready', services: [...host.hostedServices] })
  await stopOnSignal(log, {
    drain: host.drain,
    async stop() {
      await host.stop()
      await observability.stop()
    },
  })
})
