import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../../services/kernel/process/config.ts'
import { line, median } from '../support/figures.ts'
import { childrenNamed, processorSeconds } from '../support/processes.ts'
import { sized } from '../support/size.ts'
import { withOwnServers } from '../support/world.ts'
import { people, type Side, startSide } from './sides.ts'

// Long enough that the first and last moments of a pipeline weigh little.
const [rounds, events] = sized([5, 1_000], [3, 400], [1, 20])
const inFlight = 16
// Until then, the compilers of all sides are running.
const warmUp = sized(400, 400, 10)
const forms: { name: string; settings: Environment }[] = [
  { name: 'events in batches', settings: {} },
  // The platform without batching: only in full runs, because it is slow.
  ...sized([{ name: 'one event at a time', settings: { NOTIFICATION_PARALLEL: '1' } }], [], []),
]

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

function rowOf({ name }: Side, runs: Run[]): string {
  const medianOf = (key: keyof Run) => median(runs.map(run => run[key]))
  const all = runs.map(run => run.perSecond)
  const range = `${Math.min(...all).toFixed(0)}–${Math.max(...all).toFixed(0)}`
  const cpu = [medianOf('own'), medianOf('database'), medianOf('broker')].map(each => each.toFixed(2))
  const missing = runs.reduce((total, run) => total + run.missing, 0)
  return line(name, medianOf('perSecond').toFixed(0), range, ...cpu, missing)
}

/**
 * One event to 1,000 receivers: from the publish to a committed notification with its receiver rows, and until a socket
 * has received it.
 */
export const benchEvents = (): Promise<string> =>
  withOwnServers(async () => {
    const sides: Side[] = []
    try {
      for (const { name, settings } of forms) sides.push(await startSide(name, settings))
      const databasePids = childrenNamed('mariadbd')
      const results = new Map<Side, Run[]>(sides.map(side => [side, []]))
      for (const side of sides) await measure(side, warmUp, databasePids)
      for (let round = 0; round < rounds; round++)
        for (const side of sides) results.get(side)?.push(await measure(side, events, databasePids))
      const columns = ['side', 'events/s', 'range', 'CPU s per 1,000: own', 'database', 'broker', 'rows missing']
      return [
        `${events} events to ${people} receivers, ${inFlight} publishes in flight, medians of ${rounds} rounds.`,
        '',
        line(...columns),
        line(...columns.map(() => '-')),
        ...[...results].map(([side, runs]) => rowOf(side, runs)),
      ].join('\n')
    } finally {
      for (const side of sides) await side.stop()
    }
  })
