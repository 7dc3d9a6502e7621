import { type Host, serviceNames } from '../../services/kernel/rpc/host.ts'
import type { EdgeConfig } from '../config.ts'
import { type Fleet, quantile, sumOf } from './fleet.ts'
import { type History, sampleSeconds, serviceOf } from './history.ts'

const mostRpcs = 100

/**
 * The platform's current state and history: the answer of GET /console/api/status.
 * @param since only samples after this moment are included, in ms since 1970
 */
export async function platformStatus(
  host: Pick<Host, 'bus' | 'healthy'>,
  { deprecatedSince, sunset }: Pick<EdgeConfig, 'deprecatedSince' | 'sunset'>,
  fleet: Fleet,
  history: History,
  since: number,
) {
  const [up, backlog] = await Promise.all([
    Promise.all(serviceNames.map(name => host.healthy(name))),
    host.bus.backlog().catch(() => undefined),
  ])
  const processes = fleet.processes()
  const { traffic, seconds } = history.recent()
  const shown = (counts: ReturnType<typeof sumOf>) => ({
    calls: counts.calls,
    faults: counts.faults,
    p50: quantile(0.5, counts, fleet.bounds()),
    p99: quantile(0.99, counts, fleet.bounds()),
  })
  return {
    now: Date.now(),
    legacy: { deprecatedSince, sunset },
    bus: { connected: host.bus.status().connected, dead: backlog?.dead ?? null, consumers: backlog?.consumers ?? [] },
    services: serviceNames.map((name, at) => ({
      name,
      up: up[at] ?? false,
      processes: processes.filter(one => one.services.includes(name)).length,
      ...shown(sumOf([...traffic].filter(([rpc]) => serviceOf(rpc) === name).map(([, counts]) => counts))),
    })),
    processes,
    /** The span of the counts of services and RPCs, in seconds. */
    countedSeconds: seconds,
    rpcs: [...traffic]
      .toSorted(([, a], [, b]) => b.calls - a.calls)
      .slice(0, mostRpcs)
      .map(([rpc, counts]) => ({
        rpc: rpc.replace(/^platform\.|v1\./g, ''),
        service: serviceOf(rpc),
        ...shown(counts),
      })),
    sampleSeconds,
    samples: history.since(since),
  }
}
