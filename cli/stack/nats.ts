import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { closeSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isStorageOff } from '../../services/kernel/bus/inspect.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import {
  authorizationText,
  type BrokerAccount,
  brokerAccounts,
  operatorAccount,
  sharedAccount,
} from './broker-config.ts'
import { brokerNames } from './broker-permissions.ts'
import { logTail, openLog, type ServerOptions } from './mariadb.ts'
import { LaunchError } from './messages.ts'
import { onFreePort, readPorts, storePorts } from './ports.ts'
import { endLeftover, recordPid, startChild } from './processes.ts'
import type { Secrets } from './secrets.ts'
import { type SupervisedServer, supervise } from './supervise.ts'

type Bus = SupervisedServer & { port: number; urlOf(account: BrokerAccount): string }

/** Whether this server can sync every message to disk; older ones refuse the setting. */
function canSync(path: string): boolean {
  const [, major, minor] = /v(\d+)\.(\d+)/.exec(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? []
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 10)
}

/** An account's password, derived, so that none reveals another and a later account needs no new secret. */
const passwordOf = (secrets: Secrets, account: BrokerAccount): string =>
  createHmac('sha256', secrets.nats).update(account).digest('base64url').slice(0, 32)

/** The address of the private server for an account. */
export const natsUrlOf = (secrets: Secrets, port: number, account: BrokerAccount): string =>
  `nats://${account}:${passwordOf(secrets, account)}@127.0.0.1:${port}`

/** The addresses of the private server for all accounts, as settings. */
export const natsSettings = (secrets: Secrets, port: number): Environment =>
  Object.fromEntries(
    brokerAccounts.map(account => [
      account === sharedAccount ? 'AMQP_GATEWAY_URL' : `${account.toUpperCase()}_AMQP_GATEWAY_URL`,
      natsUrlOf(secrets, port, account),
    ]),
  )

/** Starts the private NATS server with JetStream over a data folder. */
export async function startNats({ program, dataDir, secrets, ephemeral, print }: ServerOptions): Promise<Bus> {
  const folder = join(dataDir, 'nats')
  const pidFile = join(dataDir, 'nats.pid')
  const portFile = join(dataDir, 'nats.port.json')
  const logFile = join(dataDir, 'logs', 'nats.log')
  const configFile = join(folder, 'nats.conf')
  const portsFolder = join(folder, 'ports')
  await endLeftover(pidFile)
  mkdirSync(folder, { recursive: true, mode: 0o700 })

  let port = 0
  const sync = !ephemeral && canSync(program.path)

  const start = () => {
    rmSync(portsFolder, { recursive: true, force: true })
    mkdirSync(portsFolder)
    const config = [
      `listen: "127.0.0.1:${port}"`,
      `ports_file_dir: ${JSON.stringify(portsFolder)}`,
      'max_payload: 1MB',
      `jetstream { store_dir: ${JSON.stringify(folder)}, max_memory_store: 64MB, max_file_store: 2GB${sync ? ', sync_interval: always' : ''} }`,
      authorizationText(brokerNames(process.env), account => JSON.stringify(passwordOf(secrets, account))),
    ]
    writeFileSync(configFile, config.join('\n'), { mode: 0o600 })
    const log = openLog(logFile)
    const child = startChild({
      command: program.path,
      args: ['-c', configFile],
      env: process.env,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    if (child.pid) recordPid(pidFile, child.pid)
    return child
  }

  const server = await onFreePort(readPorts(portFile)['nats'], free => {
    port = free
    return supervise({
      name: 'NATS',
      start,
      ready: () => waitUntilListening(portsFolder),
      explain: () => logTail(logFile),
      // After a full disk it stays off, though there is space again.
      illness: async () =>
        (await isStorageOff(natsUrlOf(secrets, port, operatorAccount))) ? 'its storage (JetStream) is off' : undefined,
      print,
    })
  })
  storePorts(portFile, { nats: port })
  const stop = async () => {
    await server.stop()
    rmSync(pidFile, { force: true })
  }
  return { ...server, stop, port, urlOf: account => natsUrlOf(secrets, port, account) }
}

/** Waits until the server has written the addresses that it listens on. */
async function waitUntilListening(folder: string): Promise<void> {
  const until = Date.now() + 60_000
  while (Date.now() < until) {
    const [file] = readdirSync(folder).filter(name => name.endsWith('.ports'))
    if (file && /"nats":\s*\[\s*"[^"]*:\d+"/.test(readFileSync(join(folder, file), 'utf8'))) return
    await sleep(5)
  }
  throw new LaunchError('NATS did not report its port.')
}
