import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { exempt } from '../../kernel/database/database.ts'
import { countRows } from '../../kernel/database/rows.ts'
import type { Paging } from '../../kernel/rpc/paging.ts'
import type { NewsDb, NewsTrx } from '../tables.ts'

const columns = ['m.page_id', 'm.due_at', 'm.reminded_at', 'm.created_at', 'p.title'] as const

/**
 * Live must-read pages with their title. The straight join starts at must_reads, the smaller table, whatever the
 * optimiser estimates.
 */
const activeMustReads = (db: NewsDb, tenant: Tenant) =>
  db
    .selectFrom('must_reads as m')
    .innerJoin('pages as p', join =>
      join
        .onRef('p.id', '=', 'm.page_id')
        .onRef('p.workspace_id', '=', 'm.workspace_id')
        .on('p.deleted_at', 'is', null),
    )
    .where('m.workspace_id', '=', tenant.workspaceId)
    .modifyFront(sql`straight_join`)

const acknowledged = (db: NewsDb, tenant: Tenant) =>
  db
    .selectFrom('acknowledgements as a')
    .where('a.workspace_id', '=', tenant.workspaceId)
    .whereRef('a.page_id', '=', sql.ref('m.page_id'))

const withCount = (db: NewsDb, tenant: Tenant) =>
  activeMustReads(db, tenant)
    .select(columns)
    .select(
      acknowledged(db, tenant)
        .select(eb => eb.fn.countAll<number>().as('total'))
        .as('acknowledged_count'),
    )

export const findDuty = (db: NewsDb, tenant: Tenant, pageId: string) =>
  withCount(db, tenant).where('m.page_id', '=', pageId).executeTakeFirst()

export type DutyRow = NonNullable<Awaited<ReturnType<typeof findDuty>>>

/** Published must-read pages that a member hasn't acknowledged, soonest due first, undated ones last. */
export const openDuties = (db: NewsDb, tenant: Tenant, memberId: string, { limit, offset }: Paging) =>
  withCount(db, tenant)
    .where('p.status', '=', 'published')
    .where(eb => eb.not(eb.exists(acknowledged(db, tenant).select('a.page_id').where('a.member_id', '=', memberId))))
    .orderBy('m.due_order')
    .orderBy('m.created_at')
    .orderBy('m.page_id')
    .limit(limit)
    .offset(offset)
    .execute()

export const countOpenDuties = (db: NewsDb, tenant: Tenant, memberId: string): Promise<number> =>
  countRows(
    activeMustReads(db, tenant)
      .where('p.status', '=', 'published')
      .where(eb => eb.not(eb.exists(acknowledged(db, tenant).select('a.page_id').where('a.member_id', '=', memberId)))),
  )

/** Records a member's acknowledgement; a repeated one keeps the first time. @returns that time */
export async function acknowledge(db: NewsDb, tenant: Tenant, pageId: string, memberId: string): Promise<Date> {
  const created_at = new Date()
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('acknowledgements')
    .ignore()
    .values({ page_id: pageId, member_id: memberId, workspace_id: tenant.workspaceId, created_at })
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) return created_at
  const row = await db
    .selectFrom('acknowledgements')
    .select('created_at')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return row.created_at
}

/** When each member acknowledged a page. */
export async function acknowledgementsOf(
  db: NewsDb,
  tenant: Tenant,
  pageId: string,
): Promise<ReadonlyMap<string, Date>> {
  const rows = await db
    .selectFrom('acknowledgements')
    .select(['member_id', 'created_at'])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .execute()
  return new Map(rows.map(row => [row.member_id, row.created_at]))
}

/** The deadline of a published must-read page, whatever its workspace. */
export const findOpenDuty = (db: NewsDb, pageId: string) =>
  exempt(db, 'locates the tenant of a record')
    .selectFrom('must_reads as m')
    .innerJoin('pages as p', 'p.id', 'm.page_id')
    .select(['m.workspace_id', 'm.due_at'])
    .where('m.page_id', '=', pageId)
    .where('p.deleted_at', 'is', null)
    .where('p.status', '=', 'published')
    .executeTakeFirst()

/** Members who have seen a page. */
export async function viewersOfPage(db: NewsDb, tenant: Tenant, pageId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('page_viewers')
    .select('member_id')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .execute()
  return new Set(rows.map(row => row.member_id))
}

export async function noteReminder(trx: NewsTrx, tenant: Tenant, pageId: string, reminded_at: Date): Promise<void> {
  await trx
    .updateTable('must_reads')
    .set({ reminded_at })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .execute()
}
