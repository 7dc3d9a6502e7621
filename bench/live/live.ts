import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { line, median } from '../support/figures.ts'
import { bySize } from '../support/size.ts'
import { measureLatency } from './latency.ts'
import {
  type LiveSide,
  measure,
  peersFolder,
  platformServer,
  type Run,
  socketIo,
  startSide,
  stopSide,
} from './sides.ts'

const sockets = bySize(2_000, 2_000, 50)
/** More sockets, since a process's memory varies by some MB anyway. */
const weighedSockets = bySize(10_000, 10_000, 100)
const idleSockets = bySize(10_000, 10_000, 100)
const [rounds, singles, bursts, burst] = bySize([7, 150, 5, 50], [3, 60, 3, 50], [1, 3, 1, 3])
const [perSecond, seconds] = bySize([200, 20], [200, 5], [20, 1])
const mib = 1_048_576 / 1_000_000
/** With Node's default of 64 MB, a figure of memory would mostly show how far a process has filled this space. */
const smallYoungGeneration = ['--max-semi-space-size=1']
/** As in compose.yml [D196]. */
const asComposed = ['--max-semi-space-size=16']

function installPeers(): void {
  if (existsSync(path.join(peersFolder, 'node_modules', 'socket.io'))) return
  mkdirSync(peersFolder, { recursive: true })
  console.log(`  installing socket.io into ${peersFolder} …`)
  const args = ['install', '--prefix', peersFolder, '--no-audit', '--no-fund', '--silent', 'socket.io@4']
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

const verdict = (isMet: boolean): string => (isMet ? 'met' : 'MISSED')

function rowOf(title: string, { name }: LiveSide, runs: Run[]): string {
  const rates = runs.map(run => run.perSecond)
  const range = `${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}`
  const cpu = median(runs.map(run => run.cpu)).toFixed(2)
  return line(title, name, median(rates).toFixed(0), range, cpu)
}

/** By rounds, since the machine's speed changes more between rounds than within one. */
const ratio = (platform: Run[], socketIoSide: Run[], figureOf: (run: Run) => number): number =>
  median(platform.map((run, index) => figureOf(run) / figureOf(socketIoSide[index] ?? run)))

/** Fan-out to one room against socket.io, in turn. */
async function fanOut(): Promise<{ tables: string[]; goals: string[] }> {
  const platform = await startSide('ours', sockets, platformServer, asComposed)
  const socketIoSide = await startSide('socket.io', sockets, socketIo)
  const kinds = [
    { title: 'single events', times: singles, size: 1, goal: 1.5, mine: [] as Run[], theirs: [] as Run[] },
    { title: `bursts of ${burst}`, times: bursts, size: burst, goal: 10, mine: [] as Run[], theirs: [] as Run[] },
  ]
  for (const { times, size } of kinds)
    for (const side of [platform, socketIoSide]) await measure(side, Math.ceil(times / 5), size)
  for (let round = 0; round < rounds; round++)
    for (const kind of kinds) {
      kind.mine.push(await measure(platform, kind.times, kind.size))
      kind.theirs.push(await measure(socketIoSide, kind.times, kind.size))
    }
  await stopSide(platform)
  await stopSide(socketIoSide)
  return {
    tables: [
      line('what', 'side', 'deliveries/s', 'range', 'server CPU µs for each'),
      line('-', '-', '-', '-', '-'),
      ...kinds.flatMap(({ title, ...runs }) => [
        rowOf(title, platform, runs.mine),
        rowOf(title, socketIoSide, runs.theirs),
      ]),
    ],
    goals: [
      ...kinds.map(({ title, goal, ...runs }) => {
        const wall = ratio(runs.mine, runs.theirs, run => run.perSecond)
        const cpu = ratio(runs.theirs, runs.mine, run => run.cpu)
        const figure = `${wall.toFixed(2)}× (deliveries per second of server CPU: ${cpu.toFixed(2)}×)`
        return line(`${title}, deliveries/s against socket.io`, figure, `≥ ${goal}×`, verdict(wall >= goal))
      }),
    ],
  }
}

/** The memory of a socket, and of an edge process with many idle sockets. */
async function memory(): Promise<{ table: string[]; goals: string[] }> {
  const sides: LiveSide[] = []
  const weigh = async (...side: Parameters<typeof startSide>): Promise<LiveSide> => {
    const weighed = await startSide(...side)
    await stopSide(weighed)
    sides.push(weighed)
    return weighed
  }
  const platform = await weigh('ours', weighedSockets, platformServer, smallYoungGeneration)
  const socketIoSide = await weigh('socket.io', weighedSockets, socketIo, smallYoungGeneration)
  const composed = await weigh('platformServer, as composed', idleSockets, platformServer, asComposed)
  const ratio = platform.perSocket / socketIoSide.perSocket
  const total = composed.total * mib
  return {
    table: [
      line('memory after a collection', 'KiB per socket', 'of it heap', 'MB in all'),
      line('-', '-', '-', '-'),
      ...sides.map(({ name, count, perSocket, heapPerSocket, total }) =>
        line(`${name}, ${count} sockets`, perSocket.toFixed(1), heapPerSocket.toFixed(1), (total * mib).toFixed(0)),
      ),
    ],
    goals: [
      line('memory per socket against socket.io', `${ratio.toFixed(2)}×`, '≤ 0.5×', verdict(ratio <= 0.5)),
      line(`process with ${idleSockets} idle sockets`, `${total.toFixed(0)} MB`, '≤ 300 MB', verdict(total <= 300)),
    ],
  }
}

/** Fan-out and memory against socket.io, the cost of idle sockets, and the latency of an event. */
export async function benchLive(): Promise<string> {
  installPeers()
  const fan = await fanOut()
  const weights = await memory()
  const latencies = await measureLatency(perSecond, seconds)
  return [
    `${sockets} sockets in one room, an event of some 270 bytes; medians of ${rounds} rounds.`,
    '',
    ...fan.tables,
    '',
    ...weights.table,
    '',
    line(`${perSecond} events/s for ${seconds} s, publish to client`, 'p50 ms', 'p99 ms', 'missing'),
    line('-', '-', '-', '-'),
    ...latencies.map(one =>
      line(`\`${one.event}\`: ${one.label}`, one.p50.toFixed(1), one.p99.toFixed(1), one.missingCount),
    ),
    '',
    line('goal', 'figure', 'wanted', ''),
    line('-', '-', '-', '-'),
    ...fan.goals,
    ...weights.goals,
    ...latencies.map(({ event, p99, missingCount }) =>
      line(`\`${event}\`, p99`, `${p99.toFixed(1)} ms`, '≤ 100 ms', verdict(p99 <= 100 && missingCount === 0)),
    ),
  ].join('\n')
}
