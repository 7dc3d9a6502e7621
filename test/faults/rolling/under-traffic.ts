import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../../cli/tour/client.ts'
import { mainJob } from '../../../cli/tour/main-job.ts'
import { addressOf, expect, password, signIn, type World } from '../../../cli/tour/world.ts'
import { eventually } from '../../kit/kit.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { openSockets, type SocketVerdict } from '../sockets.ts'
import { type Failure, type Slowest, startTraffic } from '../traffic.ts'
import { judge, type Verdict } from '../verdict.ts'

export type Rolled = Verdict & {
  requests: number
  /** Requests a second actually sent. */
  rate: number
  faults: SocketVerdict['faults'] & {
    failures: Failure[]
    /** Requests for which the trial itself stopped waiting. */
    timeouts: Failure[]
    /** Processes that exited with another code than 0, with that code. */
    failedExits: string[]
  }
  /** Replacements by process. */
  restarts: Record<string, number>
  /** Slowest answer, and longest stall of the trial's own process, in ms. */
  slowest: Slowest
  /** How often a client was told that frames may be missed. */
  gaps: number
}

/** The platform's tokens expire after 15 minutes. */
const renewMs = 300_000

/**
 * Replaces processes of a platform under traffic with open sockets.
 * @param rate requests a second
 * @param replace gets the failures that clients have noticed so far, as text
 * @returns what clients noticed
 */
export async function underTraffic(
  { world, inReplacement, restarts, failedExits }: Fleet,
  rate: number,
  say: (line: string) => void,
  replace: (progress: () => string) => Promise<void>,
): Promise<Rolled> {
  await prepareWorld(world)
  const sockets = await openSockets(world)
  const renewing = setInterval(() => void renewTokens(world).catch(() => undefined), renewMs)
  try {
    const traffic = startTraffic(world, rate, () => [...inReplacement], say)
    const began = Date.now()
    const progress = () =>
      `${traffic.requests()} requests, ${traffic.failures.length} failed, ${traffic.timeouts.length} given up`
    try {
      await replace(progress)
      await sleep(500)
    } finally {
      // Also after a failed start, or traffic would go on to a platform that stops.
      await traffic.stop()
    }
    const seconds = (Date.now() - began) / 1_000
    const verdict = await judge(world, traffic.attempts)
    const socketVerdict = await sockets.judge(traffic.attempts.filter(({ outcome }) => outcome === 'acknowledged'))
    const { failures, timeouts } = traffic
    return {
      ...verdict,
      requests: traffic.requests(),
      rate: Math.round(traffic.requests() / seconds),
      faults: { ...verdict.faults, ...socketVerdict.faults, failures, timeouts, failedExits },
      restarts,
      slowest: traffic.slowest(),
      gaps: socketVerdict.gaps,
    }
  } finally {
    clearInterval(renewing)
    sockets.stop()
  }
}

/** The tour's main job, with whose hotel, page and people the traffic goes on. */
export async function prepareWorld(world: World): Promise<void> {
  await introduced(world)
  for (const step of mainJob) await step.run(world)
  for (const socket of Object.values(world.sockets)) socket?.close()
  await findPlaces(world)
}

/** Renewed early, because a token must outlive phases in which authentication is overloaded. */
async function renewTokens(world: World): Promise<void> {
  const { email, password: secret } = world.administrator
  world.tokens.root = await signIn(world, email, secret)
  world.tokens.admin = await signIn(world, addressOf(world, 'ada'), password)
  world.tokens.colleague = await signIn(world, addressOf(world, 'bo'), password)
}

/**
 * The balancers start after the processes, so the services and the first administrator's rights take a moment to be
 * known everywhere.
 */
async function introduced(world: World): Promise<void> {
  const { email, password: secret } = world.administrator
  const token = await eventually(() => signIn(world, email, secret).catch(() => undefined))
  const body = { name: 'pension', description: 'Until rights are known', icon: '🏠' }
  await eventually(async () => (await call(world.urls, 'hotel', 'POST', '/type/add', { token, body })).status === 201)
}

/** Further ids for the traffic: the path of a picture, and the hotel's customer. */
async function findPlaces(world: World): Promise<void> {
  const { ids, tokens } = world
  const hotel = await expect(world, 200, 'hotel', 'GET', `/hotel/get/${ids['hotel']}`, { token: tokens.root })
  ids['picture'] = new URL(String(hotel['qr_link'])).pathname
  ids['customer'] = `/sub/customers/${hotel['payment_customer_id']}`
}
