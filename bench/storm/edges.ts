import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../../test/kit/platform/ports.ts'
import { memoryOf, startEdge } from '../live/sides.ts'
import { peakMemory, processorTime } from '../support/processes.ts'
import { withFiles } from './files.ts'

/** An edge process that sockets connect to. */
export type Edge = { process: ChildProcess; url: string; metricsUrl: string }

/** As in compose.yml [D196]. */
const flags = ['--max-semi-space-size=16']

export async function startOne(env: NodeJS.ProcessEnv, files: number): Promise<Edge> {
  const [port] = await freePorts(1)
  const { server, urls } = await startEdge({ ...env, EDGE_METRICS_PORT: String(port) }, flags, withFiles(files))
  const url = String(urls['news']).replace('http', 'ws')
  return { process: server, url, metricsUrl: `http://127.0.0.1:${port}/metrics` }
}

export async function kill({ process: child }: Edge): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** Memory of a process after a collection of garbage, in MiB, and its part on the heap. */
export async function weigh(edge: Edge): Promise<{ resident: number; heap: number }> {
  const { resident, heap } = await memoryOf(edge.process)
  return { resident: resident / 1_024, heap: heap / 1_024 }
}

/**
 * Peak memory since the start in MiB, open sockets, and the longest delay of the event loop since the last look, in ms.
 */
export type Measures = { peak: number; sockets: number; delay: number }

export async function measuresOf({ process: child, metricsUrl }: Edge): Promise<Measures> {
  const text = await (await fetch(metricsUrl)).text()
  const read = (name: string): number => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
  return {
    peak: peakMemory(child.pid ?? 0),
    sockets: read('live_sockets'),
    delay: read('nodejs_eventloop_lag_max_seconds') * 1_000,
  }
}

/** Measures the processor time that processes take from now on, in ms; of one that has been started since, all. */
export function processorMeter(now: () => ChildProcess[]): () => number {
  const before = new Map(now().map(({ pid = 0 }) => [pid, processorTime(pid)]))
  return () => now().reduce((sum, { pid = 0 }) => sum + processorTime(pid) - (before.get(pid) ?? 0), 0)
}

/** Repeats until a condition holds. Resolves with whether it did in time. */
export async function within(ms: number, isSo: () => Promise<boolean>): Promise<boolean> {
  for (const until = Date.now() + ms; Date.now() < until; await sleep(200)) if (await isSo()) return true
  return false
}
