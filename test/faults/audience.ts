import type { Connection, RowDataPacket } from 'mysql2/promise'
import { childRunning } from '../../bench/support/processes.ts'
import { PageCreatedSchema } from '../../gen/platform/events/v1/page_pb.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { type Bus, connectBus } from '../../services/kernel/bus/bus.ts'
import { emit, systemActor } from '../../services/kernel/bus/events.ts'
import { startRelay } from '../../services/kernel/bus/relay.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import { closeDatabase, inTransaction, openDatabase } from '../../services/kernel/database/database.ts'
import { kernelMigrations } from '../../services/kernel/database/migrate.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { silentLog } from '../../services/kernel/process/log.ts'
import { testDatabase } from '../kit/database.ts'
import { startPlatform } from '../kit/platform/platform.ts'

/** A platform with a workspace of many members, and a service that publishes through its own outbox. */
export type AudienceWorld = {
  bus: Bus
  /** Process ids of the platform and its broker. */
  pids: { platform: number; broker: number }
  /** Commits an event to all members. Rejects on failure. */
  publish(): Promise<void>
  /** Number of rows in a table of the notification service. */
  count(table: 'notifications' | 'receivers'): Promise<number>
  /** Events waiting in the outbox. */
  unpublished(): Promise<number>
  stop(): Promise<void>
}

const countOf = async (db: Connection, from: string): Promise<number> => {
  const [[row]] = await db.query<RowDataPacket[]>(`select count(*) as n from ${from}`)
  return Number(row?.['n'])
}

async function addMembers(url: string, people: number): Promise<{ workspaceId: string; receiverIds: string[] }> {
  const workspaceId = newId()
  const receiverIds = Array.from({ length: people }, () => newId())
  const db = await connectDatabase(url)
  await db.query("insert into workspaces (id, name, ecosystem_id) values (?, 'Hotel Azur', ?)", [workspaceId, newId()])
  const members = receiverIds.map(id => [id, 'Ada', 'Martin', `${id}@hotel.example`, `${id}@hotel.example`])
  await db.query('insert into members (id, first_name, last_name, email, live_email) values ?', [members])
  const memberships = receiverIds.map(id => [workspaceId, id, '[]'])
  await db.query('insert into workspace_members (workspace_id, member_id, permission_slugs) values ?', [memberships])
  await db.end()
  return { workspaceId, receiverIds }
}

/**
 * Starts a platform with a hotel and that many members.
 * @param settings of the platform
 */
export async function startAudience(people: number, settings: Environment = {}): Promise<AudienceWorld> {
  const platform = await startPlatform('one', { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent', ...settings })
  const { workspaceId, receiverIds } = await addMembers(platform.env['MEMBER_DATABASE_URL'] ?? '', people)
  const outbox = await testDatabase(kernelMigrations)
  const db = openDatabase<object>(outbox.url, { poolSize: 10 })
  const bus = await connectBus({ url: platform.bus.url, stream: platform.bus.stream, name: 'publisher' })
  const relay = startRelay(db, bus, { log: silentLog })
  const notificationDb = await connectDatabase(platform.env['NOTIFICATION_DATABASE_URL'] ?? '')
  const outboxDb = await connectDatabase(outbox.url)
  const envelope = { workspaceId, workspaceName: 'Hotel Azur', actor: systemActor, receiverIds }
  return {
    bus,
    pids: { platform: childRunning('cli/worker.ts'), broker: childRunning(platform.bus.store) },
    async publish() {
      const page = { id: newId(), title: 'Weekly news', medias: [] }
      await inTransaction(db, trx => emit(trx, PageCreatedSchema, page, { ...envelope, channels: ['socket'] }))
    },
    count: table => countOf(notificationDb, table),
    unpublished: () => countOf(outboxDb, 'outbox where published_at is null'),
    async stop() {
      await relay.stop()
      await bus.close()
      await closeDatabase(db)
      await Promise.all([notificationDb.end(), outboxDb.end()])
      await platform.stop()
      await outbox.drop()
    },
  }
}
