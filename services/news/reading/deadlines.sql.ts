import { sql } from 'kysely'
import { exempt } from '../../kernel/database/database.ts'
import type { NewsDb, NewsTrx } from '../tables.ts'

const now = sql<Date>`current_timestamp(3)`

const openDeadlines = (db: NewsDb) =>
  exempt(db, 'the reminders of all tenants are due together')
    .selectFrom('must_reads as m')
    .innerJoin('pages as p', 'p.id', 'm.page_id')
    .select(['m.page_id', 'm.workspace_id', 'm.due_at', 'm.due_set_at', 'm.due_reminder', 'p.published_at'])
    .select(['p.id', 'p.title', 'p.page_type', 'p.excerpt', 'p.created_by_id'])
    .select(now.as('now'))
    .where('p.deleted_at', 'is', null)
    .where('p.status', '=', 'published')
    .where('p.is_silent', '=', 0)
    .where('m.due_at', '>', now)
    .where('m.due_reminder', '<', 2)

/** Published must-read pages whose deadline is today or tomorrow, wherever they are, and whose last reminder is open. */
export const nearDeadlines = (db: NewsDb) =>
  openDeadlines(db).where('m.due_at', '<', sql<Date>`current_timestamp(3) + interval 2 day`).execute()

export type DeadlineRow = Awaited<ReturnType<typeof nearDeadlines>>[number]

/** The same page as it is now, locked; undefined when another process has it, or nothing is to be reminded of. */
export const lockDeadline = (trx: NewsTrx, pageId: string) =>
  openDeadlines(trx).where('m.page_id', '=', pageId).forUpdate().skipLocked().executeTakeFirst()

/** Records the latest reminder of a deadline. */
export const recordDueReminder = (trx: NewsTrx, { page_id, workspace_id }: DeadlineRow, due_reminder: number) =>
  trx
    .updateTable('must_reads')
    .set({ due_reminder })
    .where('workspace_id', '=', workspace_id)
    .where('page_id', '=', page_id)
    .execute()
