import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../cli/tour/client.ts'
import { mainJob } from '../../cli/tour/main-job.ts'
import { addressOf, expect, password, signIn, type World } from '../../cli/tour/world.ts'
import { eventually } from '../kit/kit.ts'
import { watchSockets } from './rolling.sockets.ts'
import { type Failure, type Slowest, startTraffic } from './traffic.ts'
import { judge, type Verdict } from './verdict.ts'

export type Rolled = Verdict & {
  requests: number
  /** Requests a second that were really sent. */
  rate: number
  failures: Failure[]
  /** Requests for whose answer the trial itself did not wait long enough. */
  gaveUp: Failure[]
  /** How often each process was replaced. */
  restarts: Record<string, number>
  /** How long the slowest answer took, and how long the trial's own process once stood still, in ms. */
  slowest: Slowest
  /** Processes that did not end with 0, with what they ended with. */
  unclean: string[]
  /** How often the sockets were told to come again, by close code. */
  closed: Record<number, number>
  /** Comments that a socket was not told of, or more than once, over all its connections. */
  unheard: string[]
}

/** Tokens of the platform last 15 minutes. */
const renewMs = 300_000

/** What replaces processes keeps account of. */
export type Account = {
  /** Names of the processes that are just replaced. */
  replaced: Set<string>
  restarted(name: string, times?: number): void
  unclean: string[]
  /** What clients have noticed so far. */
  progress(): string
}

/**
 * Has processes of a platform replaced under traffic, with sockets open, and says what clients noticed.
 * @param rate requests a second
 */
export async function underTraffic(
  world: World,
  rate: number,
  say: (line: string) => void,
  replace: (account: Account) => Promise<void>,
): Promise<Rolled> {
  await introduced(world)
  for (const step of mainJob) await step.run(world)
  for (const socket of Object.values(world.sockets)) socket?.close()
  await findPlaces(world)
  const sockets = await watchSockets(world, 4)
  const renewing = setInterval(() => void renewTokens(world).catch(() => undefined), renewMs)
  try {
    const replaced = new Set<string>()
    const restarts: Record<string, number> = {}
    const unclean: string[] = []
    const traffic = startTraffic(world, rate, () => [...replaced], say)
    const began = Date.now()
    const progress = () =>
      `${traffic.requests()} requests, ${traffic.failures.length} failed, ${traffic.gaveUp.length} given up`
    const restarted = (name: string, times = 1) => void (restarts[name] = (restarts[name] ?? 0) + times)
    try {
      await replace({ replaced, restarted, unclean, progress })
      await sleep(500)
    } finally {
      // Also when a process does not start: what goes on is sent to a platform that ends.
      await traffic.stop()
    }
    const seconds = (Date.now() - began) / 1_000
    const verdict = await judge(world, traffic.attempts)
    const { closed, unheard } = await sockets.settled(
      traffic.attempts.filter(({ outcome }) => outcome === 'acknowledged').map(({ content }) => content),
    )
    const { failures, gaveUp } = traffic
    return {
      ...verdict,
      requests: traffic.requests(),
      rate: Math.round(traffic.requests() / seconds),
      failures,
      gaveUp,
      restarts,
      slowest: traffic.slowest(),
      unclean,
      closed,
      unheard,
    }
  } finally {
    clearInterval(renewing)
    sockets.stop()
  }
}

/** While authentication is too busy to be asked, a token counts for as long as those of the platform last. */
async function renewTokens(world: World): Promise<void> {
  const { email, password: secret } = world.administrator
  world.tokens.root = await signIn(world, email, secret)
  world.tokens.admin = await signIn(world, addressOf(world, 'ada'), password)
  world.tokens.colleague = await signIn(world, addressOf(world, 'bo'), password)
}

/** The balancers were there after the processes, so the first administrator is known everywhere a little later. */
async function introduced(world: World): Promise<void> {
  const token = await signIn(world, world.administrator.email, world.administrator.password)
  const body = { name: 'pension', description: 'Until rights are known', icon: '🏠' }
  await eventually(async () => (await call(world.urls, 'hotel', 'POST', '/type/add', { token, body })).status === 201)
}

/** Ids that the traffic needs besides those of the main job: the path of a picture, and of the hotel's customer. */
async function findPlaces(world: World): Promise<void> {
  const { ids, tokens } = world
  const hotel = await expect(world, 200, 'hotel', 'GET', `/hotel/get/${ids['hotel']}`, { token: tokens.root })
  ids['picture'] = new URL(String(hotel['qr_link'])).pathname
  ids['customer'] = `/sub/customers/${hotel['payment_customer_id']}`
}
