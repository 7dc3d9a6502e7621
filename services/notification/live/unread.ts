import { sql } from 'kysely'
import type { Bus } from '../../kernel/bus/bus.ts'
import type { Log } from '../../kernel/process/log.ts'
import type { Audience } from '../audience.ts'
import { publishFrame, memberRoom } from './frames.ts'
import type { Db } from '../tables.ts'

/** Tells members how many unread notifications they have. */
export type Unread = {
  /** Something arrived or went in a workspace: notification:count. */
  changed(workspaceId: string, memberIds: Iterable<string>): void
  /** A notification was read, or with null all were: notification:read. */
  read(memberId: string, notificationId: string | null): void
  /** Waits for what is left to be said; what cannot be said now is given up. */
  settled(): Promise<void>
}

type Reading = { memberId: string; notificationId: string | null }

/** From one batch of counts to the next: while events pour in, nobody needs to see every number on the way. */
const betweenBatchesMs = 100
/** Until counts that could not be read are asked for again. */
const afterFailureMs = 1_000

/**
 * Reads and publishes counts one batch after the other, so that a later word is never older than an earlier one; with
 * each goes when it was read, by which the edge tells the words of several processes apart. Several changes of one
 * member make one frame. The first change is told at once; what a member did themselves never waits. While the database
 * is away what is to be said is kept.
 */
export function unreadAnnouncer(db: Db, audience: Pick<Audience, 'workspacesOf'>, bus: Bus, log: Log): Unread {
  let changes = new Map<string, Set<string>>()
  let readings: Reading[] = []
  let working: Promise<void> | undefined
  /** When the next batch is due, by the process's clock. */
  let nextAt = 0
  /** Ends the wait for it. */
  let hurry = () => {}
  let isFailing = false
  let isEnding = false

  const nextTurn = () =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, Math.max(0, nextAt - performance.now()))
      hurry = () => {
        clearTimeout(timer)
        resolve()
      }
      if (readings.length > 0 && !isFailing) hurry()
    })

  const remember = (workspaceId: string, memberIds: Iterable<string>): void => {
    const held = changes.get(workspaceId) ?? new Set<string>()
    for (const id of memberIds) held.add(id)
    if (held.size > 0) changes.set(workspaceId, held)
  }
  const tellBatch = async (changed: typeof changes, read: readonly Reading[]): Promise<void> => {
    const version = await databaseTime(db)
    const counts = await unreadOf(
      db,
      audience,
      new Set([...[...changed.values()].flatMap(ids => [...ids]), ...read.map(each => each.memberId)]),
    )
    for (const { memberId, notificationId } of read) {
      const data = { id: notificationId, unread: counts.get(memberId) ?? 0 }
      publishFrame(bus, { rooms: [memberRoom(memberId)], event: 'notification:read', data, version })
    }
    for (const [workspaceId, memberIds] of changed) {
      for (const [unread, members] of byCount(memberIds, counts)) {
        const data = { workspaceId, unread }
        publishFrame(bus, { rooms: members.map(memberRoom), event: 'notification:count', data, version })
      }
    }
  }

  const work = async (): Promise<void> => {
    await new Promise(resolve => setImmediate(resolve))
    while (changes.size > 0 || readings.length > 0) {
      await nextTurn()
      nextAt = performance.now() + betweenBatchesMs
      const [changed, read] = [changes, readings]
      changes = new Map()
      readings = []
      try {
        await tellBatch(changed, read)
        isFailing = false
      } catch (error) {
        log.warn({ err: error }, 'unread counts could not be told')
        if (isEnding) continue
        isFailing = true
        nextAt = performance.now() + afterFailureMs
        for (const [workspaceId, memberIds] of changed) remember(workspaceId, memberIds)
        readings = [...read, ...readings]
      }
    }
    working = undefined
  }
  const begin = () => {
    working ??= work()
  }

  return {
    changed(workspaceId, memberIds) {
      remember(workspaceId, memberIds)
      begin()
    },
    read(memberId, notificationId) {
      readings.push({ memberId, notificationId })
      hurry()
      begin()
    },
    async settled() {
      isEnding = true
      hurry()
      await working
    },
  }
}

/** The database's clock, in microseconds since 1970: what is read after it was asked is not older. */
async function databaseTime(db: Db): Promise<number> {
  const micros = sql<string>`timestampdiff(microsecond, '1970-01-01 00:00:00', utc_timestamp(6))`
  const { at } = await db.selectNoFrom(micros.as('at')).executeTakeFirstOrThrow()
  return Number(at)
}

/** Unread notifications by member, of the workspaces that each is in now and of none. */
export async function unreadOf(
  db: Db,
  audience: Pick<Audience, 'workspacesOf'>,
  memberIds: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const ids = [...memberIds]
  const open = await audience.workspacesOf(ids)
  for (let start = 0; start < ids.length; start += 1_000) {
    const rows = await db
      .selectFrom('member_counters')
      .select(['member_id', 'workspace_id', sql<string>`sum(unread)`.as('unread')])
      .where('member_id', 'in', ids.slice(start, start + 1_000))
      .groupBy(['member_id', 'workspace_id'])
      .execute()
    for (const { member_id: id, workspace_id: workspaceId, unread } of rows)
      if (workspaceId === '' || open.get(id)?.has(workspaceId)) counts.set(id, (counts.get(id) ?? 0) + Number(unread))
  }
  return counts
}

function byCount(memberIds: Iterable<string>, counts: ReadonlyMap<string, number>): Map<number, string[]> {
  const groups = new Map<number, string[]>()
  for (const id of memberIds) {
    const unread = counts.get(id) ?? 0
    const group = groups.get(unread)
    if (group) group.push(id)
    else groups.set(unread, [id])
  }
  return groups
}
