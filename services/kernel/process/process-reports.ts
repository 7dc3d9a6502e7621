import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Registry } from 'prom-client'
import { repeatEvery } from './repeat.ts'

/** Core subject of the processes' reports, sent every few seconds. Nothing is stored. */
export const processReportSubject = 'internal.process-report'

/** Calls of one RPC since the last report: total, server-side failures, and counts per bucket. */
export type RpcCounts = { calls: number; faults: number; buckets: number[] }

/** A process's report. Times are in ms since 1970, sizes in bytes. */
export type ProcessReport = {
  /** Random, chosen at the start. */
  id: string
  pid: number
  host: string
  /** Services that it hosts; none for a separate edge. */
  services: string[]
  version: string
  node: string
  startedAt: number
  residentBytes: number
  heapBytes: number
  /** Event loop utilisation since the last report, 0 to 1. */
  busy: number
  /** Upper bounds of the buckets in seconds; one unbounded bucket follows. */
  bounds: number[]
  rpcs: Record<string, RpcCounts>
}

type CoreBus = { publishCore(subject: string, data: string): boolean }
type Sample = { labels: Record<string, string | number>; value: number; metricName?: string }

const usualMs = 5_000
/** Errors caused by the platform or a provider, not by the caller. */
const faults = new Set([
  'InternalServerError',
  'DatabaseError',
  'ServiceUnavailableError',
  'ExternalServiceError',
  'NotImplementedError',
])

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/**
 * Publishes this process's report now and every five seconds.
 * @returns a function that stops it
 */
export function reportProcess(
  bus: CoreBus,
  registry: Registry,
  services: readonly string[],
  everyMs = usualMs,
): () => void {
  const id = randomUUID()
  const startedAt = Math.round(performance.timeOrigin)
  let loop = performance.eventLoopUtilization()
  let before = new Map<string, RpcCounts>()

  const report = async (): Promise<void> => {
    const { totals, bounds } = await rpcTotals(registry)
    const now = performance.eventLoopUtilization()
    const { rss, heapUsed } = process.memoryUsage()
    const message: ProcessReport = {
      id,
      pid: process.pid,
      host: hostname(),
      services: [...services],
      version,
      node: process.version,
      startedAt,
      residentBytes: rss,
      heapBytes: heapUsed,
      busy: performance.eventLoopUtilization(now, loop).utilization,
      bounds,
      rpcs: since(before, totals),
    }
    // Unpublished counts are part of the next report.
    if (!bus.publishCore(processReportSubject, JSON.stringify(message))) return
    before = totals
    loop = now
  }
  // One at a time: two at once would both count from the same report.
  const reporting = repeatEvery(everyMs, report)
  void reporting.run()
  return () => void reporting.stop()
}

/** All calls so far by RPC, from the gate's histogram. */
async function rpcTotals(registry: Registry): Promise<{ totals: Map<string, RpcCounts>; bounds: number[] }> {
  const totals = new Map<string, RpcCounts>()
  const { values = [] } = (await registry.getSingleMetric('rpc_duration_seconds')?.get()) ?? {}
  const samples = values as Sample[]
  const bounds = [...new Set(samples.map(({ labels }) => Number(labels['le'])).filter(Number.isFinite))]
  bounds.sort((a, b) => a - b)
  for (const { labels, value, metricName = '' } of samples) {
    const rpc = String(labels['rpc'])
    let counts = totals.get(rpc)
    if (!counts)
      totals.set(rpc, (counts = { calls: 0, faults: 0, buckets: Array.from({ length: bounds.length + 1 }, () => 0) }))
    if (metricName.endsWith('_count')) {
      counts.calls += value
      if (faults.has(String(labels['result']))) counts.faults += value
    }
    if (!metricName.endsWith('_bucket')) continue
    // Each bucket includes the smaller ones.
    const at = labels['le'] === '+Inf' ? bounds.length : bounds.indexOf(Number(labels['le']))
    counts.buckets[at] = (counts.buckets[at] ?? 0) + value
    if (at < bounds.length) counts.buckets[at + 1] = (counts.buckets[at + 1] ?? 0) - value
  }
  return { totals, bounds }
}

/** The calls since an earlier count; RPCs without calls are left out. */
function since(before: ReadonlyMap<string, RpcCounts>, now: ReadonlyMap<string, RpcCounts>): Record<string, RpcCounts> {
  const added: Record<string, RpcCounts> = {}
  for (const [rpc, { calls, faults: failed, buckets }] of now) {
    const old = before.get(rpc)
    if (calls === (old?.calls ?? 0)) continue
    added[rpc] = {
      calls: calls - (old?.calls ?? 0),
      faults: failed - (old?.faults ?? 0),
      buckets: buckets.map((count, at) => count - (old?.buckets[at] ?? 0)),
    }
  }
  return added
}
