import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Connection, RowDataPacket } from 'mysql2/promise'
import { WebSocket } from 'ws'
import { openSocket } from '../../cli/tour/socket.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import { kernelMigrations } from '../../services/kernel/database/migrate.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { testDatabase } from '../../test/kit/database.ts'
import { childrenNamed } from '../support/processes.ts'
import { seed, startPlatform } from '../support/world.ts'
import type { Broker } from './brokers.ts'
import { peersFolder } from './brokers.ts'
import type { PeerDatabase } from './peer-tables.ts'

/** One path from a publish to stored rows. */
export type Side = {
  name: string
  /** Maximum of concurrent storing transactions. */
  concurrency: number
  isOurs: boolean
  /** Whether it writes to tables like the platform's. */
  hasOurTables: boolean
  /** Its own processes, and its broker's. */
  pids: number[]
  brokerPids: number[]
  /** Deletes what it has stored. */
  empty(): Promise<void>
  /** Publishes `count` events, `inFlight` at a time. */
  publish(count: number, inFlight: number): Promise<void>
  /** The number of committed notifications; on request with their receivers, counted row by row. */
  stored(): Promise<number>
  receivers(): Promise<number>
  /** Waits until a socket has received `count` events since the last call. */
  pushed(count: number): Promise<void>
  stop(): Promise<void>
}

export const people = 1_000

const script = (name: string): string => fileURLToPath(new URL(`${name}.ts`, import.meta.url))

/** @returns the process, and its first message */
async function startProcess(name: string, env: NodeJS.ProcessEnv): Promise<[ChildProcess, unknown]> {
  const child = fork(script(name), { env: { ...process.env, NODE_ENV: 'production', ...env } })
  const early = once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended before it was ready`)))
  const [message] = (await Promise.race([once(child, 'message'), early])) as [unknown]
  early.catch(() => undefined)
  return [child, message]
}

async function publishBy(child: ChildProcess, count: number, inFlight: number): Promise<void> {
  const done = once(child, 'message')
  child.send({ publish: count, inFlight })
  await done
}

async function endProcess(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.disconnect()
  await gone
}

const countOf = async (db: Connection, table: string): Promise<number> => {
  const [[row]] = await db.query<RowDataPacket[]>(`select count(*) as n from ${table}`)
  return Number(row?.['n'])
}

const tablesOf = (db: Connection, others: string[] = []) => ({
  async empty() {
    for (const table of ['receivers', 'notifications', ...others]) await db.query(`truncate table ${table}`)
  },
  stored: () => countOf(db, 'notifications'),
  receivers: () => countOf(db, 'receivers'),
})

/**
 * Waits until a socket has received `count` more events than at the last call.
 * @param news the number received so far
 */
function hearing(news: () => number): (count: number) => Promise<void> {
  let heard = 0
  return async count => {
    for (const until = Date.now() + 30_000; news() < heard + count && Date.now() < until; ) await sleep(5)
    if (news() !== heard + count) throw new Error(`a socket heard of ${news() - heard} events of ${count}`)
    heard = news()
  }
}

/** A member of the peer, connected with socket.io's own client. */
async function listenToPeer(url: string, memberId: string): Promise<{ news(): number; close(): void }> {
  const socket = new WebSocket(`${url}&member=${memberId}`)
  let count = 0
  const joined = new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.on('message', data => {
      const text = (data as Buffer).toString()
      if (text.startsWith('0')) socket.send('40')
      else if (text.startsWith('40')) resolve()
      else if (text === '2') socket.send('3')
      else if (text.startsWith('42["notification:new"')) count++
    })
  })
  await joined
  return { news: () => count, close: () => socket.terminate() }
}

/**
 * The platform in one process as under `npm start`, and a publisher with its own outbox.
 * @param lanes concurrent transactions that its settings allow
 * @param extra settings of the platform
 */
export async function startOurs(name: string, lanes: number, extra: Environment = {}): Promise<Side> {
  const before = childrenNamed('cli/worker.ts')
  const settings = { TENANT_GUARD: 'off', ...extra }
  const platform = await startPlatform('one', settings)
  const pids = childrenNamed('cli/worker.ts').filter(pid => !before.includes(pid))
  const { workspaceId, hotelId, token, memberIds } = await seed(platform, people - 1, 0)
  const members = await connectDatabase(platform.env['MEMBER_DATABASE_URL'] ?? '')
  const [rows] = await members.query<RowDataPacket[]>(
    'select member_id from workspace_members where workspace_id = ? and left_at is null',
    [workspaceId],
  )
  await members.end()
  const everybody = rows.map(row => String(row['member_id']))
  if (everybody.length !== people || !memberIds.every(id => everybody.includes(id)))
    throw new Error(`${everybody.length} members where there should be ${people}`)
  const socket = await openSocket(platform.urls.notification, token)

  const folder = mkdtempSync(path.join(tmpdir(), 'bench-events-'))
  const receivers = path.join(folder, 'receivers.json')
  writeFileSync(receivers, JSON.stringify(everybody))
  const outbox = await testDatabase(kernelMigrations)
  const [publisher] = await startProcess('publisher', {
    DATABASE: outbox.url,
    BUS: platform.bus.url,
    STREAM: platform.bus.stream,
    WORKSPACE: workspaceId,
    HOTEL: hotelId,
    RECEIVERS: receivers,
    ...extra,
  })
  const db = await connectDatabase(platform.env['NOTIFICATION_DATABASE_URL'] ?? '')
  return {
    name,
    concurrency: lanes,
    isOurs: true,
    hasOurTables: true,
    pids: [...pids, publisher.pid ?? 0],
    brokerPids: childrenNamed(platform.bus.store),
    ...tablesOf(db, ['inbox']),
    publish: (count, inFlight) => publishBy(publisher, count, inFlight),
    pushed: hearing(() => socket.frames.filter(frame => frame.event === 'notification:new').length),
    async stop() {
      socket.close()
      await endProcess(publisher)
      await db.end()
      await platform.stop()
      await outbox.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A worker of a peer, which also publishes. */
export async function startPeer(
  peer: 'bullmq' | 'amqp',
  broker: Broker,
  database: PeerDatabase,
  concurrency: number,
): Promise<Side> {
  const [worker, message] = await startProcess('peer', {
    PEER: peer,
    PEERS_FOLDER: peersFolder,
    BROKER_PORT: String(broker.port),
    DATABASE: database.url,
    TABLES: database.tables,
    WORKSPACE: database.workspaceId,
    CONCURRENCY: String(concurrency),
  })
  const listener = await listenToPeer((message as { url: string }).url, database.memberId)
  const db = await connectDatabase(database.url)
  return {
    name: `${peer === 'bullmq' ? 'BullMQ on Redis' : 'RabbitMQ, amqplib'}${database.tables === 'ours' ? ', our tables' : ''}`,
    concurrency,
    isOurs: false,
    hasOurTables: database.tables === 'ours',
    pids: [worker.pid ?? 0],
    brokerPids: broker.pids,
    ...tablesOf(db),
    publish: (count, inFlight) => publishBy(worker, count, inFlight),
    pushed: hearing(listener.news),
    async stop() {
      listener.close()
      await endProcess(worker)
      await db.end()
    },
  }
}
