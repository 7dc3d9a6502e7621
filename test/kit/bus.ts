import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endChild } from './process.ts'

export interface TestBus {
  url: string
  /** A unique stream name. */
  stream: string
  /** The broker's storage folder, for tests that delete streams while it is dead. */
  store: string
  /** Kills the broker; it restarts at the same address. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Sends the broker a signal, such as SIGSTOP. */
  signal(name: NodeJS.Signals): void
  /** Replaces its configuration of accounts, for its next start too. */
  reload(accounts: string): void
  /** Ends the broker and deletes its storage. */
  close(): Promise<void>
}

const SETPRIV = '/usr/bin/setpriv'

/**
 * A separate loopback address, where a port stays free without a listener: on 127.0.0.1 any other process may get it
 * meanwhile. Linux answers on all of 127.0.0.0/8, other systems on one address.
 */
export function ownAddress(): string {
  const [a = 0, b = 0, c = 0] = randomBytes(3)
  return process.platform === 'linux' ? `127.${1 + (a % 254)}.${b}.${1 + (c % 254)}` : '127.0.0.1'
}

/**
 * A separate nats-server on its own address for one test file, since the subjects of two streams may not overlap on one
 * server. TEST_NATS_PROGRAM names the program when it is not in the path.
 * @param accounts the server's configuration of accounts, and user:password of the bus's `url`
 */
export async function testBus(accounts?: { config(stream: string): string; login: string }): Promise<TestBus> {
  const stream = `t_${randomBytes(6).toString('hex')}`
  const folder = mkdtempSync(join(tmpdir(), 'bus-'))
  const store = join(folder, 'store')
  const host = ownAddress()
  const configFile = join(folder, 'nats.conf')
  let child: ChildProcess | undefined
  let port = -1
  const configure = (accountsText = '') =>
    writeFileSync(configFile, `jetstream { store_dir: ${JSON.stringify(store)} }\n${accountsText}`, { mode: 0o600 })

  const start = async () => {
    const program = process.env['TEST_NATS_PROGRAM'] ?? 'nats-server'
    const command = [program, '-a', host, '-p', String(port), '--ports_file_dir', folder, '-c', configFile]
    // If available, setpriv ends the broker with a test that is killed.
    const wrapped = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig=KILL', ...command] : command
    child = spawn(wrapped[0] ?? program, wrapped.slice(1), { stdio: 'ignore' })
    child.on('error', () => {})
    port = await portIn(folder, child)
  }
  const kill = async () => {
    await endChild(child)
    for (const file of portFiles(folder)) rmSync(file)
  }

  const endWithTest = () => child?.kill('SIGKILL')
  process.once('exit', endWithTest)
  configure(accounts?.config(stream))
  await start()
  return {
    url: `nats://${accounts ? `${accounts.login}@` : ''}${host}:${port}`,
    stream,
    store,
    kill,
    start,
    signal: name => void child?.kill(name),
    reload(text) {
      configure(text)
      child?.kill('SIGHUP')
    },
    async close() {
      await kill()
      process.off('exit', endWithTest)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The server writes its addresses into a file once it listens. */
async function portIn(folder: string, child: ChildProcess): Promise<number> {
  const end = Date.now() + 30_000
  while (Date.now() < end) {
    const text = portFiles(folder).map(file => readFileSync(file, 'utf8'))[0] ?? ''
    const port = /"nats":\s*\[\s*"[^"]*:(\d+)"/.exec(text)?.[1]
    if (port) return Number(port)
    if (child.exitCode !== null) break
    await sleep(5)
  }
  throw new Error('nats-server did not start; install it or name it in TEST_NATS_PROGRAM')
}

function portFiles(folder: string): string[] {
  const names = readdirSync(folder).filter(name => name.endsWith('.ports'))
  return names.map(name => join(folder, name))
}
