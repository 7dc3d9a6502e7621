import type { Connection, RowDataPacket } from 'mysql2/promise'
import { connectDatabase } from '../services/kernel/database/connection.ts'
import { type GrowthPlatform, memberCalls, newsCalls, notificationCalls, type TimedCall } from './growth/calls.ts'
import { deleteAudit, deleteNews, deleteNotifications, type RetentionRun } from './growth/deletions.ts'
import {
  emptyTable,
  type Fill,
  type FilledTable,
  fillTable,
  memberFills,
  newsFills,
  notificationFills,
  type SeededHotel,
} from './growth/fills.ts'
import { line, median } from './support/figures.ts'
import { bySize } from './support/size.ts'
import { seed, startPlatform, withOwnServers } from './support/world.ts'

/** Rows of each growing table. The calls at every other size alternate with the same calls at the first size. */
const [baseCount = 10_000, ...rowCounts] = bySize(
  [10_000, 100_000, 1_000_000, 10_000_000],
  [10_000, 1_000_000],
  [10_000, 20_000],
)
const rounds = bySize(40, 40, 2)
/** A publication to 1,000 receivers takes as long as dozens of other calls. */
const publications = bySize(12, 8, 1)

type Group = {
  service: 'news' | 'notification' | 'member'
  fillsFor(rowCount: number, hotel: SeededHotel): Fill[]
  callsOf(platform: GrowthPlatform, db: Connection): TimedCall[]
  deleteOld(url: string, rowCount: number): Promise<RetentionRun[]>
}

export const groups: Group[] = [
  { service: 'news', fillsFor: newsFills, callsOf: newsCalls, deleteOld: deleteNews },
  { service: 'notification', fillsFor: notificationFills, callsOf: notificationCalls, deleteOld: deleteNotifications },
  { service: 'member', fillsFor: memberFills, callsOf: memberCalls, deleteOld: deleteAudit },
]

const countText = (count: number): string => count.toLocaleString('en')

/**
 * Measures the same calls over tables of 10⁴ to 10⁷ rows. The measured hotel has a tenth of the history (pages, comments,
 * views, notifications, deliveries, invitations, audit), because history grows within a hotel. It keeps 1,000 people,
 * because more people come with more hotels.
 */
export async function benchGrowth(): Promise<string> {
  return withOwnServers(async () => {
    const small = await startGrowthPlatform(baseCount)
    const report: Report = { calls: [], tables: [], deletions: [] }
    const smallGroups = new Map<Group, FilledGroup>()
    for (const group of groups) smallGroups.set(group, await fillGroup(group, small))
    for (const rowCount of rowCounts) {
      const large = await startGrowthPlatform(rowCount)
      for (const [group, smallGroup] of smallGroups) await compare(group, smallGroup, large, report)
      await large.stop()
    }
    for (const group of smallGroups.values()) await group.end()
    await small.stop()
    return [
      line('call', 'rows', `${countText(baseCount)} rows, ms`, 'ms', 'ratio'),
      ...['|-|-|-|-|-|', ...report.calls, ''],
      ...[line('table', 'rows', 'bytes per row', 'filled in s'), '|-|-|-|-|', ...report.tables, ''],
      ...[line('oldest rows of', 'rows', 'deleted', 'per second'), '|-|-|-|-|', ...report.deletions],
    ].join('\n')
  })
}

type Report = { calls: string[]; tables: string[]; deletions: string[] }

/** A platform with a hotel of 1,000 people, ten below each of the first hundred. */
export async function startGrowthPlatform(rowCount: number): Promise<GrowthPlatform & { stop(): Promise<void> }> {
  // Filling ten million rows takes longer than the usual life of a token.
  const platform = await startPlatform('one', { TENANT_GUARD: 'off', ACCESS_TOKEN_SECONDS: '86400' })
  const seeded = await seed(platform, 1_000, 0)
  const db = await connectDatabase(platform.env['MEMBER_DATABASE_URL'] ?? '')
  const [[row]] = await db.query<RowDataPacket[]>('select id from members where live_email = ?', [seeded.email])
  const hotel: SeededHotel = { ...seeded, memberId: String(row?.['id']) }
  const everyone = [hotel.memberId, ...hotel.memberIds]
  for (let turn = 0; turn < 100; turn++)
    await db.query('update workspace_members set superior_id = ? where workspace_id = ? and member_id in (?)', [
      ...[everyone[turn], hotel.workspaceId],
      hotel.memberIds.slice(turn * 10, turn * 10 + 10),
    ])
  await db.end()
  return { platform, hotel, token: seeded.token, rowCount, stop: platform.stop }
}

/** Fills the tables of a group at the large platform, measures its calls against the small one, and empties them. */
async function compare(group: Group, smallGroup: FilledGroup, large: GrowthPlatform, report: Report): Promise<void> {
  const largeGroup = await fillGroup(group, large)
  for (const { table, count, bytes, seconds } of largeGroup.tables)
    report.tables.push(line(table, countText(count), (bytes / count).toFixed(0), seconds.toFixed(0)))
  for (const [index, call] of smallGroup.calls.entries()) {
    const [smallMs, largeMs] = await alternate(call, largeGroup.calls[index] ?? call)
    const times = [smallMs.toFixed(1), largeMs.toFixed(1), (largeMs / smallMs).toFixed(2)]
    report.calls.push(line(call.name, countText(large.rowCount), ...times))
  }
  for (const { tables, rows, seconds } of await group.deleteOld(largeGroup.url, large.rowCount))
    report.deletions.push(line(tables, countText(large.rowCount), countText(rows), (rows / seconds).toFixed(0)))
  await largeGroup.end()
}

type FilledGroup = { url: string; tables: FilledTable[]; calls: TimedCall[]; end(): Promise<void> }

export async function fillGroup({ service, fillsFor, callsOf }: Group, target: GrowthPlatform): Promise<FilledGroup> {
  const url = target.platform.env[`${service.toUpperCase()}_DATABASE_URL`] ?? ''
  const db = await connectDatabase(url)
  const tables: FilledTable[] = []
  for (const fill of fillsFor(target.rowCount, target.hotel)) tables.push(await fillTable(db, fill))
  return {
    url,
    tables,
    calls: callsOf(target, db),
    async end() {
      for (const { table } of tables) await emptyTable(db, table)
      await db.end()
    },
  }
}

/** Medians of a call at both platforms in ms. The calls alternate, after three rounds that warm both up. */
async function alternate(small: TimedCall, large: TimedCall): Promise<[number, number]> {
  const count = small.name.startsWith('publish') ? publications : rounds
  const times: [number[], number[]] = [[], []]
  for (let round = -3; round < count; round++)
    for (const [index, call] of [small, large].entries()) {
      const tookMs = await call.run()
      if (round >= 0) times[index]?.push(tookMs)
    }
  return [median(times[0]), median(times[1])]
}
