import type { Urls } from '../../../cli/tour/client.ts'
import { newWorld, type World } from '../../../cli/tour/world.ts'
import { listeners, portSettings } from '../../../edge/config.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { serviceNames } from '../../../services/kernel/rpc/host.ts'
import { type OwnPlatform, startPlatform } from '../../kit/platform/platform.ts'
import { freePorts } from '../../kit/platform/ports.ts'
import { type Backend, type Balancer, startBalancer } from './balancer.ts'
import { type Rolled, underTraffic } from './under-traffic.ts'

/** A replacement of every process. */
export type Round = {
  /** Folder of the version that the new processes are of; this one by default. */
  folder?: string
  before?(platform: OwnPlatform): Promise<void>
  after?(world: World): Promise<void>
}

export type Rolling = {
  /** two: all services in one process, the edge in another; split: a process for each. */
  topology: 'two' | 'split'
  rounds: Round[]
  /** Requests a second. */
  rate: number
  /** Replaces all kinds of processes at once; otherwise one after the other. */
  together?: boolean
  say: (line: string) => void
}

/** How long a replaced process still serves, in seconds: longer than its clients keep idle connections. */
const drainSeconds = 5

const edgePorts = portSettings.filter(name => name !== 'LEGACY_AUTH_PORT')
const rpcPorts = serviceNames.map(name => `${name.toUpperCase()}_RPC_PORT`)

/** The ports of a process, by the settings that name them. */
const portsOf = (process: string): string[] => {
  if (process === 'edge') return edgePorts
  return process === 'services' ? rpcPorts : [`${process.toUpperCase()}_RPC_PORT`]
}

/** The balancer's probe: the readiness page of an edge, grpc.health.v1 of a service. */
async function isReady(ports: Readonly<Record<string, number>>): Promise<boolean> {
  const signal = AbortSignal.timeout(2_000)
  const edge = ports['AUTH_PORT']
  if (edge) {
    const answer = await fetch(`http://127.0.0.1:${edge}/ready`, { signal })
    await answer.text()
    return answer.ok
  }
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

/** Free ports for the names. */
async function anyPorts(names: string[]): Promise<Record<string, number>> {
  const free = await freePorts(names.length)
  return Object.fromEntries(names.map((name, at) => [name, free[at] ?? 0]))
}

const texts = (ports: Readonly<Record<string, number>>): Environment =>
  Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]))

/** Replaces a process: starts a new one, waits until it is ready, then stops the former. */
async function replace(
  platform: OwnPlatform,
  { name, folder }: { name: string; folder: string | undefined },
  balancer: Balancer,
  former: Backend,
  unclean: string[],
) {
  const ports = await anyPorts(portsOf(name))
  const legacy = name === 'edge' ? { LEGACY_AUTH_PORT: String(ports['NOTIFICATION_PORT']) } : {}
  const metrics = { [`${name.toUpperCase()}_METRICS_PORT`]: '0' }
  const retire = await platform.beside(name, { ...texts(ports), ...legacy, ...metrics }, folder)
  const next = await balancer.add(ports)
  const ended = retire().then(code => {
    balancer.remove(former)
    if (code !== '0') unclean.push(`${name} ended with ${code}`)
  })
  return { next, ended }
}

/**
 * Replaces every process of a platform repeatedly under traffic, each by a new one started alongside, behind a balancer
 * that follows their readiness. Counts what clients noticed.
 */
export async function roll({ topology, rounds, rate, together = false, say }: Rolling): Promise<Rolled> {
  const fronts = { edge: await anyPorts(edgePorts), services: await anyPorts(rpcPorts) }
  const balancers = {
    edge: await startBalancer(fronts.edge, isReady),
    ...Object.fromEntries(
      (topology === 'two' ? ['services'] : serviceNames).map(name => [name, undefined as Balancer | undefined]),
    ),
  } as Record<string, Balancer | undefined>
  let platform: OwnPlatform | undefined
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
    const running = platform
    return await underTraffic(world, rate, say, async ({ replaced, restarted, unclean, progress }) => {
      const endings = new Map<string, Promise<void>>()
      for (const [index, { folder, before, after }] of rounds.entries()) {
        await before?.(running)
        const turn = async ([name, balancer]: [string, Balancer | undefined]): Promise<void> => {
          const backend = present.get(name)
          if (!balancer || !backend) return
          // At most two of a kind run at a time.
          await endings.get(name)
          replaced.add(name)
          const { next, ended } = await replace(running, { name, folder }, balancer, backend, unclean)
          present.set(name, next)
          restarted(name)
          endings.set(
            name,
            ended.then(() => void replaced.delete(name)),
          )
          say(`${index + 1}/${rounds.length} ${name} replaced: ${progress()}`)
        }
        if (together) await Promise.all(Object.entries(balancers).map(turn))
        else for (const entry of Object.entries(balancers)) await turn(entry)
        await Promise.all(endings.values())
        await after?.(world)
      }
    })
  } finally {
    await platform?.stop()
    for (const balancer of Object.values(balancers)) balancer?.close()
  }
}
