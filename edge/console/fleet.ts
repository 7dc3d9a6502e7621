import {
  type ProcessReport,
  processReportSubject,
  type RpcCounts,
} from '../../services/kernel/process/process-reports.ts'
import type { Host } from '../../services/kernel/rpc/host.ts'

/** A process that reported recently. */
export type Seen = Omit<ProcessReport, 'bounds' | 'rpcs'> & { seenAt: number }
/** Calls by RPC. */
export type Traffic = Map<string, RpcCounts>

export type Fleet = {
  /** Every process that has reported within the last 15 seconds. */
  processes(): Seen[]
  /** The calls of all processes since the last `taken()`. */
  taken(): Traffic
  /** The calls not taken yet. */
  untaken(): Traffic
  /** Upper bounds of the buckets in seconds. */
  bounds(): readonly number[]
  stop(): void
}

const silentMs = 15_000

/** Collects the reports of all processes, this one included. */
export function watchFleet(bus: Pick<Host['bus'], 'subscribeCore'>): Fleet {
  const seen = new Map<string, Seen>()
  let traffic: Traffic = new Map()
  let known: readonly number[] = []
  const stop = bus.subscribeCore(processReportSubject, data => {
    const report = reportIn(data)
    if (!report) return
    const { bounds, rpcs, ...about } = report
    if (bounds.length > 0) known = bounds
    seen.set(about.id, { ...about, seenAt: Date.now() })
    addTraffic(traffic, Object.entries(rpcs))
  })
  return {
    processes() {
      for (const [id, { seenAt }] of seen) if (seenAt < Date.now() - silentMs) seen.delete(id)
      return [...seen.values()].toSorted((a, b) => a.startedAt - b.startedAt)
    },
    taken() {
      const all = traffic
      traffic = new Map()
      return all
    },
    untaken: () => traffic,
    bounds: () => known,
    stop,
  }
}

/** A process of another version may report in another form; unreadable reports are skipped. */
function reportIn(data: Uint8Array): ProcessReport | undefined {
  try {
    const report = JSON.parse(Buffer.from(data).toString()) as ProcessReport
    const isWhole = Array.isArray(report.bounds) && Array.isArray(report.services) && typeof report.rpcs === 'object'
    return isWhole && typeof report.id === 'string' ? report : undefined
  } catch {
    return undefined
  }
}

/** Adds calls to the totals. */
export function addTraffic(to: Traffic, added: Iterable<readonly [string, RpcCounts]>): void {
  for (const [rpc, { calls, faults, buckets }] of added) {
    const sum = to.get(rpc) ?? { calls: 0, faults: 0, buckets: [] }
    sum.calls += calls
    sum.faults += faults
    buckets.forEach((count, at) => {
      sum.buckets[at] = (sum.buckets[at] ?? 0) + count
    })
    to.set(rpc, sum)
  }
}

/** The sum over all RPCs. */
export function sumOf(counts: Iterable<RpcCounts>): RpcCounts {
  const sum: Traffic = new Map()
  for (const one of counts) addTraffic(sum, [['', one]])
  return sum.get('') ?? { calls: 0, faults: 0, buckets: [] }
}

/**
 * A quantile of call times in ms, interpolated linearly within its bucket.
 * @returns null without calls
 */
export function quantile(share: number, { buckets }: RpcCounts, bounds: readonly number[]): number | null {
  const all = buckets.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  let passed = 0
  for (const [at, count] of buckets.entries()) {
    if (count > 0 && passed + count >= share * all) {
      const from = bounds[at - 1] ?? 0
      const to = bounds[at] ?? from
      return (from + (to - from) * ((share * all - passed) / count)) * 1_000
    }
    passed += count
  }
  return (bounds.at(-1) ?? 0) * 1_000
}
