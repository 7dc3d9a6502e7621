import { type Host, type ServiceName, serviceNames } from '../../services/kernel/host.ts'
import { addTraffic, type Fleet, quantile, together, type Traffic } from './fleet.ts'

/** Calls of a service within one sample's time; times in ms, null when nobody called. */
export type Calls = { calls: number; faults: number; p50: number | null; p99: number | null }

/** How everything was at one moment. */
export type Sample = {
  /** ms since 1970. */
  at: number
  up: Record<ServiceName, boolean>
  calls: Record<ServiceName, Calls>
  /** Calls of all services. */
  total: Calls
  /** Messages that wait for each consumer; null while the broker is away. */
  waiting: Record<string, number> | null
  dead: number | null
  /** Number of the last event on the bus; null while the broker is away. */
  published: number | null
  residentBytes: number
}

export type History = {
  /** Samples after a moment, oldest first. */
  since(at: number): Sample[]
  /** Calls by RPC within the last fifteen minutes, or since the start, and how many seconds that is. */
  recent(): { traffic: Traffic; seconds: number }
  stop(): void
}

export const sampleSeconds = 10
/** An hour. */
const kept = 360
/** A quarter of one. */
const detailed = 90

/** The service of an RPC's name: platform.legacyauth.v1.UsageService/ListUsage → auth. */
export function serviceOf(rpc: string): ServiceName | undefined {
  const part = rpc.split('.')[1] ?? ''
  const name = { legacyauth: 'auth', access: 'member' }[part] ?? part
  return serviceNames.find(known => known === name)
}

/** Looks around every ten seconds and remembers an hour of it, in this process alone. */
export function keepHistory(host: Pick<Host, 'healthy' | 'bus'>, fleet: Fleet): History {
  const samples: Sample[] = []
  const windows: Traffic[] = []
  let stopped = false

  const look = async (): Promise<void> => {
    const at = Date.now()
    const [up, backlog, end] = await Promise.all([
      Promise.all(serviceNames.map(async name => [name, await host.healthy(name)] as const)),
      host.bus.backlog().catch(() => undefined),
      host.bus.bounds(host.bus.stream).catch(() => undefined),
    ])
    if (stopped) return
    const traffic = fleet.taken()
    const byService = Map.groupBy(traffic, ([rpc]) => serviceOf(rpc))
    const callsOf = (
      which: Iterable<readonly [string, Traffic extends Map<string, infer Counts> ? Counts : never]>,
    ) => {
      const sum = together([...which].map(([, counts]) => counts))
      const [p50, p99] = [0.5, 0.99].map(share => quantile(share, sum, fleet.bounds()))
      return { calls: sum.calls, faults: sum.faults, p50: p50 ?? null, p99: p99 ?? null }
    }
    samples.push({
      at,
      up: Object.fromEntries(up) as Sample['up'],
      calls: Object.fromEntries(
        serviceNames.map(name => [name, callsOf(byService.get(name) ?? [])]),
      ) as Sample['calls'],
      total: callsOf(traffic),
      waiting: backlog ? Object.fromEntries(backlog.consumers.map(one => [one.durable, one.waiting])) : null,
      dead: backlog?.dead ?? null,
      published: end?.last ?? null,
      residentBytes: fleet.processes().reduce((sum, one) => sum + one.residentBytes, 0),
    })
    windows.push(traffic)
    if (samples.length > kept) samples.shift()
    if (windows.length > detailed) windows.shift()
  }
  const tell = () => void look().catch(() => undefined)
  const timer = setInterval(tell, sampleSeconds * 1_000)
  timer.unref()
  tell()

  return {
    since: at => samples.filter(sample => sample.at > at),
    recent() {
      const traffic: Traffic = new Map()
      for (const window of [...windows, fleet.untaken()]) addTraffic(traffic, window)
      const since = samples.at(-windows.length)?.at ?? Date.now()
      return { traffic, seconds: Math.max(sampleSeconds, (Date.now() - since) / 1_000) }
    },
    stop() {
      stopped = true
      clearInterval(timer)
    },
  }
}
