import { randomUUID } from 'node:crypto'
import { newId } from '../../services/kernel/base/ids.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'

/**
 * `theirs`: the usual tables of such a program, with a number for the notification, UUIDs as text for people, and an
 * index for a member's unread notifications. `ours`: the columns and the one key of the platform's tables.
 */
type PeerTables = 'theirs' | 'ours'

export type PeerDatabase = {
  tables: PeerTables
  url: string
  workspaceId: string
  /** One of the members. */
  memberId: string
  stop(): Promise<void>
}

const uuid = 'char(36) character set ascii'

const theirs = [
  `notifications (id bigint auto_increment primary key, workspace_id ${uuid} not null, kind varchar(40) not null,
     payload json not null, created_at datetime(3) not null default current_timestamp(3))`,
  `receivers (notification_id bigint not null, member_id ${uuid} not null, read_at datetime(3),
     primary key (notification_id, member_id), key unread (member_id, read_at))`,
]

/**
 * The database of the peers' workers: the members, and the two tables.
 * @param ours name of a database with the platform's tables
 */
export async function peerDatabase(tables: PeerTables, ours: string, people: number): Promise<PeerDatabase> {
  const server = new URL(process.env['TEST_DATABASE_URL'] ?? '')
  const name = `bench_peers_${tables}_${process.pid}`
  const db = await connectDatabase(server.href)
  await db.query(`create database ${name} character set utf8mb4 collate utf8mb4_unicode_ci`)
  await db.query(`use ${name}`)
  if (tables === 'theirs') for (const table of theirs) await db.query(`create table ${table}`)
  else for (const table of ['notifications', 'receivers']) await db.query(`create table ${table} like ${ours}.${table}`)
  await db.query(
    `create table members (workspace_id ${uuid} not null, id ${uuid} not null, primary key (workspace_id, id))`,
  )
  const idOf = tables === 'theirs' ? randomUUID : newId
  const workspaceId = idOf()
  const rows = Array.from({ length: people }, () => [workspaceId, idOf()] as const)
  await db.query('insert into members values ?', [rows])
  server.pathname = `/${name}`
  return {
    tables,
    url: server.href,
    workspaceId,
    memberId: rows[0]?.[1] ?? '',
    async stop() {
      await db.query(`drop database ${name}`)
      await db.end()
    },
  }
}
