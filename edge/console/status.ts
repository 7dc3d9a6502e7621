import { type Host, serviceNames } from '../../services/kernel/rpc/host.ts'
import type { EdgeConfig } from '../config.ts'
import type { ConsoleStatus } from './app/answers.ts'

/** The platform's current state: the answer of GET /console/api/status. */
export async function platformStatus(
  host: Pick<Host, 'bus' | 'healthy'>,
  { deprecatedSince, sunset }: Pick<EdgeConfig, 'deprecatedSince' | 'sunset'>,
): Promise<ConsoleStatus> {
  const [services, backlog] = await Promise.all([
    Promise.all(serviceNames.map(async name => ({ name, up: await host.healthy(name) }))),
    host.bus.backlog().catch(() => undefined),
  ])
  return {
    legacy: { deprecatedSince, sunset },
    bus: {
      connected: host.bus.status().connected,
      dead: backlog?.dead ?? null,
      consumers: backlog?.consumers ?? [],
    },
    services,
  }
}
