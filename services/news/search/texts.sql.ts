import type { Tenant } from '../../kernel/access/tenant.ts'
import { searchedText } from './fold.ts'
import type { PageRow, Trx } from '../tables.ts'

/** What a search knows of a page. */
export type Searched = Pick<
  PageRow,
  'id' | 'workspace_id' | 'title' | 'excerpt' | 'status' | 'page_type' | 'category_id' | 'created_by_id'
>

const filters = ({ status, page_type, category_id, created_by_id }: Searched) => ({
  status,
  page_type,
  category_id,
  created_by_id,
})

const textOf = (page: Searched): Buffer => Buffer.from(searchedText(page))

/** Lets a live page be found. */
export const addSearched = (trx: Trx, page: Searched) =>
  trx
    .insertInto('page_texts')
    .values({ page_id: page.id, workspace_id: page.workspace_id, ...filters(page), body: textOf(page) })
    .onDuplicateKeyUpdate({ ...filters(page), body: textOf(page) })
    .execute()

/** Follows a change of a locked page; costs nothing when nothing that is searched or filtered changed. */
export async function changeSearched(trx: Trx, before: Searched, after: Searched): Promise<void> {
  const isSaid = before.title !== after.title || before.excerpt !== after.excerpt
  const [old, set] = [filters(before), filters(after)]
  const isMoved = (Object.keys(set) as (keyof typeof set)[]).some(column => old[column] !== set[column])
  if (isSaid || isMoved) await addSearched(trx, after)
}

/** Hides a page that is deleted. */
export const removeSearched = (trx: Trx, tenant: Tenant, pageId: string) =>
  trx.deleteFrom('page_texts').where('workspace_id', '=', tenant.workspaceId).where('page_id', '=', pageId).execute()

/** Pages of one statement. */
const most = 2_000

/** Pages that lost their category are no longer found by it. */
export async function takeCategory(trx: Trx, tenant: Tenant, pageIds: string[]): Promise<void> {
  for (let at = 0; at < pageIds.length; at += most)
    await trx
      .updateTable('page_texts')
      .set({ category_id: null })
      .where('workspace_id', '=', tenant.workspaceId)
      .where('page_id', 'in', pageIds.slice(at, at + most))
      .execute()
}
