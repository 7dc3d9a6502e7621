import { setTimeout as sleep } from 'node:timers/promises'
import { mainJob } from '../../cli/tour/main-job.ts'
import { expect, newWorld, signIn, type World } from '../../cli/tour/world.ts'
import { consoleListener, listeners } from '../../edge/config.ts'
import { call, type Urls } from '../../cli/tour/client.ts'
import type { Environment } from '../../services/kernel/config.ts'
import { serviceNames } from '../../services/kernel/host.ts'
import { eventually } from '../../services/kernel/testing.ts'
import { type Platform, startPlatform } from '../support/platform.ts'
import { freePorts } from '../support/ports.ts'
import { type Backend, type Balancer, startBalancer } from './balancer.ts'
import { watchSockets } from './rolling.sockets.ts'
import { type Failure, startTraffic } from './traffic.ts'
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
  slowest: { answer: number; standstill: number }
  /** Processes that did not end with 0, with what they ended with. */
  unclean: string[]
  /** How often the sockets were told to come again, by close code. */
  closed: Record<number, number>
  /** Comments that a socket was not told of, or more than once, over all its connections. */
  unheard: string[]
}

export type Rolling = {
  /** two: all services in one process, the edge in another; split: a process for each. */
  topology: 'two' | 'split'
  /** How often each process is replaced. */
  rounds: number
  /** Requests a second. */
  rate: number
  /** Whether the kinds of processes are replaced at once; else the next one starts when the one before it is ready. */
  together?: boolean
  say: (line: string) => void
}

/** How long a process that is replaced still serves, in seconds: more than idle connections of its clients last. */
const drainSeconds = 5

const edgePorts = [...new Set([...Object.values(listeners), consoleListener].map(({ setting }) => setting))].filter(
  name => name !== 'LEGACY_AUTH_PORT',
)
const rpcPorts = serviceNames.map(name => `${name.toUpperCase()}_RPC_PORT`)

/** The ports of a process, by the settings that name them. */
const portsOf = (process: string): string[] => {
  if (process === 'edge') return edgePorts
  return process === 'services' ? rpcPorts : [`${process.toUpperCase()}_RPC_PORT`]
}

/** What a balancer asks: the readiness page of an edge, grpc.health.v1 of a service. */
async function isReady(ports: Readonly<Record<string, number>>): Promise<boolean> {
  const signal = AbortSignal.timeout(2_000)
  const edge = ports['AUTH_PORT']
  if (edge) return (await fetch(`http://127.0.0.1:${edge}/ready`, { signal })).ok
  const states = await Promise.all(
    Object.values(ports).map(async port => {
      const url = `http://127.0.0.1:${port}/grpc.health.v1.Health/Check`
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(url, { method: 'POST', headers, body: '{}', signal })
      return ((await answer.json()) as { status?: string }).status
    }),
  )
  return states.every(state => state === 'SERVING')
}

/** Free ports for some names. */
async function anyPorts(names: string[]): Promise<Record<string, number>> {
  const free = await freePorts(names.length)
  return Object.fromEntries(names.map((name, at) => [name, free[at] ?? 0]))
}

const texts = (ports: Readonly<Record<string, number>>): Environment =>
  Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]))

/** Replaces a process: another one beside it, ready, then the former ends. */
async function replace(platform: Platform, name: string, balancer: Balancer, former: Backend, unclean: string[]) {
  const ports = await anyPorts(portsOf(name))
  const legacy = name === 'edge' ? { LEGACY_AUTH_PORT: String(ports['NOTIFICATION_PORT']) } : {}
  const metrics = { [`${name.toUpperCase()}_METRICS_PORT`]: '0' }
  const retire = await platform.beside(name, { ...texts(ports), ...legacy, ...metrics })
  const next = await balancer.add(ports)
  const ended = retire().then(code => {
    balancer.remove(former)
    if (code !== 0) unclean.push(`${name} ended with ${code}`)
  })
  return { next, ended }
}

/**
 * Replaces every process of a platform again and again under traffic, each by another that starts beside it, with a
 * balancer before them that goes by their readiness; and counts what clients noticed.
 */
export async function roll({ topology, rounds, rate, together = false, say }: Rolling): Promise<Rolled> {
  const fronts = { edge: await anyPorts(edgePorts), services: await anyPorts(rpcPorts) }
  const balancers = {
    edge: await startBalancer(fronts.edge, isReady),
    ...Object.fromEntries(
      (topology === 'two' ? ['services'] : serviceNames).map(name => [name, undefined as Balancer | undefined]),
    ),
  } as Record<string, Balancer | undefined>
  let platform: Platform | undefined
  const watched: { stop(): void }[] = []
  try {
    for (const name of Object.keys(balancers))
      balancers[name] ??= await startBalancer(
        Object.fromEntries(portsOf(name).map(port => [port, fronts.services[port] ?? 0])),
        isReady,
      )
    const addresses = Object.fromEntries(
      Object.entries(fronts.services).map(([name, port]) => [
        name.replace('_PORT', '_URL'),
        `http://127.0.0.1:${port}`,
      ]),
    )
    platform = await startPlatform(topology, {
      ...addresses,
      ACCESS_TOKEN_SECONDS: '86400',
      DRAIN_SECONDS: String(drainSeconds),
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    })
    const { env } = platform
    const present = new Map<string, Backend>()
    for (const [name, balancer] of Object.entries(balancers)) {
      const ports = Object.fromEntries(portsOf(name).map(port => [port, Number(env[port])]))
      if (balancer) present.set(name, await balancer.add(ports))
    }
    const urls = Object.fromEntries(
      Object.entries(listeners).map(([name, { setting }]) => {
        const port = fronts.edge[setting] ?? fronts.edge['NOTIFICATION_PORT']
        return [name, `http://127.0.0.1:${port}`]
      }),
    ) as Urls
    const world = newWorld({ ...platform, urls, report: () => undefined })
    await introduced(world)
    for (const step of mainJob) await step.run(world)
    for (const socket of Object.values(world.sockets)) socket?.close()
    await findPlaces(world)

    const sockets = await watchSockets(world, 4)
    watched.push(sockets)
    const replaced = new Set<string>()
    const traffic = startTraffic(world, rate, () => [...replaced])
    const began = Date.now()
    const unclean: string[] = []
    const restarts: Record<string, number> = {}
    const endings = new Map<string, Promise<void>>()
    for (let round = 1; round <= rounds; round++) {
      const turn = async ([name, balancer]: [string, Balancer | undefined]): Promise<void> => {
        const former = present.get(name)
        if (!platform || !balancer || !former) return
        // Of one kind there are never more than two.
        await endings.get(name)
        replaced.add(name)
        const { next, ended } = await replace(platform, name, balancer, former, unclean)
        present.set(name, next)
        restarts[name] = (restarts[name] ?? 0) + 1
        endings.set(
          name,
          ended.then(() => void replaced.delete(name)),
        )
        say(`${round}/${rounds} ${name} replaced: ${traffic.requests()} requests, ${traffic.failures.length} failed`)
      }
      if (together) await Promise.all(Object.entries(balancers).map(turn))
      else for (const entry of Object.entries(balancers)) await turn(entry)
    }
    await Promise.all(endings.values())
    await sleep(500)
    await traffic.stop()
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
    for (const each of watched) each.stop()
    await platform?.stop()
    for (const balancer of Object.values(balancers)) balancer?.close()
  }
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
