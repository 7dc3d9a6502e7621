import { type ChildProcess, fork } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { endChild } from '../../test/kit/process.ts'
import { processorTime, residentMemory } from '../support/processes.ts'
import type { Order, Trigger } from './swarm.ts'

export const peersFolder = path.join(tmpdir(), 'platform-bench-peers')

/** A server with open sockets, its neighbours, and the process that counts the frames. */
export type LiveSide = {
  name: string
  server: ChildProcess
  neighbours: ChildProcess | undefined
  trigger: Trigger
  swarm: ChildProcess
  count: number
  /** After a garbage collection: resident KiB per further socket, its share on the heap, and MiB in total. */
  perSocket: number
  heapPerSocket: number
  total: number
}

/** One measurement: deliveries per second, and the server's CPU microseconds per delivery. */
export type Run = { perSecond: number; cpu: number }

const script = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const collecting = ['--expose-gc', '--import', script('../support/collect.ts')]
/** Share of the sockets opened before the first memory measurement, to exclude one-time costs. */
const earlyShare = 0.1

/** The next message with a key. */
function valueFrom<T>(child: ChildProcess, key: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const failOnExit = (code: number | null) => reject(new Error(`a process of the benchmark ended with ${code}`))
    const hear = (message: object): void => {
      if (!(key in message)) return
      child.off('message', hear).off('exit', failOnExit)
      resolve(message as T)
    }
    child.on('message', hear).once('exit', failOnExit)
  })
}

type StartedServer = Pick<LiveSide, 'server' | 'neighbours' | 'trigger'> & {
  url: string
  headers: Record<string, string>[]
  engineIo: boolean
}

const socketsPerPerson = 10

/** What the process of services and broker reports. */
type Neighbours = { env: NodeJS.ProcessEnv; trigger: Trigger; tokens: string[] }

/** An edge process as in compose.yml, with services and a broker. */
export async function platformServer(count: number, flags: string[]): Promise<StartedServer> {
  const people = String(Math.ceil(count / socketsPerPerson))
  const neighbours = fork(script('./ours.ts'), { env: { ...process.env, BENCH_PEOPLE: people } })
  const { env, trigger, tokens } = await valueFrom<Neighbours>(neighbours, 'tokens')
  const server = fork(script('../../edge/main.ts'), {
    env: { FRONT_BASE_URL: 'http://localhost:8080', ...process.env, ...env, NODE_ENV: 'production' },
    execArgv: [...collecting, ...flags],
  })
  const { urls } = await valueFrom<{ urls: Record<string, string> }>(server, 'urls')
  const url = `${urls['notification']?.replace('http', 'ws')}/ws`
  const headers = tokens.flatMap(token =>
    Array.from({ length: socketsPerPerson }, () => ({ Authorization: `Bearer ${token}` })),
  )
  return { server, neighbours, trigger, url, headers: headers.slice(0, count), engineIo: false }
}

export async function socketIo(count: number, flags: string[]): Promise<StartedServer> {
  const env = { ...process.env, BENCH_PEERS: peersFolder, NODE_ENV: 'production' }
  const server = fork(script('./socketio.ts'), { env, execArgv: [...collecting, ...flags] })
  const { url, trigger } = await valueFrom<{ url: string; trigger: Trigger }>(server, 'url')
  const headers = Array.from({ length: count }, () => ({}))
  return { server, neighbours: undefined, trigger, url, headers, engineIo: true }
}

/** KiB, once the server is idle and has collected garbage. */
async function memoryOf(server: ChildProcess): Promise<{ resident: number; heap: number }> {
  await sleep(2_000)
  const collected = valueFrom<{ heap: number }>(server, 'heap')
  server.send({ type: 'collect' })
  const { heap } = await collected
  return { resident: residentMemory(server.pid ?? 0) * 1_024, heap: heap / 1_024 }
}

/** Opens a server's sockets, and measures its memory before and after. */
export async function startSide(
  name: string,
  count: number,
  start: typeof platformServer,
  flags: string[] = [],
): Promise<LiveSide> {
  const { server, neighbours, trigger, url, headers, engineIo } = await start(count, flags)
  const swarm = fork(script('./swarm.ts'))
  const open = async (headersList: Record<string, string>[]): Promise<void> => {
    const whenOpened = valueFrom(swarm, 'opened')
    swarm.send({ open: { url, headers: headersList, engineIo } } satisfies Order)
    await whenOpened
  }
  const earlyCount = count * earlyShare
  await open(headers.slice(0, earlyCount))
  const before = await memoryOf(server)
  await open(headers.slice(earlyCount))
  const after = await memoryOf(server)
  const perSocketOf = (key: 'resident' | 'heap') => (after[key] - before[key]) / (count - earlyCount)
  const memory = {
    perSocket: perSocketOf('resident'),
    heapPerSocket: perSocketOf('heap'),
    total: after.resident / 1_024,
  }
  return { name, server, neighbours, trigger, swarm, count, ...memory }
}

export async function stopSide({ server, neighbours, swarm }: LiveSide): Promise<void> {
  for (const child of [swarm, server, neighbours]) await endChild(child, 'SIGTERM')
}

/**
 * Triggers batches of `size` events. The next batch begins when one socket has received the last: the server then still
 * writes to the others, and always has work. Ends when all sockets have received everything.
 */
export async function measure({ server, swarm, trigger, count }: LiveSide, times: number, size: number): Promise<Run> {
  const pid = server.pid ?? 0
  const deliveries = times * size * count
  const beginning = valueFrom(swarm, 'begun')
  const ending = valueFrom(swarm, 'done')
  const cpu = processorTime(pid)
  swarm.send({ say: trigger, times, size } satisfies Order)
  await beginning
  const began = performance.now()
  await ending
  const ms = performance.now() - began
  return {
    perSecond: (deliveries / ms) * 1_000,
    cpu: ((processorTime(pid) - cpu) * 1_000) / deliveries,
  }
}
