import type { Connection, RowDataPacket } from 'mysql2/promise'
import type { RestService } from '../../gen/catalogue.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import type { Platform } from '../../test/kit/platform/platform.ts'
import type { CrowdPerson } from '../day/crowd.ts'
import { databaseOf, startPlain } from '../plain/start.ts'
import { childrenNamed } from '../support/processes.ts'

/** A program that answers the mix. */
export type MixSide = {
  name: string
  urls: Record<RestService, string>
  crowd: CrowdPerson[]
  /** Token of a member who may publish. */
  publisher: string
  pids: number[]
  /** Stored receivers of notifications. */
  receivers(): Promise<number>
  stop(): Promise<void>
}

const countIn = (db: Connection, schema: string) => async (): Promise<number> => {
  const [[row]] = await db.query<RowDataPacket[]>(`select count(*) as many from ${schema}.receivers`)
  return Number(row?.['many'])
}

const server = () => connectDatabase(process.env['TEST_DATABASE_URL'] ?? '')

export async function ourSide(platform: Platform, crowd: CrowdPerson[]): Promise<MixSide> {
  const db = await server()
  return {
    name: 'platform, one process',
    urls: platform.urls,
    crowd,
    publisher: crowd[0]?.hotel.token ?? '',
    pids: childrenNamed('cli/worker.ts'),
    receivers: countIn(db, databaseOf(platform.env['NOTIFICATION_DATABASE_URL'])),
    stop: () => db.end(),
  }
}

const id = 'char(24) character set ascii collate ascii_bin not null'
const now = 'datetime(3) not null default current_timestamp(3)'
const tables = [
  `page_views (id bigint auto_increment primary key, page_id ${id}, member_id ${id}, created_at ${now}, key (page_id))`,
  `likes (page_id ${id}, member_id ${id}, reaction_type varchar(16) not null, created_at ${now},
    primary key (page_id, member_id))`,
  `comments (id ${id} primary key, page_id ${id}, member_id ${id}, content varchar(2000) not null, created_at ${now},
    key (page_id, created_at))`,
  `notifications (id bigint auto_increment primary key, kind varchar(40) not null, actor_id ${id},
    payload json not null, created_at ${now})`,
  `receivers (notification_id bigint not null, member_id ${id}, read_at datetime(3),
    primary key (notification_id, member_id), key inbox (member_id, notification_id))`,
]

/** The plain program, over a copy of the platform's pages. */
export async function plainSide(platform: Platform, crowd: CrowdPerson[]): Promise<MixSide> {
  const db = await server()
  const schema = `bench_mix_${process.pid}`
  const news = databaseOf(platform.env['NEWS_DATABASE_URL'])
  await db.query(`create database ${schema} character set utf8mb4 collate utf8mb4_unicode_ci`)
  for (const table of ['pages', 'page_bodies', 'categories']) {
    await db.query(`create table ${schema}.${table} like ${news}.${table}`)
    await db.query(`insert into ${schema}.${table} select * from ${news}.${table}`)
  }
  for (const table of tables) await db.query(`create table ${schema}.${table}`)
  const plain = await startPlain(platform, schema)
  return {
    name: 'plain Express, counters and receivers',
    urls: { ...platform.urls, news: plain.url, notification: plain.url },
    crowd: crowd.map(person => ({ ...person, token: plain.tokenOf(person.memberId) })),
    publisher: plain.tokenOf(crowd[0]?.memberId ?? ''),
    pids: [plain.pid],
    receivers: countIn(db, schema),
    async stop() {
      await plain.stop()
      await db.query(`drop database ${schema}`)
      await db.end()
    },
  }
}
