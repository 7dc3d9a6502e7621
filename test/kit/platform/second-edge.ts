import type { Urls } from '../../../cli/tour/client.ts'
import { frontListener, listeners, portSettings } from '../../../edge/config.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { ready, startProcess } from '../process.ts'
import type { Platform } from './platform.ts'
import { freePorts } from './ports.ts'

type SecondEdge = { urls: Urls; frontUrl: string; stop(): Promise<void>; kill(): void }

/** Another edge process in front of a running platform, on its own ports. */
export async function secondEdge(platform: Pick<Platform, 'env'>, extra: Environment = {}): Promise<SecondEdge> {
  const free = await freePorts(portSettings.length)
  const ports = Object.fromEntries(portSettings.map((name, index) => [name, String(free[index])]))
  ports['LEGACY_AUTH_PORT'] = ports['NOTIFICATION_PORT'] ?? ''
  const { child, stop } = startProcess('edge/main.ts', { ...platform.env, ...ports, ...extra })
  await ready('the second edge', child)
  return {
    urls: Object.fromEntries(
      Object.entries(listeners).map(([name, { setting }]) => [name, `http://127.0.0.1:${ports[setting]}`]),
    ) as Urls,
    frontUrl: `http://127.0.0.1:${ports[frontListener.setting]}`,
    kill: () => void child.kill('SIGKILL'),
    stop: async () => void (await stop()),
  }
}
