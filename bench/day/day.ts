import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Platform } from '../../test/kit/platform/platform.ts'
import { line, quantile } from '../support/figures.ts'
import { childrenNamed, processorSeconds } from '../support/processes.ts'
import { bySize } from '../support/size.ts'
import { startPlatform, withServers } from '../support/world.ts'
import { type CrowdPerson, gather } from './crowd.ts'
import { loadDay, requestsPerSecond, type TimedAnswer } from './load.ts'
import { kinds } from './mix.ts'
import { groupTimes, isFast, timesOf } from './speed.ts'

const [hotels, people, pages] = bySize([5, 2_000, 2_000], [5, 2_000, 2_000], [1, 20, 5])
const sockets = bySize(2_000, 2_000, 10)
/** Active people at each level. */
const levels = bySize([1_000, 2_000, 4_000, 6_000, 8_000], [1_000, 2_000, 4_000, 6_000], [2_000])
const warmUp = bySize(1_000, 1_000, 500)
const seconds = bySize(60, 15, 2)

type Level = {
  active: number
  answers: TimedAnswer[]
  /** CPU seconds by process for 1,000 requests. */
  spent: Record<string, number>
}

/** Opens the people's sockets in a separate process. */
async function openSockets({ urls }: Platform, crowd: CrowdPerson[]): Promise<{ stop(): void }> {
  const child = fork(fileURLToPath(new URL('../live/swarm.ts', import.meta.url)))
  const url = `${urls.notification.replace('http', 'ws')}/ws`
  child.send({
    open: { url, headers: crowd.map(({ token }) => ({ Authorization: `Bearer ${token}` })), engineIo: false },
  })
  await once(child, 'message')
  return { stop: () => child.kill() }
}

async function measure(platform: Platform, crowd: CrowdPerson[], active: number): Promise<Level> {
  const pids = {
    platform: childrenNamed('cli/worker.ts'),
    database: childrenNamed('mariadbd'),
    broker: childrenNamed('nats-server'),
  }
  const used = () => Object.values(pids).map(processorSeconds)
  const before = used()
  const answers = await loadDay(platform, crowd, { active, seconds })
  const cpuPerRequest = used().map((now, index) => ((now - (before[index] ?? 0)) / answers.length) * 1_000)
  return {
    active,
    answers,
    spent: Object.fromEntries(Object.keys(pids).map((name, index) => [name, cpuPerRequest[index] ?? 0])),
  }
}

const percentiles = (times: number[]): string => [0.5, 0.99].map(share => quantile(times, share).toFixed(0)).join(' / ')

function report(measured: Level[]): string[] {
  const level = measured.findLast(({ answers }) => isFast(answers)) ?? measured[0]
  if (!level) return []
  return [
    line(
      'active people',
      'requests/s',
      'reads p50 / p99 ms',
      'writes p50 / p99 ms',
      'failed',
      ...Object.keys(level.spent),
    ),
    line(...Array.from({ length: 8 }, () => '-')),
    ...measured.map(one =>
      line(
        one.active.toLocaleString('en'),
        requestsPerSecond(one.active).toFixed(0),
        percentiles(groupTimes(one.answers, 'read')),
        percentiles(groupTimes(one.answers, 'write')),
        one.answers.filter(({ isGood }) => !isGood).length,
        ...Object.values(one.spent).map(cpu => cpu.toFixed(2)),
      ),
    ),
    '',
    `The last columns are CPU seconds for 1,000 requests. Each kind at ${level.active.toLocaleString('en')} active people:`,
    '',
    line('request', 'each person and hour', 'p50 / p99 ms', 'answered'),
    line('-', '-', '-', '-'),
    ...kinds.map(({ name, perHour }) => {
      const times = timesOf(level.answers, [name])
      return line(name, perHour, percentiles(times), times.length)
    }),
  ]
}

/**
 * The busy hour of hotels with 10,000 people, in the way of a load test that tells how many active people a machine
 * carries: requests at random moments, more at each level, until the 99th percentile of reads passes 100 ms or that of
 * writes 250 ms at two levels.
 */
export const benchDay = (): Promise<string> =>
  withServers(async () => {
    const platform = await startPlatform('one')
    let socketLoad: { stop(): void } | undefined
    try {
      // People of all hotels take part from the first level on; those of the sockets come first in line.
      const crowd = (await gather(platform, hotels, people, pages)).toSorted(() => Math.random() - 0.5)
      socketLoad = await openSockets(platform, crowd.slice(0, sockets))
      // The compilers run, and the sockets have just been opened.
      await measure(platform, crowd, warmUp)
      const measured: Level[] = []
      for (const active of levels) {
        measured.push(await measure(platform, crowd, active))
        // One slow moment of the machine isn't the end.
        if (measured.slice(-2).filter(({ answers }) => !isFast(answers)).length === 2) break
      }
      const carried = measured.findLast(({ answers }) => isFast(answers))?.active ?? 0
      return [
        `${hotels} hotels with ${people.toLocaleString('en')} people and ${pages.toLocaleString('en')} pages each, ${sockets} sockets, ${seconds} s for each level.`,
        '',
        ...report(measured),
        '',
        `Carried: ${carried.toLocaleString('en')} active people, ${requestsPerSecond(carried).toFixed(0)} requests/s.`,
      ].join('\n')
    } finally {
      socketLoad?.stop()
      await platform.stop()
    }
  })
