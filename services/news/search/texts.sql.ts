import { type Kysely, sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { fold } from '../../kernel/base/texts/fold.ts'
import { toChunks } from '../../kernel/database/parts.ts'
import { countRows } from '../../kernel/database/rows.ts'
import { likePattern } from '../../kernel/rpc/paging.ts'
import type { NewsTables, NewsTrx, PageRow, PageStatus } from '../tables.ts'

/** Columns of a page that the search uses. */
export type SearchedPage = Pick<
  PageRow,
  'id' | 'workspace_id' | 'title' | 'excerpt' | 'status' | 'page_type' | 'category_id' | 'created_by_id'
>

const filters = ({ status, page_type, category_id, created_by_id }: SearchedPage) => ({
  status,
  page_type,
  category_id,
  created_by_id,
})

const textOf = (page: SearchedPage): Buffer => Buffer.from(searchedText(page))

/** Adds a live page to the search. */
export const upsertSearchRow = (trx: NewsTrx, page: SearchedPage) =>
  trx
    .insertInto('page_texts')
    .values({ page_id: page.id, workspace_id: page.workspace_id, ...filters(page), body: textOf(page) })
    .onDuplicateKeyUpdate({ ...filters(page), body: textOf(page) })
    .execute()

/** Updates the search row of a locked page, if a searched or filtered column changed. */
export async function updateSearchRow(trx: NewsTrx, before: SearchedPage, after: SearchedPage): Promise<void> {
  const hasNewText = before.title !== after.title || before.excerpt !== after.excerpt
  const [oldFilters, newFilters] = [filters(before), filters(after)]
  const hasNewFilters = (Object.keys(newFilters) as (keyof typeof newFilters)[]).some(
    column => oldFilters[column] !== newFilters[column],
  )
  if (hasNewText || hasNewFilters) await upsertSearchRow(trx, after)
}

/** Removes a deleted page from the search. */
export const deleteSearchRow = (trx: NewsTrx, tenant: Tenant, pageId: string) =>
  trx.deleteFrom('page_texts').where('workspace_id', '=', tenant.workspaceId).where('page_id', '=', pageId).execute()

/** Clears the category of pages whose category was deleted. */
export async function clearCategory(trx: NewsTrx, tenant: Tenant, pageIds: string[]): Promise<void> {
  for (const part of toChunks(pageIds))
    await trx
      .updateTable('page_texts')
      .set({ category_id: null })
      .where('workspace_id', '=', tenant.workspaceId)
      .where('page_id', 'in', part)
      .execute()
}

const maxSearchLetters = 200

/** A search as it is looked for. Folding can make it many times longer, and its length is what a scan costs. */
export const foldSearch = (text: string): string => Array.from(fold(text)).slice(0, maxSearchLetters).join('')

/** The folded title and excerpt of a page, separated by a line break, which no search contains. */
export const searchedText = ({ title, excerpt }: { title: string; excerpt: string | null }): string =>
  `${fold(title)}\n${fold(excerpt ?? '')}`

/** Conditions for the pages to find; `search` is folded. */
type SearchCriteria = {
  /** Whether unpublished pages of all members are included, or only those of `memberId`. */
  seesAll: boolean
  memberId: string
  status?: PageStatus | undefined
  pageType?: string | undefined
  categoryId?: string | undefined
  search?: string | undefined
}

/** Texts of live pages that match the term and the filters and that the caller may see. */
export function matchingTexts(db: Kysely<NewsTables>, tenant: Tenant, query: SearchCriteria) {
  const { seesAll, memberId, status, pageType, categoryId, search = '' } = query
  let texts = db
    .selectFrom('page_texts as t')
    .where('t.workspace_id', '=', tenant.workspaceId)
    .where(sql<boolean>`t.body like ${likePattern(search)}`)
  if (status) texts = texts.where('t.status', '=', status)
  if (!seesAll && status !== 'published')
    texts = texts.where(eb => eb.or([eb('t.status', '=', 'published'), eb('t.created_by_id', '=', memberId)]))
  if (pageType) texts = texts.where('t.page_type', '=', pageType)
  if (categoryId) texts = texts.where('t.category_id', '=', categoryId)
  return texts
}

export const countTexts = (db: Kysely<NewsTables>, tenant: Tenant, query: SearchCriteria): Promise<number> =>
  countRows(matchingTexts(db, tenant, query))
