import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { accountStatements, administrator, passwordOf } from './accounts.ts'
import { baseArguments, createDatabaseFolder, serverAccount } from './mariadb-files.ts'
import { LaunchError, type Print } from './messages.ts'
import type { InstalledProgram } from './packages.ts'
import { onFreePort, readPorts, storePorts } from './ports.ts'
import { endLeftover, recordPid, startChild } from './processes.ts'
import type { Secrets } from './secrets.ts'
import { type SupervisedServer, supervise } from './supervise.ts'

export type ServerOptions = {
  program: InstalledProgram
  dataDir: string
  secrets: Secrets
  /** Temporary data: faster, and not safe against a power cut. */
  ephemeral: boolean
  print: Print
  /** Longest pause before a dead server is restarted, in ms. */
  longestPauseMs?: number
}

export type Database = SupervisedServer & {
  port: number
  /** Address of an account, optionally in a schema. */
  url(account: string, schema?: string): string
}

/**
 * A new folder for the server's socket: socket paths are limited to 107 characters, while the data may be anywhere.
 * Removes the noted previous folder, which a killed launcher leaves behind.
 */
function socketFolder(noteFile: string): string {
  const previousFolder = existsSync(noteFile) ? readFileSync(noteFile, 'utf8') : ''
  if (/\/platform-\w{6}$/.test(previousFolder)) rmSync(previousFolder, { recursive: true, force: true })
  const folder = mkdtempSync(join(tmpdir().length < 60 ? tmpdir() : '/tmp', 'platform-'))
  writeFileSync(noteFile, folder)
  return folder
}

/** Opens a server's log for appending; a large one starts over. */
export function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true })
  const isLarge = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 10_000_000
  return openSync(file, isLarge ? 'w' : 'a', 0o600)
}

/** The end of a server's log, for error messages. */
export function logTail(file: string): string {
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(-8)
  return `; the end of ${file}:\n    ${lines.join('\n    ')}`
}

/** Starts the private MariaDB over a data folder, creating the folder's data if needed. */
export async function startMariadb(options: ServerOptions): Promise<Database> {
  const { program, dataDir, secrets, ephemeral, print } = options
  const datadir = join(dataDir, 'mariadb')
  const pidFile = join(dataDir, 'mariadb.pid')
  const portFile = join(dataDir, 'mariadb.port.json')
  const logFile = join(dataDir, 'logs', 'mariadb.log')
  const account = serverAccount(datadir)
  await endLeftover(pidFile)
  await createDatabaseFolder(program, datadir, account)

  let port = 0
  const socketsFolder = socketFolder(join(dataDir, 'mariadb.sockets'))
  const accounts = join(datadir, 'accounts.sql')
  writeFileSync(accounts, accountStatements(secrets), { mode: 0o600 })
  for (const path of account ? [socketsFolder, accounts] : []) chownSync(path, account?.uid ?? 0, account?.gid ?? 0)

  const args = [
    ...baseArguments(program, datadir, socketsFolder, account),
    `--socket=${join(socketsFolder, 'db.sock')}`,
    `--pid-file=${join(socketsFolder, 'db.pid')}`,
    `--init-file=${accounts}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--default-time-zone=+00:00',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_unicode_ci',
    '--transaction-isolation=READ-COMMITTED',
    '--max-connections=600',
    '--max-allowed-packet=64M',
    '--innodb-buffer-pool-size=256M',
    // Commits must survive a power cut, except for temporary data.
    `--innodb-flush-log-at-trx-commit=${ephemeral ? 0 : 1}`,
    ...(ephemeral ? ['--innodb-doublewrite=0', '--innodb-flush-method=nosync'] : []),
  ]
  const url = (name: string, schema = '') =>
    `mysql://${name}:${passwordOf(name, secrets)}@127.0.0.1:${port}${schema && `/${schema}`}`

  const start = () => {
    const log = openLog(logFile)
    const child = startChild({
      command: program.path,
      args: [...args, `--port=${port}`],
      env: process.env,
      stdio: ['ignore', log, log],
      account,
    })
    closeSync(log)
    if (child.pid) recordPid(pidFile, child.pid)
    return child
  }
  const server = await onFreePort(readPorts(portFile)['mariadb'], free => {
    port = free
    return supervise({
      name: 'MariaDB',
      start,
      ready: child =>
        waitUntilAnswering(url(administrator), () => child.exitCode === null && child.signalCode === null),
      explain: () => logTail(logFile),
      print,
      ...(options.longestPauseMs ? { longestPauseMs: options.longestPauseMs } : {}),
    })
  })
  storePorts(portFile, { mariadb: port })
  const stop = async () => {
    await server.stop()
    for (const path of [socketsFolder, pidFile]) rmSync(path, { recursive: true, force: true })
  }
  return { ...server, stop, port, url }
}

/** Waits until the server accepts a connection; a recovery after a power cut may take a while. */
async function waitUntilAnswering(url: string, isRunning: () => boolean): Promise<void> {
  const until = Date.now() + 120_000
  for (let lastError: unknown; isRunning(); await sleep(20)) {
    try {
      const connection = await createConnection({ uri: url, connectTimeout: 5000 })
      await connection.end()
      return
    } catch (error) {
      lastError = error
      if ((error as NodeJS.ErrnoException).code === 'ER_ACCESS_DENIED_ERROR') {
        throw new LaunchError(
          'MariaDB rejects the administrator password: secrets.json does not belong to this data folder.',
        )
      }
    }
    if (Date.now() > until) throw new LaunchError(`MariaDB is not responding: ${String(lastError)}`)
  }
}
