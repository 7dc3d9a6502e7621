import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { administrator, passwordOf } from '../../../cli/stack/accounts.ts'
import { loadSecrets } from '../../../cli/stack/secrets.ts'
import type { Urls } from '../../../cli/tour/client.ts'
import { newWorld, type World } from '../../../cli/tour/world.ts'
import { frontListener, listeners } from '../../../edge/config.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { type ServiceName, serviceNames } from '../../../services/kernel/rpc/host.ts'
import { settings, testDatabases } from '../../kit/platform/platform.ts'
import { freePorts } from '../../kit/platform/ports.ts'
import { ready, startProcess } from '../../kit/process.ts'
import { type Node, startGalera } from '../cluster/galera.ts'
import { startNatsNodes } from '../cluster/nats-nodes.ts'
import { openNetwork } from '../cluster/places.ts'
import { type Front, haproxyConfig } from './haproxy.config.ts'
import { startHaproxy } from './haproxy.ts'
import type { Part } from './part.ts'
import { startReplicas } from './replicas.ts'
import { databaseParts, natsPart } from './servers.ts'

export type Shape = {
  edges: number
  /** The services of each kind of process, of which two run. */
  services: readonly (readonly ServiceName[])[]
}

export const whole: Shape = { edges: 3, services: serviceNames.map(name => [name]) }
/** The same with fewer processes, which start sooner. */
export const smallest: Shape = { edges: 2, services: [['news'], serviceNames.filter(name => name !== 'news')] }

type Scaled = { world: World; parts: Part[] }

/** How long a replaced process still serves, in seconds: longer than the balancer needs to leave it. */
const drainSeconds = 6

const stream = 'scaled'
const nameOf = (services: readonly ServiceName[]): string => (services.length === 1 && services[0]) || 'services'
const numbered = (name: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${name}${at + 1}`)

/**
 * Starts the platform behind a balancer: edges, two processes of each service, three NATS servers, three nodes of a
 * database cluster, each in a separate network namespace.
 * @param unclean receives processes that don't exit with 0 when replaced
 */
export async function startScaled(shape: Shape, unclean: string[], say: (line: string) => void): Promise<Scaled> {
  const folder = mkdtempSync(join(tmpdir(), 'servers-'))
  const kinds = shape.services.map(services => ({ name: nameOf(services), services }))
  const network = openNetwork([
    ...[...numbered('node', 3), ...numbered('nats', 3), ...numbered('edge', shape.edges + 1)],
    ...kinds.flatMap(({ name }) => numbered(name, 3)),
  ])
  const { host } = network
  const placesOf = (name: string, count: number) => numbered(name, count).flatMap(each => network.places[each] ?? [])

  const secrets = loadSecrets(folder)
  const { nodes } = await startGalera({ folder, secrets, places: placesOf('node', 3) })
  const nats = await startNatsNodes(folder, placesOf('nats', 3))
  say('three database nodes and three brokers are in step')

  const login = `${administrator}:${passwordOf(administrator, secrets)}`
  const [databasePort = 0, checkPort = 0] = await freePorts(2)
  const front = `mysql://${login}@${host}:${databasePort}`
  process.env['TEST_DATABASE_URL'] = `mysql://${login}@${nodes[0]?.place.host}:${nodes[0]?.port}`
  const databases = (await testDatabases()).map(({ name, url }) => ({ name, url: `${front}${new URL(url).pathname}` }))
  const env = settingsOf(await settings(databases, { url: nats.url, stream }, folder, host), host)

  const restPorts = new Map(
    Object.entries(listeners).map(([name, { setting }]) => [Number(env[setting]), `rest-${name}`] as const),
  )
  const edgePlaces = placesOf('edge', shape.edges + 1)
  const web = { name: 'web', port: Number(env[frontListener.setting]), places: edgePlaces }
  const rests = [...restPorts].map(([port, name]): Front => ({ name, port, places: edgePlaces }))
  const rpcs = kinds.flatMap(({ name, services }) =>
    services.map((service): Front => {
      const port = Number(env[`${service.toUpperCase()}_RPC_PORT`])
      return { name: `rpc-${service}`, port, places: placesOf(name, 3) }
    }),
  )
  await serveSynced(nodes, host, checkPort)
  const database = { port: databasePort, nodes, check: checkPort }
  const haproxy = await startHaproxy(folder, haproxyConfig({ host, web, rests, services: rpcs, database }))
  const surroundings = { network, haproxy, unclean }
  await startSandbox(env, host)
  const services: Part[] = []
  for (const { name, services: hosted } of kinds) {
    const own = { ...env, SERVICES: hosted.join(',') }
    const places = placesOf(name, 3)
    const replicas = { name, kind: 'service', script: 'services/main.ts', env: own, places } as const
    services.push(await startReplicas(replicas, surroundings))
  }
  const edge = await startReplicas(
    { name: 'edge', kind: 'edge', script: 'edge/main.ts', env, places: edgePlaces },
    surroundings,
  )
  await Promise.all(edgePlaces.slice(1).map(({ name }) => haproxy.up(name)))
  say(`${shape.edges} edges and two processes each of ${kinds.map(({ name }) => name).join(', ')} are ready`)

  const urls = Object.fromEntries(
    Object.entries(listeners).map(([name, { setting }]) => [name, `http://${host}:${env[setting]}`]),
  ) as Urls
  const world = newWorld({
    urls,
    sandboxUrl: `http://${host}:${env['SANDBOX_PORT']}`,
    administrator: { email: env['BOOTSTRAP_ADMIN_EMAIL'] ?? '', password: env['BOOTSTRAP_ADMIN_PASSWORD'] ?? '' },
    report: () => undefined,
  })
  return { world, parts: [edge, ...services, natsPart(nats, stream, network), ...databaseParts(nodes, front, network)] }
}

const settingsOf = (env: Environment, host: string): Environment => ({
  ...env,
  BUS_REPLICAS: '3',
  TRUST_PROXY_HOPS: '1',
  DRAIN_SECONDS: String(drainSeconds),
  ACCESS_TOKEN_SECONDS: '86400',
  SANDBOX_HOST: host,
  SANDBOX_PUBLIC_URL: `http://${host}:${env['SANDBOX_PORT']}`,
  STRIPE_WEBHOOK_TARGET: `http://${host}:${env['PAYMENT_PORT']}/webhooks/stripe`,
  // Processes log the loss of others; those logs are noise here.
  LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
})

async function startSandbox(env: Environment, host: string): Promise<void> {
  await ready('sandbox', startProcess('services/sandbox/main.ts', { ...env, SANDBOX_HOST: host }).child)
}

/** Answers the balancer whether a database node takes work: /node1 with 200 or 503. */
async function serveSynced(nodes: readonly Node[], host: string, port: number): Promise<void> {
  const server = createServer((request, response) => {
    const node = nodes.find(({ name }) => request.url === `/${name}`)
    void (node?.synced() ?? Promise.resolve(false)).then(isSynced => {
      response.statusCode = isSynced ? 200 : 503
      response.end()
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
}
