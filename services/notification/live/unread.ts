import { sql } from 'kysely'
import { memberRoom } from '../../kernel/base/live.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { toChunks } from '../../kernel/database/parts.ts'
import type { Log } from '../../kernel/process/log.ts'
import type { MemberAudience } from '../audience.ts'
import type { NotificationDb } from '../tables.ts'
import { publishFrame } from './frames.ts'

/** Publishes unread counts to members. */
export type Unread = {
  /** Something arrived or was removed in a workspace: notification:count. */
  publishCounts(workspaceId: string, memberIds: Iterable<string>): void
  /** One notification was read, or all of them (null): notification:read. */
  read(memberId: string, notificationId: string | null): void
  /** Waits for pending counts; drops those that can't be published now. */
  settled(): Promise<void>
}

type ReadEntry = { memberId: string; notificationId: string | null }

/** Pause between batches of counts; during a burst, intermediate numbers are skipped. */
const batchPauseMs = 100
/** Pause before a failed read is retried. */
const retryDelayMs = 1_000

/**
 * Reads and publishes counts batch by batch, so that frames are never out of order. Each frame carries the time of its
 * read, by which the edge orders frames of different processes. Changes of one member are merged. The first change and
 * a member's own actions are published at once. While the database is away, changes are queued.
 */
export function unreadAnnouncer(
  db: NotificationDb,
  audience: Pick<MemberAudience, 'workspacesOf'>,
  bus: Bus,
  log: Log,
): Unread {
  let changes = new Map<string, Set<string>>()
  let pendingReads: ReadEntry[] = []
  let publishing: Promise<void> | undefined
  /** When the next batch is due, by `performance.now()`. */
  let nextAt = 0
  /** Ends the pause. */
  let endPause = () => {}
  let isFailing = false
  let isEnding = false

  const waitForTurn = () =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, Math.max(0, nextAt - performance.now()))
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
      if (pendingReads.length > 0 && !isFailing) endPause()
    })

  const queueChanges = (workspaceId: string, memberIds: Iterable<string>): void => {
    const pendingIds = changes.get(workspaceId) ?? new Set<string>()
    for (const id of memberIds) pendingIds.add(id)
    if (pendingIds.size > 0) changes.set(workspaceId, pendingIds)
  }
  const publishBatch = async (membersByWorkspace: typeof changes, read: readonly ReadEntry[]): Promise<void> => {
    const { version, counts } = await unreadOf(
      db,
      audience,
      new Set([...[...membersByWorkspace.values()].flatMap(ids => [...ids]), ...read.map(reading => reading.memberId)]),
    )
    for (const { memberId, notificationId } of read) {
      const data = { id: notificationId, unread: counts.get(memberId) ?? 0 }
      publishFrame(bus, { rooms: [memberRoom(memberId)], event: 'notification:read', data, version })
    }
    for (const [workspaceId, memberIds] of membersByWorkspace) {
      for (const [unread, members] of groupByCount(memberIds, counts)) {
        const data = { workspaceId, unread }
        publishFrame(bus, { rooms: members.map(memberRoom), event: 'notification:count', data, version })
      }
    }
  }

  const publishPending = async (): Promise<void> => {
    await new Promise(resolve => setImmediate(resolve))
    while (changes.size > 0 || pendingReads.length > 0) {
      await waitForTurn()
      nextAt = performance.now() + batchPauseMs
      const [membersByWorkspace, read] = [changes, pendingReads]
      changes = new Map()
      pendingReads = []
      try {
        await publishBatch(membersByWorkspace, read)
        isFailing = false
      } catch (error) {
        log.warn({ err: error }, 'unread counts not published')
        if (isEnding) continue
        isFailing = true
        nextAt = performance.now() + retryDelayMs
        for (const [workspaceId, memberIds] of membersByWorkspace) queueChanges(workspaceId, memberIds)
        pendingReads = [...read, ...pendingReads]
      }
    }
    publishing = undefined
  }
  const startPublishing = () => {
    publishing ??= publishPending()
  }

  return {
    publishCounts(workspaceId, memberIds) {
      queueChanges(workspaceId, memberIds)
      startPublishing()
    },
    read(memberId, notificationId) {
      pendingReads.push({ memberId, notificationId })
      endPause()
      startPublishing()
    },
    async settled() {
      isEnding = true
      endPause()
      await publishing
    },
  }
}

type CountRow = { member_id: string; workspace_id: string; unread: string }

/**
 * Unread notifications by member, in their present workspaces and without a workspace.
 * @returns also their version: the database's time in microseconds since 1970, at which the oldest count was read
 */
export async function unreadOf(
  db: NotificationDb,
  audience: Pick<MemberAudience, 'workspacesOf'>,
  memberIds: ReadonlySet<string>,
): Promise<{ version: number; counts: Map<string, number> }> {
  const ids = [...memberIds]
  const rows: CountRow[] = []
  let version = Infinity
  for (const part of toChunks(ids)) {
    const result = await sql<CountRow>`
      select member_id, workspace_id, sum(unread) as unread from member_counters
      where member_id in (${sql.join(part)}) group by member_id, workspace_id
      union all select '', '', timestampdiff(microsecond, '1970-01-01 00:00:00', utc_timestamp(6))
    `.execute(db)
    for (const row of result.rows)
      if (row.member_id === '') version = Math.min(version, Number(row.unread))
      else rows.push(row)
  }
  // Read after the counts, so that the version is never newer than the workspaces.
  const workspacesByMember = await audience.workspacesOf(ids)
  const counts = new Map<string, number>()
  for (const { member_id: id, workspace_id: workspaceId, unread } of rows)
    if (workspaceId === '' || workspacesByMember.get(id)?.has(workspaceId))
      counts.set(id, (counts.get(id) ?? 0) + Number(unread))
  return { version, counts }
}

function groupByCount(memberIds: Iterable<string>, counts: ReadonlyMap<string, number>): Map<number, string[]> {
  const groups = new Map<number, string[]>()
  for (const id of memberIds) {
    const unread = counts.get(id) ?? 0
    const group = groups.get(unread)
    if (group) group.push(id)
    else groups.set(unread, [id])
  }
  return groups
}
