import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { NewsTrx } from '../tables.ts'

/** Sorts pages without a due date last. */
const endOfTime = new Date('9999-12-31T00:00:00Z')

export async function upsertDuty(trx: NewsTrx, tenant: Tenant, pageId: string, due_at: Date | null): Promise<void> {
  const due_order = due_at ?? endOfTime
  await trx
    .insertInto('must_reads')
    .values({
      page_id: pageId,
      workspace_id: tenant.workspaceId,
      due_at,
      due_order,
      due_set_at: new Date(),
      reminded_at: null,
      created_at: new Date(),
    })
    .onDuplicateKeyUpdate({
      // Before the deadline, because MySQL assigns from left to right.
      due_set_at: sql`if(due_at <=> values(due_at), due_set_at, values(due_set_at))`,
      due_reminder: sql`if(due_at <=> values(due_at), due_reminder, 0)`,
      due_at,
      due_order,
    })
    .execute()
}

export async function removeDuty(trx: NewsTrx, tenant: Tenant, pageId: string): Promise<void> {
  await trx
    .deleteFrom('must_reads')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .execute()
}

/** Due date and last reminder of a page, locked until the transaction ends; undefined unless it is must-read. */
export const lockDuty = (trx: NewsTrx, tenant: Tenant, pageId: string) =>
  trx
    .selectFrom('must_reads')
    .select(['due_at', 'reminded_at'])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .forUpdate()
    .executeTakeFirst()
