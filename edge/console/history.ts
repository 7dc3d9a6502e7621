import type { RpcCounts } from '../../services/kernel/process/process-reports.ts'
import { type Host, type ServiceName, serviceNames } from '../../services/kernel/rpc/host.ts'
import { addTraffic, type Fleet, quantile, sumOf, type Traffic } from './fleet.ts'

/** Calls of a service within one sample; times in ms, null without calls. */
export type Calls = { calls: number; faults: number; p50: number | null; p99: number | null }

/** The platform's state at one moment. A new field must be checked in {@link sampleIn}. */
export type Sample = {
  /** ms since 1970. */
  at: number
  up: Record<ServiceName, boolean>
  calls: Record<ServiceName, Calls>
  /** Calls of all services. */
  total: Calls
  /** Pending messages per consumer; null while disconnected. */
  waiting: Record<string, number> | null
  dead: number | null
  /** Sequence of the last event on the bus; null while disconnected. */
  published: number | null
  residentBytes: number
}

export type History = {
  /** Samples after a moment, oldest first. */
  since(at: number): Sample[]
  /** Calls by RPC within the last fifteen minutes, or since the start, and the covered time in seconds. */
  recent(): { traffic: Traffic; seconds: number }
  stop(): void
}

export const sampleSeconds = 10
/** How long samples are kept, and the span of the calls by RPC, in ms. */
const keptMs = 3_600_000
const detailedMs = 900_000
/**
 * Subject of the samples. {@link Bus.watchStream} keeps the first of each ten seconds, whichever process published it.
 */
const subject = 'internal.sample'

/** A stored sample, with the calls by RPC since the one before. */
type Kept = Sample & { traffic: [rpc: string, counts: RpcCounts][] }

/** The service of an RPC's name: platform.legacyauth.v1.UsageService/ListUsage → auth. */
export function serviceOf(rpc: string): ServiceName | undefined {
  const part = rpc.split('.')[1] ?? ''
  const name = { legacyauth: 'auth', access: 'member' }[part] ?? part
  return serviceNames.find(known => known === name)
}

type Bus = Pick<Host['bus'], 'stream' | 'watchStream' | 'backlog' | 'bounds' | 'publish' | 'tail'>

/**
 * Takes a sample every ten seconds by the clock, and keeps an hour of them on the bus: all edge processes show the same
 * history, from their start on. While disconnected, each process keeps its own.
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
  const untail = bus.tail(subject, ({ body }) => sampleIn(body).forEach(keep), {
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
  // All processes sample at the same moments, so that the stored sample counts the calls since the previous stored one.
  const sampleOnTime = async (): Promise<void> => {
    await look().catch(() => undefined)
    if (stopped) return
    timer = setTimeout(() => void sampleOnTime(), turnMs - (Date.now() % turnMs))
    timer.unref()
  }
  void sampleOnTime()

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
/** The ten-second slot of a moment. */
const turnOf = (at: number): number => Math.floor(at / turnMs)

/** The sample in a message, if readable: an edge process of another version may use another form. */
function sampleIn(body: unknown): Kept[] {
  const { at, up, calls, total, traffic } = Object(body) as Partial<Kept>
  const isWhole = typeof at === 'number' && up && total && Array.isArray(traffic)
  return isWhole && serviceNames.every(name => calls?.[name]) ? [body as Kept] : []
}
