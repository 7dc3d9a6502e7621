import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installAsRoot } from '../../cli/stack/apt.ts'
import { freePort } from '../../cli/stack/ports.ts'
import { launch, signal } from '../../cli/stack/processes.ts'

/** A peer's broker, on the loopback. */
export type Broker = { port: number; pids: number[]; stop(): void }

/** Where the peers' packages are installed, once. */
export const peersFolder = path.join(tmpdir(), 'platform-bench-event-peers')

const programs = {
  redis: { path: '/usr/bin/redis-server', package: 'redis-server' },
  rabbit: { path: '/usr/lib/rabbitmq/bin/rabbitmq-server', package: 'rabbitmq-server' },
}

/** The broker's program, installed if missing; throws with instructions when that fails. */
async function programOf(name: keyof typeof programs): Promise<string> {
  const program = programs[name]
  if (existsSync(program.path)) return program.path
  const advice = `install it to compare with it: apt-get install --no-install-recommends ${program.package}`
  if (process.getuid?.() !== 0) throw new Error(`there is no ${program.path}; ${advice}`)
  console.log(`  installing ${program.package} …`)
  await installAsRoot([program.package]).catch((error: unknown) => {
    throw new Error(`${program.package} could not be installed (${String(error)}); ${advice}`)
  })
  return program.path
}

/** Installs the clients of both brokers, and the sockets of their workers, from npm. */
export function installClients(): void {
  if (existsSync(path.join(peersFolder, 'node_modules', 'socket.io'))) return
  mkdirSync(peersFolder, { recursive: true })
  console.log(`  installing bullmq, amqplib and socket.io into ${peersFolder} …`)
  const args = [
    'install',
    '--prefix',
    peersFolder,
    '--no-audit',
    '--no-fund',
    '--silent',
    'bullmq@5',
    'amqplib@0.10',
    'socket.io@4',
  ]
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

function begin(command: string, args: string[], folder: string, env: NodeJS.ProcessEnv = {}) {
  const log = openSync(path.join(folder, 'log'), 'a')
  const child = launch({ command, args, env: { ...process.env, ...env }, stdio: ['ignore', log, log] })
  const { pid = 0 } = child
  // It leads its own group, so that its child processes end with it.
  const stop = () => void signal(-pid, 'SIGKILL')
  process.once('exit', stop)
  return { pid, stop, ended: () => child.exitCode !== null || child.signalCode !== null }
}

async function answering(port: number, folder: string, ended: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600 && !ended(); tries++) {
    const isOpen = await new Promise<boolean>(resolve => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isOpen) return
    await sleep(100)
  }
  throw new Error(`no answer from the broker: ${readFileSync(path.join(folder, 'log'), 'utf8').slice(-500)}`)
}

/** Redis as BullMQ requires, with an append-only file that is synced each second: a crash may lose that second. */
export async function startRedis(folder: string): Promise<Broker> {
  const program = await programOf('redis')
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const durable = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', '', '--maxmemory-policy', 'noeviction']
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...durable]
  const { pid, stop, ended } = begin(program, args, folder)
  await answering(port, folder, ended)
  return { port, pids: [pid], stop }
}

/**
 * RabbitMQ with its defaults, one node without plugins; its name service runs as a child process, so that it ends with
 * this one.
 */
export async function startRabbit(folder: string): Promise<Broker> {
  const program = await programOf('rabbit')
  mkdirSync(folder, { recursive: true })
  const [port, distribution, names] = [await freePort(), await freePort(), await freePort()]
  const nameService = begin('epmd', ['-port', String(names), '-address', '127.0.0.1'], folder)
  await answering(names, folder, nameService.ended)
  writeFileSync(path.join(folder, 'plugins'), '[].')
  const { pid, stop, ended } = begin(program, [], folder, {
    HOME: folder,
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_EPMD_PORT: String(names),
    RABBITMQ_NODENAME: `bench${process.pid}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    RABBITMQ_MNESIA_BASE: folder,
    RABBITMQ_LOG_BASE: folder,
    RABBITMQ_CONFIG_FILE: path.join(folder, 'none'),
    RABBITMQ_ENABLED_PLUGINS_FILE: path.join(folder, 'plugins'),
    RABBITMQ_PID_FILE: path.join(folder, 'pid'),
  })
  await answering(port, folder, ended)
  const stopBoth = () => {
    stop()
    nameService.stop()
  }
  return { port, pids: [pid, nameService.pid], stop: stopBoth }
}
