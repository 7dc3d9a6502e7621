import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median } from './support/load.ts'
import { processorTime, residentMemory } from './support/memory.ts'
import type { Order } from './support/swarm.ts'

const quickly = process.argv.includes('--quick')
const sockets = 2_000
const idleSockets = quickly ? 4_000 : 10_000
const [rounds, singles, bursts, burst] = quickly ? [3, 30, 3, 50] : [7, 150, 10, 50]
const peers = path.join(tmpdir(), 'platform-bench-peers')

const script = (name: string): string => fileURLToPath(new URL(`support/${name}.ts`, import.meta.url))

/** A server with its sockets open, and the process that counts what they get. */
type Side = { name: string; server: ChildProcess; swarm: ChildProcess; count: number; perSocket: number; total: number }
type Run = { perSecond: number; cpu: number; busy: number }

/** The next message with a key. */
function told<T>(child: ChildProcess, key: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a process of the benchmark ended with ${code}`))
    const hear = (message: object): void => {
      if (!(key in message)) return
      child.off('message', hear).off('exit', ended)
      resolve(message as T)
    }
    child.on('message', hear).once('exit', ended)
  })
}

/** Starts a server and opens its sockets. Its memory is read when it has been quiet for a while. */
async function startSide(name: string, file: string, count: number, engineIo: boolean): Promise<Side> {
  const env = { ...process.env, BENCH_PEERS: peers, BENCH_SOCKETS: String(count), NODE_ENV: 'production' }
  const server = fork(script(file), { env })
  const { url, headers } = await told<{ url: string; headers: Record<string, string>[] }>(server, 'url')
  const pid = server.pid ?? 0
  await sleep(1_000)
  const before = residentMemory(pid)
  const swarm = fork(script('swarm'))
  const opened = told<{ opened: number }>(swarm, 'opened')
  swarm.send({ open: { url, headers, engineIo } } satisfies Order)
  await opened
  await sleep(3_000)
  const total = residentMemory(pid)
  return { name, server, swarm, count, total, perSocket: ((total - before) * 1_024) / count }
}

const stop = async ({ server, swarm }: Side): Promise<void> => {
  const gone = [server, swarm].map(child => once(child, 'exit'))
  swarm.kill()
  server.kill()
  await Promise.all(gone)
}

/** Has events emitted, `size` at a time, the next when the server has handed out the last; ends when all have come. */
async function measure({ server, swarm, count }: Side, times: number, size: number): Promise<Run> {
  const pid = server.pid ?? 0
  const deliveries = times * size * count
  const ready = told<{ cpu: NodeJS.CpuUsage }>(swarm, 'ready')
  swarm.send({ expect: deliveries } satisfies Order)
  const before = (await ready).cpu
  const done = told<{ cpu: NodeJS.CpuUsage }>(swarm, 'done')
  const [began, cpu] = [performance.now(), processorTime(pid)]
  server.send({ size, times })
  const after = (await done).cpu
  const ms = performance.now() - began
  return {
    perSecond: (deliveries / ms) * 1_000,
    cpu: ((processorTime(pid) - cpu) / deliveries) * 100,
    busy: (after.user + after.system - before.user - before.system) / 1_000 / ms,
  }
}

function installPeers(): void {
  if (existsSync(path.join(peers, 'node_modules', 'socket.io'))) return
  mkdirSync(peers, { recursive: true })
  console.log(`  installing socket.io into ${peers} …`)
  const args = ['install', '--prefix', peers, '--no-audit', '--no-fund', '--silent', 'socket.io@4']
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

const figures = (runs: Run[]): string[] => {
  const all = runs.map(one => one.perSecond)
  const range = `${Math.min(...all).toFixed(0)}–${Math.max(...all).toFixed(0)}`
  return [
    median(all).toFixed(0),
    range,
    median(runs.map(one => one.cpu)).toFixed(2),
    median(runs.map(one => one.busy)).toFixed(2),
  ]
}

/** Fan-out to one room against socket.io, in turn, and what sockets cost while nothing happens. */
export async function benchLive(): Promise<string> {
  installPeers()
  const sides = [
    await startSide('ours', 'live-ours', sockets, false),
    await startSide('socket.io', 'live-socketio', sockets, true),
  ]
  const kinds = [
    { title: 'single events', times: singles, size: 1 },
    { title: `bursts of ${burst}`, times: bursts, size: burst },
  ]
  const runs = new Map(kinds.map(kind => [kind, sides.map((): Run[] => [])]))
  for (const kind of kinds) for (const side of sides) await measure(side, 2, kind.size)
  for (let round = 0; round < rounds; round++)
    for (const [{ times, size }, all] of runs)
      for (const [index, side] of sides.entries()) all[index]?.push(await measure(side, times, size))
  for (const side of sides) await stop(side)

  const idle = await startSide('ours', 'live-ours', idleSockets, false)
  await stop(idle)
  const rows = [...runs].flatMap(([{ title }, all]) => {
    const medians = all.map(one => median(one.map(run => run.perSecond)))
    return sides.map(({ name }, index) => {
      const ratio = ((medians[0] ?? 0) / (medians[index] ?? 1)).toFixed(2)
      return `| ${[title, name, ...figures(all[index] ?? []), ratio].join(' | ')} |`
    })
  })
  return [
    `${sockets} sockets in one room, an event of some 270 bytes; the next when the server has handed out the last.`,
    '',
    '| what | side | deliveries/s | range | server CPU s per 100,000 | counting process busy | ours ÷ this |',
    '|-|-|-|-|-|-|-|',
    ...rows,
    '',
    '| memory | KiB per socket | MiB in all |',
    '|-|-|-|',
    ...[...sides, idle].map(
      ({ name, count, perSocket, total }) =>
        `| ${name}, ${count} idle sockets | ${perSocket.toFixed(1)} | ${total.toFixed(0)} |`,
    ),
  ].join('\n')
}
