import { newId } from '../kernel/ids.ts'
import type { PageRow, Trx } from './tables.ts'

type Said = Pick<PageRow, 'id' | 'workspace_id' | 'version' | 'title' | 'excerpt' | 'medias'>

/** Keeps what a page says as of its version. */
export async function writeRevision(
  trx: Trx,
  page: Said,
  content: string,
  changedFields: string[],
  createdById: string | null,
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
      created_by_id: createdById,
      created_at: new Date(),
    })
    .execute()
}
