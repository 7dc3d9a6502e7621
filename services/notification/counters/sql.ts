import { sql } from 'kysely'
import { toChunks } from '../../kernel/database/parts.ts'
import type { NotificationTrx } from '../tables.ts'

type RemovedReceiver = {
  member_id: string
  workspace_id: string
  type: string
  is_read: number
  is_dismissed: number
}

/** What is added to the counters of a member's inbox. */
export type CountChange = {
  memberId: string
  workspaceId: string
  type: string
  total: number
  unread: number
  dismissed: number
}

/**
 * Two counter rows per key, so that a member's action never waits for the row lock of arriving notifications. The sum
 * counts.
 */
const [memberShard, arrivalShard] = [0, 1]

/** Counts entries that leave inboxes for good. */
export async function countRemoved(trx: NotificationTrx, rows: readonly RemovedReceiver[]): Promise<void> {
  const rowsByKey = Map.groupBy(rows, row => `${row.member_id} ${row.workspace_id} ${row.type}`)
  const changes = [...rowsByKey.values()].flatMap(([first, ...otherRows]) => {
    if (!first) return []
    const { member_id: memberId, workspace_id: workspaceId, type } = first
    const visibleRows = [first, ...otherRows].filter(row => row.is_dismissed === 0)
    const unread = visibleRows.filter(row => row.is_read === 0).length
    const dismissed = 1 + otherRows.length - visibleRows.length
    return { memberId, workspaceId, type, total: -visibleRows.length, unread: -unread, dismissed: -dismissed }
  })
  await addCounts(trx, memberShard, changes)
}

/** Counts a member's change of their inbox: a dismissed entry leaves `total`. */
export const countChanges = (
  trx: NotificationTrx,
  memberId: string,
  { workspaceId, type }: { workspaceId: string; type: string },
  { total, unread }: { total: number; unread: number },
): Promise<void> => addCounts(trx, memberShard, [{ memberId, workspaceId, type, total, unread, dismissed: -total }])

/** Counts entries that arrive. */
export const countArrivals = (trx: NotificationTrx, arrivals: readonly CountChange[]): Promise<void> =>
  addCounts(trx, arrivalShard, arrivals)

const keyOf = ({ memberId, workspaceId, type }: CountChange): string => `${memberId} ${workspaceId} ${type}`
const id = sql.raw('char(24) character set ascii')
const word = sql.raw('varchar(100) character set ascii')

async function addCounts(trx: NotificationTrx, counterShard: number, changes: readonly CountChange[]): Promise<void> {
  // The same order for all writers prevents deadlocks.
  for (const part of toChunks(changes.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))))
    await sql`
      insert into member_counters (member_id, workspace_id, type, lane, total, unread, dismissed)
      select c.member_id, c.workspace_id, c.type, ${counterShard}, c.total, c.unread, c.dismissed
      from json_table(${JSON.stringify(part)}, '$[*]' columns (
        member_id ${id} path '$.memberId', workspace_id ${id} path '$.workspaceId', type ${word} path '$.type',
        total int path '$.total', unread int path '$.unread', dismissed int path '$.dismissed'
      )) c
      on duplicate key update
        total = member_counters.total + values(total),
        unread = member_counters.unread + values(unread),
        dismissed = member_counters.dismissed + values(dismissed)
    `.execute(trx)
}
