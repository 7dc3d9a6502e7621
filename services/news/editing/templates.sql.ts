import { type Insertable, sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { NewsDb, NewsTables, NewsTrx, PageTemplateRow } from '../tables.ts'

const liveTemplates = (db: NewsDb, tenant: Tenant) =>
  db.selectFrom('templates').where('workspace_id', '=', tenant.workspaceId).where('deleted_at', 'is', null)

export const findTemplate = (db: NewsDb, tenant: Tenant, id: string): Promise<PageTemplateRow | undefined> =>
  liveTemplates(db, tenant).selectAll().where('id', '=', id).executeTakeFirst()

export const lockTemplate = (trx: NewsTrx, tenant: Tenant, id: string): Promise<PageTemplateRow | undefined> =>
  liveTemplates(trx, tenant).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Live templates by name. */
export const listTemplates = (db: NewsDb, tenant: Tenant): Promise<PageTemplateRow[]> =>
  liveTemplates(db, tenant).selectAll().orderBy('name').orderBy('id').execute()

export async function insertTemplate(db: NewsDb, template: Insertable<NewsTables['templates']>): Promise<void> {
  await db.insertInto('templates').values(template).execute()
}

/** Counts one use. @returns false when the template is gone */
export async function countUse(trx: NewsTrx, tenant: Tenant, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('templates')
    .set({ usage_count: sql`usage_count + 1` })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
