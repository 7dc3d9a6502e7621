import type { ActingMember } from '../../kernel/access/callers.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { Paging } from '../../kernel/rpc/paging.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { Db, PageRow, RevisionRow, Trx } from '../tables.ts'

type Said = Pick<PageRow, 'id' | 'workspace_id' | 'version' | 'title' | 'excerpt' | 'medias'>

/** Keeps what a page says as of its version. */
export async function writeRevision(
  trx: Trx,
  page: Said,
  content: string,
  changedFields: string[],
  by: ActingMember | undefined,
): Promise<void> {
  await trx
    .insertInto('page_revisions')
    .values({
      id: newId(),
      workspace_id: page.workspace_id,
      page_id: page.id,
      version: page.version,
      title: page.title,
      excerpt: page.excerpt,
      content,
      medias: page.medias,
      changed_fields: JSON.stringify(changedFields),
      created_by_id: by?.memberId ?? null,
      credential_id: by?.credentialId ?? null,
      created_at: new Date(),
    })
    .execute()
}

const ofPage = (db: Db, tenant: Tenant, pageId: string) =>
  db.selectFrom('page_revisions').where('workspace_id', '=', tenant.workspaceId).where('page_id', '=', pageId)

/** One page of revisions without their documents, latest first. */
export const listRevisions = (db: Db, tenant: Tenant, pageId: string, { limit, offset }: Paging) =>
  ofPage(db, tenant, pageId)
    .select(['id', 'page_id', 'version', 'title', 'changed_fields', 'created_by_id', 'credential_id', 'created_at'])
    .orderBy('version', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countRevisions(db: Db, tenant: Tenant, pageId: string): Promise<number> {
  const { total } = await ofPage(db, tenant, pageId)
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

export const findRevision = (db: Db, tenant: Tenant, pageId: string, id: string): Promise<RevisionRow | undefined> =>
  ofPage(db, tenant, pageId).selectAll().where('id', '=', id).executeTakeFirst()
