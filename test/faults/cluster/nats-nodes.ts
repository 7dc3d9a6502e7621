import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type NatsConnection } from 'nats'
import { installedProgram } from '../../../cli/stack/packages.ts'
import { freePorts } from '../../kit/platform/ports.ts'
import { endChild } from '../../kit/process.ts'

type NatsNode = {
  name: string
  kill(): Promise<void>
  start(): Promise<void>
}

type NatsCluster = {
  nodes: NatsNode[]
  /** Addresses of all, separated by commas. */
  url: string
  /** Resolves when every stream has a leader and its replicas are up to date. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** Starts three clustered NATS servers with JetStream. */
export async function startNatsNodes(folder: string): Promise<NatsCluster> {
  const program = installedProgram('nats-server')
  if (!program) throw new Error('there is no nats-server')
  const free = await freePorts(6)
  const ports = [0, 2, 4].map(first => ({ client: free[first] ?? 0, route: free[first + 1] ?? 0 }))
  const routes = ports.map(({ route }) => `nats://127.0.0.1:${route}`).join(',')
  const url = ports.map(({ client }) => `nats://127.0.0.1:${client}`).join(',')

  const nodes = ports.map(({ client, route }, index): NatsNode => {
    const name = `nats${index + 1}`
    const store = join(folder, name)
    let child: ChildProcess | undefined
    const nodeArguments = ['-a', '127.0.0.1', '-p', String(client), '-n', name, '-js', '-sd', store]
    const clusterArguments = ['--cluster_name', 'faults', '--cluster', `nats://127.0.0.1:${route}`, '--routes', routes]
    process.once('exit', () => child?.kill('SIGKILL'))
    return {
      name,
      async start() {
        child = spawn(program.path, [...nodeArguments, ...clusterArguments], { stdio: 'ignore' })
      },
      kill: () => endChild(child),
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
    async stop() {
      await Promise.all(nodes.map(node => node.kill()))
    },
  }
}

const connectTo = (url: string): Promise<NatsConnection> =>
  connect({ servers: url.split(',').map(one => new URL(one).host), timeout: 1_000 })

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
