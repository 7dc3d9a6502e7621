import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Connection, RowDataPacket } from 'mysql2/promise'
import { openSocket } from '../../cli/tour/socket.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import { kernelMigrations } from '../../services/kernel/database/migrate.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { testDatabase } from '../../test/kit/database.ts'
import { childrenNamed } from '../support/processes.ts'
import { seed, startPlatform } from '../support/world.ts'

/** A running platform with its own settings, and what publishes to it. */
export type Side = {
  name: string
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

async function startPublisher(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('./publisher.ts', import.meta.url))
  const child = fork(script, { env: { ...process.env, NODE_ENV: 'production', ...env } })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the publisher ended before it was ready')))
  await Promise.race([once(child, 'message'), ended])
  ended.catch(() => undefined)
  return child
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

const tablesOf = (db: Connection) => ({
  async empty() {
    for (const table of ['receivers', 'notifications', 'inbox']) await db.query(`truncate table ${table}`)
  },
  stored: () => countOf(db, 'notifications'),
  receivers: () => countOf(db, 'receivers'),
})

/**
 * Waits until a socket has received `count` more events than at the last call.
 * @param countFrames the number received so far
 */
function waitForFrames(countFrames: () => number): (count: number) => Promise<void> {
  let received = 0
  return async count => {
    for (const until = Date.now() + 30_000; countFrames() < received + count && Date.now() < until; ) await sleep(5)
    if (countFrames() !== received + count)
      throw new Error(`a socket received ${countFrames() - received} events of ${count}`)
    received = countFrames()
  }
}

/**
 * The platform in one process as under `npm start`, and a publisher with its own outbox.
 * @param extra settings of the platform
 */
export async function startSide(name: string, extra: Environment = {}): Promise<Side> {
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
  const publisher = await startPublisher({
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
    pids: [...pids, publisher.pid ?? 0],
    brokerPids: childrenNamed(platform.bus.store),
    ...tablesOf(db),
    publish: (count, inFlight) => publishBy(publisher, count, inFlight),
    pushed: waitForFrames(() => socket.frames.filter(frame => frame.event === 'notification:new').length),
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
