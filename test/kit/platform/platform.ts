import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { webPushKeys } from '../../../cli/stack/secrets.ts'
import type { Urls } from '../../../cli/tour/client.ts'
import { consoleListener, frontListener, listeners, portSettings } from '../../../edge/config.ts'
import type { RestService } from '../../../gen/catalogue.ts'
import { type Environment } from '../../../services/kernel/process/config.ts'
import { type ServiceName, serviceNames } from '../../../services/kernel/rpc/host.ts'
import { sandboxSettings } from '../../../services/sandbox/settings.ts'
import { type TestBus, type TestDatabase, testBus, testDatabase } from '../database.ts'
import { type Process, ready, startProcess } from '../process.ts'
import { dividedBus, ownAddresses } from './divided-bus.ts'
import { freePorts } from './ports.ts'

export type Platform = {
  urls: Urls
  sandboxUrl: string
  consoleUrl: string
  frontUrl: string
  administrator: { email: string; password: string }
  env: Environment
  /** Names of the processes that can be killed. */
  processes: string[]
  /** Its broker, which can be killed too. */
  bus: TestBus
  /** Sends a process a message, and returns its answer of the type `answer`. */
  ask(name: string, message: { type: string }, answer: string): Promise<Record<string, unknown>>
}

/** A platform for one user, who may replace and stop its processes. */
export type OwnPlatform = Platform & {
  /** kill -9, then a new process; resolves when it is ready. */
  restart(name: string): Promise<void>
  /** The process started last under that name. */
  process(name: string): Process
  /**
   * Starts another process of that name, with other settings; resolves when it is ready.
   * @param folder of another version of the project
   */
  startAnother(name: string, settings: Environment, folder?: string): Promise<Process>
  stop(): Promise<void>
}

const root = new URL('../../../', import.meta.url)

/**
 * The platform as in production, over its own databases and broker.
 * @param topology one: everything in one process; two: all services in one, the edge in another; split: every service
 * and the edge in its own
 * @param read receives the processes' logs, which are printed otherwise
 */
export async function startPlatform(
  topology: 'one' | 'two' | 'split',
  extra: Environment = {},
  read?: (text: string) => void,
): Promise<OwnPlatform> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'platform-'))
  // As in production: with separate processes, each has a restricted broker account.
  const isDivided = topology === 'split' && !extra['AMQP_GATEWAY_URL']
  const bus = await (isDivided ? dividedBus() : testBus())
  const databases = await testDatabases()
  const commonEnv = { ...(await settings(databases, bus, dataDir)), ...extra }
  const env = isDivided ? { ...commonEnv, ...ownAddresses(bus.url) } : commonEnv
  const latestProcesses = new Map<string, Process>()
  const runningProcesses = new Set<Process>()
  const commands = commandsOf[topology]

  const start = async (name: string, overrides: Environment = {}, folder?: string): Promise<Process> => {
    const command = commands[name]
    if (!command) throw new Error(`no process ${name}`)
    const newProcess = startProcess(
      command[0],
      { ...env, ...command[1], ...overrides },
      read ? { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] } : {},
      folder,
    )
    const { child } = newProcess
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', read ?? (() => undefined))
    latestProcesses.set(name, newProcess)
    runningProcesses.add(newProcess)
    void newProcess.exitStatus.then(() => runningProcesses.delete(newProcess))
    await ready(name, child)
    return newProcess
  }
  const stop = async (signal?: NodeJS.Signals): Promise<void> => {
    await Promise.all([...runningProcesses].map(one => one.stop(signal)))
    await bus.close()
    await Promise.all(databases.map(one => one.drop()))
    await rm(dataDir, { recursive: true, force: true })
  }

  try {
    for (const name of Object.keys(commands)) await start(name)
  } catch (error) {
    // A process stuck in its start may not notice a stop, and has nothing to end in order.
    await stop('SIGKILL')
    throw error
  }
  const names = Object.keys(listeners) as RestService[]
  const processOf = (name: string): Process => {
    const latestProcess = latestProcesses.get(name)
    if (!latestProcess) throw new Error(`no process ${name}`)
    return latestProcess
  }
  return {
    urls: Object.fromEntries(names.map(name => [name, `http://127.0.0.1:${env[listeners[name].setting]}`])) as Urls,
    sandboxUrl: `http://127.0.0.1:${env['SANDBOX_PORT']}`,
    consoleUrl: `http://127.0.0.1:${env[consoleListener.setting]}`,
    frontUrl: `http://127.0.0.1:${env[frontListener.setting]}`,
    administrator: { email: env['BOOTSTRAP_ADMIN_EMAIL'] ?? '', password: env['BOOTSTRAP_ADMIN_PASSWORD'] ?? '' },
    env,
    processes: Object.keys(commands).filter(name => name !== 'sandbox'),
    bus,
    async restart(name) {
      await processOf(name).stop('SIGKILL')
      await start(name)
    },
    process: processOf,
    startAnother: start,
    ask: (name, message, answer) =>
      new Promise((resolve, reject) => {
        const { child } = processOf(name)
        const failOnExit = (code: number | null) => reject(new Error(`${name} ended with ${code}`))
        const receive = (reply: Record<string, unknown>) => {
          if (reply['type'] !== answer) return
          child.off('message', receive).off('exit', failOnExit)
          resolve(reply)
        }
        child.on('message', receive).once('exit', failOnExit)
        child.send(message)
      }),
    stop: () => stop(),
  }
}

/** A text of the guides with a platform's addresses in place of the documented ones. */
export const withAddresses = (platform: Platform, text: string): string =>
  text.replace(/127\.0\.0\.1:(\d+)/g, (address, port) => {
    const [name] = Object.entries(listeners).find(([, listener]) => listener.port === Number(port)) ?? []
    return name ? new URL(platform.urls[name as RestService]).host : address
  })

type Commands = Record<string, readonly [script: string, settings: Environment]>

/** The processes of each topology, in starting order. */
const commandsOf: Record<'one' | 'two' | 'split', Commands> = {
  one: { platform: ['cli/worker.ts', {}] },
  two: { sandbox: ['services/sandbox/main.ts', {}], services: ['services/main.ts', {}], edge: ['edge/main.ts', {}] },
  split: {
    sandbox: ['services/sandbox/main.ts', {}],
    ...Object.fromEntries(serviceNames.map(name => [name, ['services/main.ts', { SERVICES: name }] as const])),
    edge: ['edge/main.ts', {}],
  },
}

/** A database for each service. */
export const testDatabases = (): Promise<(TestDatabase & { name: ServiceName })[]> =>
  Promise.all(
    serviceNames.map(async name => ({
      name,
      ...(await testDatabase(new URL(`services/${name}/migrations/`, root))),
    })),
  )

type ServiceDatabase = { name: string; url: string }

/**
 * The settings of all processes.
 * @param host where they reach each other and the sandbox
 */
export async function settings(
  databases: ServiceDatabase[],
  bus: { url: string; stream: string },
  dataDir: string,
  host = '127.0.0.1',
): Promise<Environment> {
  const rpc = serviceNames.map(name => `${name.toUpperCase()}_RPC_PORT`)
  const metrics = ['PLATFORM', 'EDGE', ...serviceNames].map(name => `${name.toUpperCase()}_METRICS_PORT`)
  const portNames = [...portSettings, ...rpc, 'SANDBOX_PORT', 'SANDBOX_SMTP_PORT', ...metrics]
  const free = await freePorts(portNames.length)
  const ports: Environment = Object.fromEntries(portNames.map((name, index) => [name, String(free[index])]))
  // The two services that share a documented port share one here, too.
  ports['LEGACY_AUTH_PORT'] = ports['NOTIFICATION_PORT']
  const urlOf = (name: string) => databases.find(one => one.name === name)?.url
  const base: Environment = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    ...ports,
    DATA_DIR: dataDir,
    SANDBOX_DATA_DIR: path.join(dataDir, 'sandbox'),
    MEDIA_DIR: path.join(dataDir, 'media'),
    FRONT_BASE_URL: `http://${host}:${ports['FRONT_PORT']}`,
    MEDIA_PUBLIC_URL: `http://${host}:${ports['MEDIA_PORT']}`,
    AMQP_GATEWAY_URL: bus.url,
    AMQP_EXCHANGE_NAME: bus.stream,
    JWT_ACCESS_SECRET: randomBytes(32).toString('hex'),
    JWT_REFRESH_SECRET: randomBytes(32).toString('hex'),
    PASSWORD_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    SERVICE_API_KEY: randomBytes(32).toString('hex'),
    ...webPushKeys(),
    BOOTSTRAP_ADMIN_EMAIL: 'root@platform.example',
    BOOTSTRAP_ADMIN_PASSWORD: 'a password for the test run',
    // As in production; the password of a minimal call is a common one, which creates no account.
    PASSWORD_BLOCKLIST: 'true',
    // All people of a test sign in from one address.
    SIGN_IN_LIMIT: '1000',
    ANONYMOUS_LIMIT: '100000',
    // They also call more often per minute than real people.
    RATE_LIMIT_PER_MINUTE: '0',
    ...Object.fromEntries(databases.map(({ name, url }) => [`${name.toUpperCase()}_DATABASE_URL`, url])),
    ...Object.fromEntries(
      serviceNames.map(name => [
        `${name.toUpperCase()}_RPC_URL`,
        `http://${host}:${ports[`${name.toUpperCase()}_RPC_PORT`]}`,
      ]),
    ),
    NEWS_MEMBER_DATABASE_URL: urlOf('member'),
    NOTIFICATION_MEMBER_DATABASE_URL: urlOf('member'),
  }
  const sandbox = `http://${host}:${ports['SANDBOX_PORT']}`
  const provider = sandboxSettings(sandbox, `smtp://${host}:${ports['SANDBOX_SMTP_PORT']}`, base)
  return Object.fromEntries(Object.entries({ ...base, ...provider }).filter(([, value]) => value !== undefined))
}
