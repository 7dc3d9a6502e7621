import type { Environment } from '../../../services/kernel/process/config.ts'
import { serviceNames } from '../../../services/kernel/rpc/host.ts'
import { ready, startProcess } from '../process.ts'
import type { Platform } from './platform.ts'
import { freePorts } from './ports.ts'

/** All services of a running platform in another process. @returns the settings of an edge in front of it */
export async function secondServices(
  platform: Platform,
  extra: Environment,
): Promise<{ env: Environment; stop(): Promise<void> }> {
  const [metricsPort, ...ports] = await freePorts(serviceNames.length + 1)
  const env = Object.fromEntries(
    serviceNames.flatMap((name, index) => [
      [`${name.toUpperCase()}_RPC_PORT`, String(ports[index])],
      [`${name.toUpperCase()}_RPC_URL`, `http://127.0.0.1:${ports[index]}`],
    ]),
  )
  const settings = { ...platform.env, ...env, SERVICES_METRICS_PORT: String(metricsPort), ...extra }
  const { child, stop } = startProcess('services/main.ts', settings)
  await ready('the second services', child)
  return { env, stop: async () => void (await stop()) }
}
