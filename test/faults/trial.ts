import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mainJob } from '../../cli/tour/main-job.ts'
import { newWorld, type World } from '../../cli/tour/world.ts'
import { connectBus } from '../../services/kernel/bus/bus.ts'
import { startPlatform } from '../kit/platform/platform.ts'
import { createDatabaseServer } from './database.ts'
import { startWriting } from './load.ts'
import { openSockets, type Sockets, type SocketVerdict } from './sockets.ts'
import { judge, latestNotification, type Verdict } from './verdict.ts'

export const victims = ['broker', 'database', 'news', 'notification', 'edge'] as const
export type Victim = (typeof victims)[number]

type TrialOptions = {
  /** Kills of each victim. */
  kills: number
  victims: readonly Victim[]
  /** Concurrent writers. */
  writers?: number
  /** Repeats the order and timing of an earlier trial's kills. */
  seed: number
  say: (line: string) => void
}

/** The result of a round: its comments, and their frames to sockets. */
export type RoundVerdict = Verdict & SocketVerdict

/** A platform with processes to kill, a page to comment on, and sockets that receive its comments. */
export type Trial = {
  world: World
  sockets: Sockets
  /** kill -9; resolves when the victim is back. */
  strike(victim: Victim): Promise<void>
  /** Waits until consumers have settled everything delivered to them, so that no redelivery can follow. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** A random sequence that a seed repeats (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const draws = items.map(item => ({ item, number: random() }))
  return draws.toSorted((a, b) => a.number - b.number).map(({ item }) => item)
}

/**
 * Starts a platform, a process per service, and runs the main job once. Database and broker are real servers with their
 * data on disk, as in production.
 */
export async function startTrial({ say }: Pick<TrialOptions, 'say'>): Promise<Trial> {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'))
  const database = await createDatabaseServer(folder)
  process.env['TEST_DATABASE_URL'] ??= database.administratorUrl
  let platform: Awaited<ReturnType<typeof startPlatform>> | undefined
  let sockets: Sockets | undefined
  const stop = async () => {
    sockets?.stop()
    await platform?.stop()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const splitPlatform = await startPlatform('split', {
      ...database.env,
      ACCESS_TOKEN_SECONDS: '86400',
      // Redelivers the messages of a killed process sooner than the default of half a minute.
      NOTIFICATION_ACK_WAIT_MS: '5000',
      // Other processes log the loss of killed ones; those logs are noise here.
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    })
    platform = splitPlatform
    const world = newWorld({ ...splitPlatform, report: () => undefined })
    for (const step of mainJob) await step.run(world)
    for (const socket of Object.values(world.sockets)) socket?.close()
    const watching = await openSockets(world)
    sockets = watching
    say('the platform runs')
    const { bus, restart } = splitPlatform
    const strikes: Record<Victim, () => Promise<void>> = {
      database: () => database.kill(),
      broker: async () => {
        await bus.kill()
        await bus.start()
      },
      news: () => restart('news'),
      notification: () => restart('notification'),
      edge: () => restart('edge'),
    }
    const settled = async () => {
      const watcher = await connectBus({ url: bus.url, stream: bus.stream, name: 'faults' })
      const isBusy = async () => (await watcher.backlog()).consumers.some(one => one.waiting + one.delivered > 0)
      for (const until = Date.now() + 90_000; (await isBusy()) && Date.now() < until; ) await sleep(200)
      await watcher.close()
    }
    return { world, sockets: watching, strike: victim => strikes[victim](), settled, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type RoundOptions = Pick<TrialOptions, 'writers' | 'seed' | 'say'> & {
  /** The victims, each as often as it is to be killed. */
  plan: readonly Victim[]
  /** Judges only once no redelivery can follow. */
  settle?: boolean
}

/**
 * Kills processes of a platform under load, in random order and at random times, and judges the comments written
 * meanwhile.
 */
export async function runRound(trial: Trial, options: RoundOptions): Promise<RoundVerdict> {
  const { plan, writers = 4, seed, settle = false, say } = options
  const { world, sockets } = trial
  const random = randomFrom(seed)
  const since = await latestNotification(world)
  const load = startWriting(world, writers, `comment ${seed}`)
  for (const [index, victim] of shuffled(plan, random).entries()) {
    await sleep(100 + random() * 600)
    const began = performance.now()
    await trial.strike(victim)
    const ms = Math.round(performance.now() - began)
    say(`${index + 1}/${plan.length} ${victim} back after ${ms} ms, ${load.attempts.length} comments tried`)
  }
  await sleep(1_000)
  await load.stop()
  if (settle) await trial.settled()
  const verdict = await judge(world, load.attempts, { prefix: `comment ${seed}`, since })
  const storedAttempts = load.attempts.filter(({ content }) => verdict.storedContents.has(content))
  const { gaps, faults } = await sockets.judge(storedAttempts)
  return { ...verdict, gaps, faults: { ...verdict.faults, ...faults } }
}

/** A single round on a new platform. */
export async function runTrial(options: TrialOptions): Promise<RoundVerdict> {
  const trial = await startTrial(options)
  try {
    const plan = options.victims.flatMap(victim => Array.from({ length: options.kills }, () => victim))
    return await runRound(trial, { ...options, plan })
  } finally {
    await trial.stop()
  }
}
