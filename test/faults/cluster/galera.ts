import { type ChildProcess, type StdioOptions, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { accountStatements, administrator, passwordOf } from '../../../cli/stack/accounts.ts'
import { baseArguments, createDatabaseFolder } from '../../../cli/stack/mariadb-files.ts'
import { startChild, type UnixAccount } from '../../../cli/stack/processes.ts'
import type { Secrets } from '../../../cli/stack/secrets.ts'
import { freePorts } from '../../kit/platform/ports.ts'
import { endChild } from '../../kit/process.ts'
import { type GaleraPrograms, galeraPrograms } from './galera.programs.ts'

export type Node = {
  name: string
  port: number
  /** Whether the node accepts work: connected to the majority and up to date. */
  synced(): Promise<boolean>
  /** kill -9. */
  kill(): Promise<void>
  /** Restarts it where it stopped; resolves when it accepts work. */
  start(): Promise<void>
}

/** Ports of one node: clients, group communication, incremental state transfer (IST) and that of a snapshot (SST). */
type Ports = { sql: number; group: number; ist: number; sst: number }
type Options = { folder: string; secrets: Secrets }

const host = '127.0.0.1'

/** As root, rsync would switch to nobody and fail on root's folders, so root runs the nodes as nobody. */
const account: UnixAccount | undefined =
  process.getuid?.() === 0 ? { name: 'nobody', uid: 65_534, gid: 65_534 } : undefined

/** Starts three Galera nodes. The first creates the data, from which the others are copied. */
export async function startGalera({ folder, secrets }: Options): Promise<{ nodes: Node[]; stop(): Promise<void> }> {
  const programs = await galeraPrograms()
  chmodSync(folder, 0o711)
  const nodePorts: Ports[] = []
  for (let index = 0; index < 3; index++) {
    const [sql = 0, group = 0, ist = 0, sst = 0] = await freePorts(4)
    nodePorts.push({ sql, group, ist, sst })
  }
  const group = `gcomm://${nodePorts.map(ports => `${host}:${ports.group}`).join(',')}`
  const nodes: (Node & { begin(isFirst: boolean): Promise<void> })[] = []
  for (const [index, ports] of nodePorts.entries()) {
    const home = join(folder, `galera-${index + 1}`)
    mkdirSync(home)
    if (account) chownSync(home, account.uid, account.gid)
    if (index === 0) await createDatabaseFolder(programs.mariadbd, join(home, 'data'), account)
    else mkdirSync(join(home, 'data'), { mode: 0o700 })
    if (account) chownSync(join(home, 'data'), account.uid, account.gid)
    const node = nodeOf({ programs, home, ports, group, name: `node${index + 1}`, secrets })
    await node.begin(index === 0)
    nodes.push(node)
  }
  return {
    nodes,
    async stop() {
      await Promise.all(nodes.map(node => node.kill()))
    },
  }
}

type Making = {
  programs: GaleraPrograms
  home: string
  ports: Ports
  group: string
  name: string
  secrets: Secrets
}

function nodeOf({ programs, home, ports, group, name, secrets }: Making) {
  const { mariadbd, library, env } = programs
  const datadir = join(home, 'data')
  const logFile = join(home, 'log')
  const uri = `mysql://${administrator}:${passwordOf(administrator, secrets)}@${host}:${ports.sql}`
  const common = [
    ...baseArguments(mariadbd, datadir, home, account),
    `--socket=${join(home, 's')}`,
    `--port=${ports.sql}`,
    `--bind-address=${host}`,
    '--skip-name-resolve',
    '--default-time-zone=+00:00',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_unicode_ci',
    '--transaction-isolation=READ-COMMITTED',
    '--max-connections=600',
    '--max-allowed-packet=64M',
    '--innodb-buffer-pool-size=128M',
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=ON',
    `--wsrep-cluster-address=${group}`,
    `--wsrep-provider=${library}`,
    `--wsrep-node-address=${host}:${ports.group}`,
    `--wsrep-node-name=${name}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=${host}:${ports.sst}`,
    `--wsrep-provider-options=${[
      `gmcast.listen_addr=tcp://${host}:${ports.group}`,
      `ist.recv_addr=${host}:${ports.ist}`,
      'gcache.size=64M',
      // Declares a killed node missing after two seconds instead of five.
      'evs.keepalive_period=PT0.5S',
      'evs.inactive_check_period=PT0.5S',
      'evs.suspect_timeout=PT2S',
      'evs.inactive_timeout=PT6S',
    ].join(';')}`,
  ]
  let child: ChildProcess | undefined

  const change = account ? ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : []
  const run = (args: string[]): ChildProcess => {
    const log = openSync(logFile, 'a', 0o600)
    const stdio: StdioOptions = ['ignore', log, log]
    const server = startChild({ command: mariadbd.path, args: [...common, ...args], env, stdio, account })
    closeSync(log)
    return server
  }
  /** The last position of a killed node, so that it only receives what it missed. */
  const positionArguments = (): string[] => {
    const before = readFileSync(logFile, 'utf8').length
    const log = openSync(logFile, 'a')
    const [command = '', ...args] = [...change, mariadbd.path, ...common, '--wsrep-recover']
    spawnSync(command, args, { env, stdio: ['ignore', log, log] })
    closeSync(log)
    const [, position] = /Recovered position:\s*(\S+)/.exec(readFileSync(logFile, 'utf8').slice(before)) ?? []
    return position ? [`--wsrep-start-position=${position}`] : []
  }
  const synced = async (): Promise<boolean> => {
    try {
      const connection = await createConnection({ uri, connectTimeout: 1_000 })
      try {
        const [rows] = await connection.query<RowDataPacket[]>({
          sql: "show status like 'wsrep_local_state_comment'",
          timeout: 1_000,
        })
        return rows[0]?.['Value'] === 'Synced'
      } finally {
        connection.destroy()
      }
    } catch {
      return false
    }
  }
  const untilSynced = async (): Promise<void> => {
    for (const until = Date.now() + 60_000; !(await synced()); await sleep(100)) {
      const isOver = child?.exitCode !== null || child.signalCode !== null
      if (isOver || Date.now() > until)
        throw new Error(`${name} of the cluster takes no work:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`)
    }
  }
  return {
    name,
    port: ports.sql,
    synced,
    kill: () => endChild(child),
    end: () => endChild(child, 'SIGTERM'),
    async begin(isFirst: boolean) {
      const accounts = join(home, 'accounts.sql')
      writeFileSync(accounts, accountStatements(secrets), { mode: 0o600 })
      if (account) chownSync(accounts, account.uid, account.gid)
      child = run(isFirst ? ['--wsrep-new-cluster', `--init-file=${accounts}`] : [])
      await untilSynced()
    },
    async start() {
      child = run(positionArguments())
      await untilSynced()
    },
  }
}
