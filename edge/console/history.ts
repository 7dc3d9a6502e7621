import { type Host, type ServiceName, serviceNames } from '../../services/kernel/rpc/host.ts'
import type { RpcCounts } from '../../services/kernel/process/process-reports.ts'
import { addTraffic, type Fleet, quantile, sumOf, type Traffic } from './fleet.ts'

/** Calls of a service within one sample's time; times in ms, null when nobody called. */
export type Calls = { calls: number; faults: number; p50: number | null; p99: number | null }

/** How everything was at one moment. What is added to it must be looked for in {@link heardIn}. */
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
/** For how long samples are kept, and for how long of that the calls by RPC are told, in ms. */
const keptMs = 3_600_000
const detailedMs = 900_000
/** Where samples are said: {@link Bus.watchStream} keeps the first of each ten seconds, whoever says it. */
const subject = 'internal.sample'

/** As the bus keeps it: with the calls by RPC since the sample before. */
type Kept = Sample & { traffic: [rpc: string, counts: RpcCounts][] }

/** The service of an RPC's name: platform.legacyauth.v1.UsageService/ListUsage → auth. */
export function serviceOf(rpc: string): ServiceName | undefined {
  const part = rpc.split('.')[1] ?? ''
  const name = { legacyauth: 'auth', access: 'member' }[part] ?? part
  return serviceNames.find(known => known === name)
}

type Bus = Pick<Host['bus'], 'stream' | 'watchStream' | 'backlog' | 'bounds' | 'publish' | 'tail'>

/**
 * Looks around every ten seconds by the clock, and remembers an hour of it on the bus: all edge processes tell the same,
 * and one that starts knows what was before it. While the broker is away each remembers for itself.
 */
export function keepHistory(host: Pick<Host, 'healthy'> & { bus: Bus }, fleet: Fleet): History {
  const { bus } = host
  let samples: Kept[] = []
  let stopped = false
  let timer: NodeJS.Timeout

  const keep = (sample: Kept): void => {
    if (samples.some(other => turnOf(other.at) === turnOf(sample.at))) return
    const kept = samples.filter(({ at }) => at > Date.now() - keptMs)
    samples = [...kept, sample].toSorted((a, b) => a.at - b.at)
  }
  const untail = bus.tail(subject, ({ body }) => heardIn(body).forEach(keep), {
    stream: bus.watchStream,
    backMs: keptMs,
  })

  const look = async (): Promise<void> => {
    const at = Date.now()
    const [up, backlog, end] = await Promise.all([
      Promise.all(serviceNames.map(async name => [name, await host.healthy(name)] as const)),
      bus.backlog().catch(() => undefined),
      bus.bounds(bus.stream).catch(() => undefined),
    ])
    if (stopped) return
    const traffic = fleet.taken()
    const byService = Map.groupBy(traffic, ([rpc]) => serviceOf(rpc))
    const callsOf = (which: Iterable<readonly [string, RpcCounts]>) => {
      const sum = sumOf([...which].map(([, counts]) => counts))
      const [p50, p99] = [0.5, 0.99].map(share => quantile(share, sum, fleet.bounds()))
      return { calls: sum.calls, faults: sum.faults, p50: p50 ?? null, p99: p99 ?? null }
    }
    const sample: Kept = {
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
      traffic: [...traffic],
    }
    await bus.publish(subject, JSON.stringify(sample), { id: `sample:${turnOf(at)}` }).catch(() => keep(sample))
  }
  // At the same moments everywhere, so that whichever sample is kept tells the calls since the one that was kept before.
  const tell = async (): Promise<void> => {
    await look().catch(() => undefined)
    if (stopped) return
    timer = setTimeout(() => void tell(), turnMs - (Date.now() % turnMs))
    timer.unref()
  }
  void tell()

  return {
    since: after => samples.filter(({ at }) => at > after).map(({ traffic: _, ...sample }) => sample),
    recent() {
      const traffic: Traffic = new Map()
      const windows = samples.filter(({ at }) => at > Date.now() - detailedMs)
      for (const window of [...windows.map(one => one.traffic), fleet.untaken()]) addTraffic(traffic, window)
      const since = windows[0]?.at ?? Date.now()
      return { traffic, seconds: Math.max(sampleSeconds, (Date.now() - since) / 1_000) }
    },
    stop() {
      stopped = true
      untail()
      clearTimeout(timer)
    },
  }
}

const turnMs = sampleSeconds * 1_000
/** Which ten seconds a moment belongs to. */
const turnOf = (at: number): number => Math.floor(at / turnMs)

/** The sample of a message, or none: an edge process of another version may say it in another way. */
function heardIn(body: unknown): Kept[] {
  const { at, up, calls, total, traffic } = Object(body) as Partial<Kept>
  const isWhole = typeof at === 'number' && up && total && Array.isArray(traffic)
  return isWhole && serviceNames.every(name => calls?.[name]) ? [body as Kept] : []
}
