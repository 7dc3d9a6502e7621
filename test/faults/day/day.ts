import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gather } from '../../../bench/day/crowd.ts'
import { loadDay, requestsPerSecond, type TimedAnswer } from '../../../bench/day/load.ts'
import { groupTimes, isFast } from '../../../bench/day/speed.ts'
import { quantile } from '../../../bench/support/figures.ts'
import { runCommand } from '../../kit/command.ts'
import { projectCopy } from '../../kit/project-copy.ts'
import { followGuides } from '../../mistakes/guide-copy.ts'
import { type Fleet, startFleet } from '../fleet/fleet.ts'
import { startWriting } from '../load.ts'
import { nextVersion } from '../rolling/next-version.ts'
import { prepareWorld } from '../rolling/under-traffic.ts'
import { openSockets, type SocketVerdict } from '../sockets.ts'
import { type FaultsByKind, judge, latestNotification, type Verdict } from '../verdict.ts'
import { openCrowdSockets } from './crowd-sockets.ts'
import type { Ground } from './ground.ts'
import { backlogOf, countRows, type Sample, takeSample, unpublishedEvents } from './samples.ts'

export type Day = {
  minutes: number
  crowd: { hotels: number; people: number; pages: number; sockets: number }
  /** Active people to try, until they are too many. */
  levels: number[]
  say: (line: string) => void
}

export type DayVerdict = Verdict &
  SocketVerdict & {
    /** Requests of the day's load; those that failed at a kill, and those that failed otherwise. */
    requests: number
    failedAtKills: number
    failedOtherwise: string[]
    kills: Record<string, number>
    /** The crowd's comments: acknowledged, and what there is. */
    crowd: { acknowledged: number; unknown: number; stored: number; socketsOpen: number; reconnected: number }
    samples: Sample[]
    deadLetters: number
    failedExits: string[]
  }

const levelSeconds = 20
const share = 0.7
/** How long after a victim is back calls may still fail: pools and balancers find it again. */
const recoveryMs = 10_000
const crowdComment = 'See you at seven'

/** Active people that the platform carries with fast answers. */
async function measureSustained(
  urls: Fleet['world']['urls'],
  crowd: Parameters<typeof loadDay>[1],
  day: Day,
): Promise<number> {
  let carried = day.levels[0] ?? 0
  let slow = 0
  // The compilers run, and the sockets have just been opened.
  await loadDay({ urls }, crowd, { active: day.levels.at(-1) ?? 0, seconds: levelSeconds })
  for (const active of day.levels) {
    const answers = await loadDay({ urls }, crowd, { active, seconds: levelSeconds })
    const [reads, writes] = (['read', 'write'] as const).map(group => quantile(groupTimes(answers, group), 0.99))
    day.say(`${active} active people: p99 of reads ${reads?.toFixed(0)} ms, of writes ${writes?.toFixed(0)} ms`)
    slow = isFast(answers) ? 0 : slow + 1
    if (slow === 0) carried = active
    if (slow === 2) break
  }
  return carried
}

/** Failures by what clients were told, with the times of the first and the last. */
function causes(failures: TimedAnswer[]): string[] {
  const causeOf = ({ status, text }: TimedAnswer) => `${status} ${/"message":"([^"]*)"/.exec(text)?.[1] ?? text}`
  const time = (answer: TimedAnswer | undefined) => answer?.sentAt.toISOString().slice(11, 19)
  return [...Map.groupBy(failures, causeOf)].map(
    ([cause, answers]) => `${answers.length} × ${cause}, ${time(answers[0])} to ${time(answers.at(-1))}`,
  )
}

/** Kills a victim in each minute, in turn, until it is told to stop. */
function killEachMinute(victims: Record<string, () => Promise<unknown>>, say: Day['say']) {
  const windows: { from: number; to: number }[] = []
  const kills: Record<string, number> = {}
  const stopping = new AbortController()
  let isPaused = false
  const strike = async ([name, kill]: [string, () => Promise<unknown>]): Promise<void> => {
    const window = { from: Date.now(), to: Number.POSITIVE_INFINITY }
    windows.push(window)
    await kill()
    kills[name] = (kills[name] ?? 0) + 1
    say(`${name} killed, back after ${Date.now() - window.from} ms`)
    window.to = Date.now() + recoveryMs
  }
  const run = async () => {
    const order = Object.entries(victims)
    for (let earliest = Date.now() + 20_000; ; earliest += 60_000) {
      const wait = earliest + Math.random() * 30_000 - Date.now()
      await sleep(Math.max(wait, 0), undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      if (isPaused) continue
      const victim = order.shift()
      if (!victim) return
      order.push(victim)
      await strike(victim)
    }
  }
  const loop = run()
  return {
    kills,
    pause: (paused: boolean) => void (isPaused = paused),
    isNear: ({ sentAt, ms }: TimedAnswer): boolean =>
      windows.some(({ from, to }) => sentAt.getTime() <= to && sentAt.getTime() + ms >= from),
    async stop() {
      stopping.abort()
      await loop
    },
  }
}

/** Replaces every process by one of the version in a folder, after what its operator does. */
async function upgrade(fleet: Fleet, folder: string): Promise<void> {
  await nextVersion(folder).prepare(fleet.platform, join(folder, 'before'))
  for (const name of fleet.names) await fleet.replace(name, folder)
  await fleet.untilEnded()
}

/** Waits until every event is published and settled, for two minutes at most. */
async function waitUntilSettled(platform: Fleet['platform']): Promise<void> {
  for (const until = Date.now() + 120_000; Date.now() < until; await sleep(500))
    if ((await backlogOf(platform)).unsettled === 0 && (await countRows(platform, unpublishedEvents)) === 0) return
}

/**
 * A day's load at 70 % of what the platform sustains, with a kill every minute and an upgrade in the middle, and what
 * is missing or duplicate.
 */
export async function runDay(ground: Ground, day: Day): Promise<DayVerdict> {
  const { say } = day
  const ends: (() => unknown)[] = []
  const formerDatabaseUrl = process.env['TEST_DATABASE_URL']
  process.env['TEST_DATABASE_URL'] = ground.administratorUrl
  const copy = projectCopy()
  ends.push(copy.remove)
  try {
    await followGuides(copy)
    // Messages of a killed process come again sooner than after the default of half a minute.
    const env = { ...ground.env, NOTIFICATION_ACK_WAIT_MS: '5000' }
    const fleet = await startFleet({ topology: 'split', edges: ground.edges, env })
    ends.push(fleet.stop)
    const { world, platform } = fleet
    await prepareWorld(world)
    const sockets = await openSockets(world)
    ends.push(sockets.stop)
    const { hotels, people, pages } = day.crowd
    const crowd = (await gather({ ...platform, urls: world.urls }, hotels, people, pages)).toSorted(
      () => Math.random() - 0.5,
    )
    const tokens = crowd.slice(0, day.crowd.sockets).map(({ token }) => token)
    const crowdSockets = await openCrowdSockets(`${world.urls.notification.replace('http', 'ws')}/ws`, tokens)
    ends.push(crowdSockets.stop)
    say(`${crowd.length} people, ${tokens.length} sockets`)
    const sustainedPeople = await measureSustained(world.urls, crowd, day)
    const active = Math.round(sustainedPeople * share)
    const before = await countRows(platform, `comments where content = '${crowdComment}'`, ['news'])
    say(`${active} of ${sustainedPeople} active people, ${requestsPerSecond(active).toFixed(0)} requests a second`)

    const since = await latestNotification(world)
    const writers = startWriting(world, 2, 'day', 1_000)
    const load = loadDay(world, crowd, { active, seconds: day.minutes * 60 })
    const killer = killEachMinute(
      {
        database: ground.kill.database,
        broker: () => ground.kill.broker(platform.bus),
        ...Object.fromEntries(fleet.names.map(name => [name, () => fleet.kill(name)])),
      },
      say,
    )
    const samples: Sample[] = []
    const sample = async () => {
      samples.push(await takeSample(fleet, ground.folder))
      say(JSON.stringify(samples.at(-1)))
    }
    const sampler = setInterval(() => void sample(), (day.minutes * 60_000) / 12)
    ends.push(() => clearInterval(sampler))
    await sleep((day.minutes * 60_000) / 2)
    killer.pause(true)
    await upgrade(fleet, copy.folder)
    killer.pause(false)
    say('upgraded')
    const answers = await load
    await killer.stop()
    clearInterval(sampler)
    await writers.stop()

    await waitUntilSettled(platform)
    await sample()
    const verdict = await judge(world, writers.attempts, { prefix: 'day', since })
    const socketVerdict = await sockets.judge(
      writers.attempts.filter(({ content }) => verdict.storedContents.has(content)),
    )
    const { open, reconnected } = await crowdSockets.count()
    const { stdout } = await runCommand(['growth'], platform.env)
    say(stdout)
    const failures = answers.filter(({ isGood }) => !isGood)
    const otherwise = failures.filter(answer => !killer.isNear(answer))
    const comments = answers.filter(({ kind }) => kind === 'comment')
    return {
      ...verdict,
      gaps: socketVerdict.gaps,
      faults: { ...verdict.faults, ...socketVerdict.faults },
      requests: answers.length,
      failedAtKills: failures.length - otherwise.length,
      failedOtherwise: causes(otherwise),
      kills: killer.kills,
      crowd: {
        acknowledged: comments.filter(({ isGood }) => isGood).length,
        unknown: comments.filter(({ status }) => status === 0 || status >= 500).length,
        stored: (await countRows(platform, `comments where content = '${crowdComment}'`, ['news'])) - before,
        socketsOpen: open,
        reconnected,
      },
      samples,
      deadLetters: (await backlogOf(platform)).dead,
      failedExits: fleet.failedExits,
    }
  } finally {
    for (const end of ends.toReversed()) await end()
    if (formerDatabaseUrl) process.env['TEST_DATABASE_URL'] = formerDatabaseUrl
    else delete process.env['TEST_DATABASE_URL']
  }
}

/** The faults of a day, also those of its end: what is not settled, and sockets that did not return. */
export function dayFaults(
  { faults, failedExits, deadLetters, crowd, samples }: DayVerdict,
  sockets: number,
): FaultsByKind {
  const last = samples.at(-1)
  const isExact = crowd.stored >= crowd.acknowledged && crowd.stored <= crowd.acknowledged + crowd.unknown
  return {
    ...faults,
    failedExits,
    deadLetters: deadLetters > 0 ? [deadLetters] : [],
    unsettled: last?.lag === 0 && last.outbox === 0 ? [] : [last],
    crowd: isExact && crowd.socketsOpen === sockets ? [] : [crowd],
  }
}
