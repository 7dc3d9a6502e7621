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
import { bulk } from './rows.ts'

/** Rows deleted by a retention, with their tables. */
export type Deleted = { tables: string; rows: number; seconds: number }

/** The oldest of fifty parts is deleted. */
const parts = 50

async function deleted<T>(url: string, rows: number, all: (db: Kysely<T>) => RetentionRule[]): Promise<Deleted[]> {
  const db = openDatabase<T>(url, { poolSize: 2 })
  const deletions: Deleted[] = []
  for (const { table, deleteBefore } of all(db)) {
    // Fifty receivers have one notification.
    const oldest = table === 'notifications' ? rows / 50 / parts : rows / parts
    await sql`delete from cleanings`.execute(db)
    const began = performance.now()
    await deleteBefore(bulk(rows).timeOf(oldest))
    const seconds = (performance.now() - began) / 1000
    const { rows: noted } = await sql<{ name: string; n: number }>`
      select table_name as name, deleted_rows as n from cleanings
      where table_name not in ('outbox', 'inbox', 'idempotency_keys')`.execute(db)
    const total = noted.reduce((sum, { n }) => sum + Number(n), 0)
    deletions.push({ tables: noted.map(({ name }) => name).join(', '), rows: total, seconds })
  }
  await closeDatabase(db)
  return deletions
}

export const deleteNews = (url: string, rows: number) => deleted<NewsTables>(url, rows, db => [keptViews(db, 1)])
export const deleteNotifications = (url: string, rows: number) =>
  deleted<NotificationTables>(url, rows, db => [keptNotifications(db, 1), keptDeliveries(db, 1)])
export const deleteAudit = (url: string, rows: number) =>
  deleted<MemberTables>(url, rows, db => [auditRetention(db, 1)])
