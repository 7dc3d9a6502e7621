import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabaseServer } from './database.ts'
import { mainJob } from '../../cli/tour/main-job.ts'
import { newWorld } from '../../cli/tour/world.ts'
import { startPlatform } from '../support/platform.ts'
import { startWriting } from './load.ts'
import { judge, type Verdict } from './verdict.ts'

export const victims = ['broker', 'database', 'news', 'notification', 'edge'] as const
export type Victim = (typeof victims)[number]

export type TrialOptions = {
  /** How often each victim is killed. */
  kills: number
  of?: readonly Victim[]
  /** Writers at once. */
  writers?: number
  /** Makes the order and the moments of the kills those of an earlier trial. */
  seed: number
  say: (line: string) => void
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

/** Every victim as often as it is to be killed, in an order of chance. */
function order(of: readonly Victim[], kills: number, random: () => number): Victim[] {
  const drawn = of.flatMap(victim => Array.from({ length: kills }, () => ({ victim, at: random() })))
  return drawn.toSorted((a, b) => a.at - b.at).map(({ victim }) => victim)
}

/**
 * Kills processes of a platform under load, each with -9 at a moment of chance, and judges what is left.
 * The database and the broker are real ones of its own, with their data on disk as in production.
 */
export async function runTrial({ kills, of = victims, writers = 4, seed, say }: TrialOptions): Promise<Verdict> {
  const random = randomFrom(seed)
  const folder = mkdtempSync(join(tmpdir(), 'faults-'))
  const database = await createDatabaseServer(folder)
  process.env['TEST_DATABASE_URL'] ??= database.administratorUrl
  let platform: Awaited<ReturnType<typeof startPlatform>> | undefined
  try {
    platform = await startPlatform('split', {
      ...database.env,
      ACCESS_TOKEN_SECONDS: '86400',
      // What is killed is missed by everybody else: nothing of that is news.
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    })
    const world = newWorld({ ...platform, report: () => undefined })
    for (const step of mainJob) await step.run(world)
    for (const socket of Object.values(world.sockets)) socket?.close()

    const { bus, restart } = platform
    const strike: Record<Victim, () => Promise<void>> = {
      database: () => database.kill(),
      broker: async () => {
        await bus.kill()
        await bus.start()
      },
      news: () => restart('news'),
      notification: () => restart('notification'),
      edge: () => restart('edge'),
    }
    const load = startWriting(world, writers)
    const plan = order(of, kills, random)
    for (const [index, victim] of plan.entries()) {
      await sleep(200 + random() * 1_000)
      await strike[victim]()
      say(`${index + 1}/${plan.length} ${victim}, ${load.attempts.length} comments tried`)
    }
    await sleep(1_000)
    await load.stop()
    return await judge(world, load.attempts)
  } finally {
    await platform?.stop()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
