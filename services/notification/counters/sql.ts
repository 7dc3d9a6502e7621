import { type RawBuilder, sql } from 'kysely'
import { toChunks } from '../../kernel/database/parts.ts'
import type { Trx } from '../tables.ts'

export type RemovedReceiver = {
  member_id: string
  workspace_id: string
  type: string
  is_read: number
  is_dismissed: number
}

/** Counts entries that leave inboxes for good. */
export async function countRemoved(trx: Trx, rows: readonly RemovedReceiver[]): Promise<void> {
  const kinds = [...Map.groupBy(rows, row => `${row.member_id} ${row.workspace_id} ${row.type}`)]
  // The same order for all writers prevents deadlocks.
  const values = kinds
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) => {
      if (!first) return []
      const visibleRows = [first, ...others].filter(row => row.is_dismissed === 0)
      const unread = visibleRows.filter(row => row.is_read === 0).length
      const dismissed = 1 + others.length - visibleRows.length
      const key = sql`${first.member_id}, ${first.workspace_id}, ${first.type}, ${ownLane}`
      return sql`(${key}, ${-visibleRows.length}, ${-unread}, ${-dismissed})`
    })
  for (const part of toChunks(values)) await addCounts(trx, part)
}

/** Members' own changes count in a separate lane, so that reading never waits for storing. */
const ownLane = 0

/** Counts a member's change of their inbox. */
export async function countChanges(
  trx: Trx,
  memberId: string,
  { workspaceId, type }: { workspaceId: string; type: string },
  { total, unread }: { total: number; unread: number },
): Promise<void> {
  await addCounts(trx, [sql`(${memberId}, ${workspaceId}, ${type}, ${ownLane}, ${total}, ${unread}, ${-total})`])
}

async function addCounts(trx: Trx, values: RawBuilder<unknown>[]): Promise<void> {
  await sql`
    insert into member_counters (member_id, workspace_id, type, lane, total, unread, dismissed)
    values ${sql.join(values)}
    on duplicate key update
      total = total + values(total), unread = unread + values(unread), dismissed = dismissed + values(dismissed)
  `.execute(trx)
}
