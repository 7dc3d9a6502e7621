import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type NatsConnection } from 'nats'
import { presentProgram } from '../../../cli/stack/packages.ts'
import { freePorts } from '../../kit/platform/ports.ts'
import { endChild } from '../../kit/process.ts'
import { loopback, type Place } from './places.ts'

type NatsNode = {
  name: string
  place: Place
  kill(): Promise<void>
  /** Ends it in order. */
  end(): Promise<void>
  start(): Promise<void>
}

export type NatsCluster = {
  nodes: NatsNode[]
  /** Addresses of all, separated by commas. */
  url: string
  /** Resolves when every stream has a leader and its replicas are up to date. */
  settled(): Promise<void>
  /** The name of the server that leads a stream. */
  leader(stream: string): Promise<string | undefined>
  stop(): Promise<void>
}

/** Starts three clustered NATS servers with JetStream. */
export async function startNatsNodes(
  folder: string,
  places: readonly Place[] = [loopback, loopback, loopback],
): Promise<NatsCluster> {
  const program = presentProgram('nats-server')
  if (!program) throw new Error('there is no nats-server')
  const free = await freePorts(6)
  const ports = places.map((place, i) => ({ place, client: free[2 * i] ?? 0, route: free[2 * i + 1] ?? 0 }))
  const routes = ports.map(({ place, route }) => `nats://${place.host}:${route}`).join(',')
  const url = ports.map(({ place, client }) => `nats://${place.host}:${client}`).join(',')

  const nodes = ports.map(({ place, client, route }, index): NatsNode => {
    const name = `nats${index + 1}`
    const store = join(folder, name)
    let child: ChildProcess | undefined
    const own = ['-a', place.host, '-p', String(client), '-n', name, '-js', '-sd', store]
    const shared = ['--cluster_name', 'faults', '--cluster', `nats://${place.host}:${route}`, '--routes', routes]
    const [command = '', ...args] = [...place.enter, program.path, ...own, ...shared]
    const endWithTest = () => child?.kill('SIGKILL')
    process.once('exit', endWithTest)
    return {
      name,
      place,
      async start() {
        child = spawn(command, args, { stdio: 'ignore' })
      },
      kill: () => endChild(child),
      end: () => endChild(child, 'SIGTERM'),
    }
  })
  await Promise.all(nodes.map(node => node.start()))

  const settled = async (): Promise<void> => {
    for (const until = Date.now() + 60_000; ; await sleep(200)) {
      if (await isSettled(url)) return
      if (Date.now() > until) throw new Error('the NATS cluster does not settle')
    }
  }
  await settled()
  return {
    nodes,
    url,
    settled,
    leader: stream => leaderOf(url, stream),
    async stop() {
      await Promise.all(nodes.map(node => node.kill()))
    },
  }
}

const connectTo = (url: string): Promise<NatsConnection> =>
  connect({ servers: url.split(',').map(one => new URL(one).host), timeout: 1_000 })

async function leaderOf(url: string, stream: string): Promise<string | undefined> {
  const nc = await connectTo(url)
  try {
    const jsm = await nc.jetstreamManager()
    return (await jsm.streams.info(stream)).cluster?.leader
  } finally {
    await nc.close()
  }
}

async function isSettled(url: string): Promise<boolean> {
  const nc = await connectTo(url).catch(() => undefined)
  if (!nc) return false
  try {
    const jsm = await nc.jetstreamManager({ timeout: 1_000 })
    for await (const { cluster } of jsm.streams.list()) {
      if (!cluster?.leader || cluster.replicas?.some(({ current, offline }) => !current || offline)) return false
    }
    return true
  } catch {
    return false
  } finally {
    await nc.close()
  }
}
