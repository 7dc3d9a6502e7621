import { type Kysely, sql } from 'kysely'
import { closeDatabase, openDatabase } from '../../services/kernel/database/database.ts'
import type { RetentionRule } from '../../services/kernel/database/retention.ts'
import { auditRetention } from '../../services/member/audit/retention.ts'
import type { MemberTables } from '../../services/member/tables.ts'
import { keptViews } from '../../services/news/reading/retention.ts'
import type { NewsTables } from '../../services/news/tables.ts'
import { keptDeliveries } from '../../services/notification/delivery/retention.ts'
import { keptNotifications } from '../../services/notification/inbox/retention.ts'
import type { NotificationTables } from '../../services/notification/tables.ts'
import { bulk } from './fills.ts'

/** What a run of a retention deleted, from which tables, and how long it took. */
export type RetentionRun = { tables: string; rows: number; seconds: number }

/** A retention deletes the oldest fiftieth of the rows. */
const parts = 50

async function measureDeletions<T>(
  url: string,
  rows: number,
  rulesOf: (db: Kysely<T>) => RetentionRule[],
): Promise<RetentionRun[]> {
  const db = openDatabase<T>(url, { poolSize: 2 })
  const deletions: RetentionRun[] = []
  for (const { table, deleteBefore } of rulesOf(db)) {
    // Fifty receivers have one notification.
    const oldestCount = table === 'notifications' ? rows / 50 / parts : rows / parts
    await sql`delete from cleanings`.execute(db)
    const began = performance.now()
    await deleteBefore(bulk(rows).timeOf(oldestCount))
    const seconds = (performance.now() - began) / 1000
    const { rows: deletedTables } = await sql<{ name: string; n: number }>`
      select table_name as name, deleted_rows as n from cleanings
      where table_name not in ('outbox', 'inbox', 'idempotency_keys')`.execute(db)
    const total = deletedTables.reduce((sum, { n }) => sum + Number(n), 0)
    deletions.push({ tables: deletedTables.map(({ name }) => name).join(', '), rows: total, seconds })
  }
  await closeDatabase(db)
  return deletions
}

export const deleteNews = (url: string, rows: number) =>
  measureDeletions<NewsTables>(url, rows, db => [keptViews(db, 1)])
export const deleteNotifications = (url: string, rows: number) =>
  measureDeletions<NotificationTables>(url, rows, db => [keptNotifications(db, 1), keptDeliveries(db, 1)])
export const deleteAudit = (url: string, rows: number) =>
  measureDeletions<MemberTables>(url, rows, db => [auditRetention(db, 1)])
