import type { Tenant } from '../../kernel/access/tenant.ts'
import { countRows } from '../../kernel/database/rows.ts'
import type { Paging } from '../../kernel/rpc/paging.ts'
import type { NewsDb, RevisionRow } from '../tables.ts'

const ofPage = (db: NewsDb, tenant: Tenant, pageId: string) =>
  db.selectFrom('page_revisions').where('workspace_id', '=', tenant.workspaceId).where('page_id', '=', pageId)

/** One page of revisions without their documents, latest first. */
export const listRevisions = (db: NewsDb, tenant: Tenant, pageId: string, { limit, offset }: Paging) =>
  ofPage(db, tenant, pageId)
    .select(['id', 'page_id', 'version', 'title', 'changed_fields', 'created_by_id', 'credential_id', 'created_at'])
    .orderBy('version', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export const countRevisions = (db: NewsDb, tenant: Tenant, pageId: string): Promise<number> =>
  countRows(ofPage(db, tenant, pageId))

export const findRevision = (
  db: NewsDb,
  tenant: Tenant,
  pageId: string,
  id: string,
): Promise<RevisionRow | undefined> => ofPage(db, tenant, pageId).selectAll().where('id', '=', id).executeTakeFirst()
