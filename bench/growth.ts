import type { Connection, RowDataPacket } from 'mysql2/promise'
import { connectDatabase } from '../services/kernel/database/connection.ts'
import { type Deleted, deleteAudit, deleteNews, deleteNotifications } from './growth/deletions.ts'
import {
  type GrowthSide,
  memberQuestions,
  newsQuestions,
  notificationQuestions,
  type Question,
} from './growth/questions.ts'
import {
  empty,
  type Fill,
  type Filled,
  fill,
  memberRows,
  newsRows,
  notificationRows,
  type Scene,
} from './growth/rows.ts'
import { line, median } from './support/figures.ts'
import { bySize } from './support/size.ts'
import { seed, startPlatform, withOwnServers } from './support/world.ts'

/** Rows of each growing table. Every size is asked by turns with the first. */
const [base = 10_000, ...sizes] = bySize(
  [10_000, 100_000, 1_000_000, 10_000_000],
  [10_000, 1_000_000],
  [10_000, 20_000],
)
const rounds = bySize(40, 40, 2)
/** A publication to 1,000 receivers takes as long as dozens of other calls. */
const publications = bySize(12, 8, 1)

type Group = {
  service: 'news' | 'notification' | 'member'
  rows(rows: number, scene: Scene): Fill[]
  questions(side: GrowthSide, db: Connection): Question[]
  deleteOld(url: string, rows: number): Promise<Deleted[]>
}

const groups: Group[] = [
  { service: 'news', rows: newsRows, questions: newsQuestions, deleteOld: deleteNews },
  { service: 'notification', rows: notificationRows, questions: notificationQuestions, deleteOld: deleteNotifications },
  { service: 'member', rows: memberRows, questions: memberQuestions, deleteOld: deleteAudit },
]

const countText = (rows: number): string => rows.toLocaleString('en')

/**
 * The same questions and writes over tables of 10⁴ to 10⁷ rows. Of what accumulates (pages, comments, views,
 * notifications, deliveries, invitations, audit) the asked hotel has a tenth, because history is what grows in a single
 * hotel; of people it keeps 1,000, because more people come with more hotels.
 */
export async function benchGrowth(): Promise<string> {
  return withOwnServers(async () => {
    const small = await startSide(base)
    const report: Report = { questions: [], disk: [], deleted: [] }
    const smallGroups = new Map<Group, FilledGroup>()
    for (const group of groups) smallGroups.set(group, await filled(group, small))
    for (const rows of sizes) {
      const large = await startSide(rows)
      for (const [group, smallGroup] of smallGroups) await compare(group, smallGroup, large, report)
      await large.stop()
    }
    for (const group of smallGroups.values()) await group.end()
    await small.stop()
    return [
      line('question', 'rows', `${countText(base)} rows, ms`, 'ms', 'ratio'),
      ...['|-|-|-|-|-|', ...report.questions, ''],
      ...[line('table', 'rows', 'bytes per row', 'filled in s'), '|-|-|-|-|', ...report.disk, ''],
      ...[line('oldest rows of', 'rows', 'deleted', 'per second'), '|-|-|-|-|', ...report.deleted],
    ].join('\n')
  })
}

type Report = { questions: string[]; disk: string[]; deleted: string[] }
type StartedSide = GrowthSide & { stop(): Promise<void> }

/** A platform with a hotel of 1,000 people, ten below each of the first hundred. */
async function startSide(rows: number): Promise<StartedSide> {
  // Filling ten million rows takes longer than the usual life of a token.
  const platform = await startPlatform('one', { TENANT_GUARD: 'off', ACCESS_TOKEN_SECONDS: '86400' })
  const seeded = await seed(platform, 1_000, 0)
  const db = await connectDatabase(platform.env['MEMBER_DATABASE_URL'] ?? '')
  const [[row]] = await db.query<RowDataPacket[]>('select id from members where live_email = ?', [seeded.email])
  const scene: Scene = { ...seeded, memberId: String(row?.['id']) }
  const everyone = [scene.memberId, ...scene.memberIds]
  for (let turn = 0; turn < 100; turn++)
    await db.query('update workspace_members set superior_id = ? where workspace_id = ? and member_id in (?)', [
      ...[everyone[turn], scene.workspaceId],
      scene.memberIds.slice(turn * 10, turn * 10 + 10),
    ])
  await db.end()
  return { platform, scene, token: seeded.token, rows, stop: platform.stop }
}

/** Fills the tables of a group, asks its questions by turns with the few rows, and empties the tables again. */
async function compare(group: Group, smallFilled: FilledGroup, large: GrowthSide, report: Report): Promise<void> {
  const big = await filled(group, large)
  for (const { table, count, bytes, seconds } of big.tables)
    report.disk.push(line(table, countText(count), (bytes / count).toFixed(0), seconds.toFixed(0)))
  for (const [index, question] of smallFilled.questions.entries()) {
    const bigQuestion = big.questions[index] ?? question
    const [before, after] = await byTurns(question, bigQuestion)
    const times = [before.toFixed(1), after.toFixed(1), (after / before).toFixed(2)]
    report.questions.push(line(question.name, countText(large.rows), ...times))
  }
  for (const { tables, rows, seconds } of await group.deleteOld(big.url, large.rows))
    report.deleted.push(line(tables, countText(large.rows), countText(rows), (rows / seconds).toFixed(0)))
  await big.end()
}

type FilledGroup = { url: string; tables: Filled[]; questions: Question[]; end(): Promise<void> }

async function filled({ service, rows, questions }: Group, side: GrowthSide): Promise<FilledGroup> {
  const url = side.platform.env[`${service.toUpperCase()}_DATABASE_URL`] ?? ''
  const db = await connectDatabase(url)
  const tables: Filled[] = []
  for (const one of rows(side.rows, side.scene)) tables.push(await fill(db, one))
  return {
    url,
    tables,
    questions: questions(side, db),
    async end() {
      for (const { table } of tables) await empty(db, table)
      await db.end()
    },
  }
}

/** Medians of a question at both sides, asked by turns after a few calls that warm them up. */
async function byTurns(one: Question, second: Question): Promise<[number, number]> {
  const count = one.name.startsWith('publish') ? publications : rounds
  const times: [number[], number[]] = [[], []]
  for (let round = -3; round < count; round++)
    for (const [index, { ask }] of [one, second].entries()) {
      const took = await ask()
      if (round >= 0) times[index]?.push(took)
    }
  return [median(times[0]), median(times[1])]
}
