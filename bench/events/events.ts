import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RowDataPacket } from 'mysql2/promise'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { line, median } from '../support/figures.ts'
import { childrenNamed, processorSeconds } from '../support/processes.ts'
import { isSmallest, sized } from '../support/size.ts'
import { withOwnServers } from '../support/world.ts'
import { type Broker, installClients, startRabbit, startRedis } from './brokers.ts'
import { peerDatabase } from './peer-tables.ts'
import { people, type Side, startOurs, startPeer } from './sides.ts'

// Long enough that the first and last moments of a pipeline weigh little.
const [rounds, events] = sized([5, 1_000], [3, 400], [1, 20])
const inFlight = 16
// Until then, the compilers of all sides are running.
const warmUp = sized(400, 400, 10)
/** A slow machine does fewer rounds rather than longer ones, but at least two; in ms. */
const longestMs = 400_000
const concurrencies = [1, 8]
const [goal, aim] = [1, 1.5]
/** `against`: the concurrent transactions of the peers it is compared with. */
const ours: { name: string; lanes: number; settings: Environment; against: number[] }[] = [
  { name: 'ours', lanes: 2, settings: {}, against: [8] },
  { name: 'ours, one transaction at once', lanes: 1, settings: { NOTIFICATION_STORE_LANES: '1' }, against: [1] },
]
/** The platform without batching: shown in full runs, because it is slow, and not compared. */
const apart = { name: 'ours, one event at a time', lanes: 1, settings: { NOTIFICATION_PARALLEL: '1' }, against: [] }

/** One round of one side; CPU seconds are per 1,000 events. */
type Run = { perSecond: number; own: number; database: number; broker: number; missing: number }

async function measure(side: Side, count: number, databasePids: number[]): Promise<Run> {
  await side.empty()
  const used = () => [side.pids, databasePids, side.brokerPids].map(processorSeconds)
  const before = used()
  const began = performance.now()
  const publishing = side.publish(count, inFlight)
  while ((await side.stored()) < count) {
    if (performance.now() - began > 120_000) throw new Error(`${side.name} stored ${await side.stored()} of ${count}`)
    await sleep(10)
  }
  await publishing
  await side.pushed(count)
  const seconds = (performance.now() - began) / 1_000
  const [own = 0, database = 0, broker = 0] = used().map((now, i) => ((now - (before[i] ?? 0)) / count) * 1_000)
  return { perSecond: count / seconds, own, database, broker, missing: count * people - (await side.receivers()) }
}

async function databaseName(url: string): Promise<string> {
  const db = await connectDatabase(url)
  const sql = "select table_schema as name from information_schema.tables where table_name = 'receivers' limit 1"
  const [[row]] = await db.query<RowDataPacket[]>(sql)
  await db.end()
  return String(row?.['name'])
}

/** Starts every side; reports a peer that is left out because its broker is unavailable. */
async function startSides(folder: string): Promise<{ sides: Side[]; missing: string[]; stop(): Promise<void> }> {
  const sides: Side[] = []
  const brokers: Broker[] = []
  const missing: string[] = []
  for (const { name, lanes, settings } of sized([...ours, apart], ours, ours))
    sides.push(await startOurs(name, lanes, settings))
  const oursIn = await databaseName(process.env['TEST_DATABASE_URL'] ?? '')
  const databases = [await peerDatabase('theirs', oursIn, people), await peerDatabase('ours', oursIn, people)]
  const peers = [['bullmq', startRedis] as const, ...(isSmallest ? [] : [['amqp', startRabbit] as const])]
  for (const [peer, start] of peers) {
    try {
      installClients()
      const broker = await start(path.join(folder, peer))
      brokers.push(broker)
      for (const database of databases)
        for (const concurrency of concurrencies) sides.push(await startPeer(peer, broker, database, concurrency))
    } catch (error) {
      missing.push(`${peer} was not measured: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const stop = async () => {
    for (const side of sides) await side.stop()
    for (const broker of brokers) broker.stop()
    for (const database of databases) await database.stop()
  }
  return { sides, missing, stop }
}

function rowOf({ name, concurrency }: Side, runs: Run[]): string {
  const of = (key: keyof Run) => median(runs.map(run => run[key]))
  const all = runs.map(run => run.perSecond)
  const range = `${Math.min(...all).toFixed(0)}–${Math.max(...all).toFixed(0)}`
  const sum = of('own') + of('database') + of('broker')
  const cpu = [of('own'), of('database'), of('broker'), sum].map(each => each.toFixed(2))
  const lost = runs.reduce((total, run) => total + run.missing, 0)
  return line(name, concurrency, of('perSecond').toFixed(0), range, ...cpu, lost)
}

/** By rounds, since the machine's speed changes more between rounds than within one. */
function verdict(side: Side, peer: Side, results: ReadonlyMap<Side, Run[]>): string {
  const [mine = [], theirs = []] = [results.get(side), results.get(peer)]
  const ratioOf = (of: (run: Run) => number) =>
    median(mine.map((run, i) => of(run) / (theirs[i] ? of(theirs[i]) : Infinity)))
  const ratio = ratioOf(run => run.perSecond)
  const cpu = ratioOf(run => run.own + run.database + run.broker)
  const met = (least: number) => (ratio >= least ? 'met' : 'MISSED')
  const isJudged = !peer.hasOurTables && ours.find(({ name }) => name === side.name)?.against.includes(peer.concurrency)
  const judged = isJudged ? [met(goal), met(aim)] : ['not judged', '']
  return line(`${side.name} ÷ ${peer.name}`, peer.concurrency, `${ratio.toFixed(2)}×`, ...judged, `${cpu.toFixed(2)}×`)
}

/**
 * One event to 1,000 receivers: from the publish to a committed notification with its receiver rows, and until a socket
 * has received it, against BullMQ and RabbitMQ, in turn. The platform also keeps counters, preferences and unread
 * counts.
 */
export const benchEvents = (): Promise<string> =>
  withOwnServers(async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'bench-brokers-'))
    const { sides, missing, stop } = await startSides(folder)
    try {
      const databasePids = childrenNamed('mariadbd')
      const results = new Map<Side, Run[]>(sides.map(side => [side, []]))
      for (const side of sides) await measure(side, warmUp, databasePids)
      let done = 0
      for (const began = Date.now(); done < rounds && (done < 2 || Date.now() - began < longestMs); done++)
        for (const side of sides) results.get(side)?.push(await measure(side, events, databasePids))
      const isOurs = (side: Side) => side.isOurs
      const verdicts = sides
        .filter(isOurs)
        .flatMap(side =>
          sides
            .filter(peer => !isOurs(peer) && (side.concurrency > 1 || peer.concurrency === 1))
            .map(peer => verdict(side, peer, results)),
        )
      const columns = ['side', 'at once', 'events/s', 'range', 'CPU s per 1,000: own', 'database', 'broker', 'sum']
      return [
        `${events} events to ${people} receivers, ${inFlight} publishes in flight, medians of ${done} rounds.`,
        'At once: transactions that store at the same time. Each of ours holds what has come meanwhile, up to 16 events;',
        'all of them tell the sockets of the receivers, ours alone over the broker; ours also counts for each and asks for',
        'their preferences.',
        '',
        line(...columns, 'rows missing'),
        line(...columns.map(() => '-'), '-'),
        ...[...results].map(([side, runs]) => rowOf(side, runs)),
        '',
        line('events per second', 'at once', 'ratio', `goal ${goal.toFixed(1)}×`, `aim ${aim}×`, 'CPU ratio'),
        line('-', '-', '-', '-', '-', '-'),
        ...verdicts,
        '',
        ...missing,
      ].join('\n')
    } finally {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
