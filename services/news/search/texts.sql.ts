import { type Kysely, sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { likePattern } from '../../kernel/rpc/paging.ts'
import type { PageRow, PageStatus, Tables, Trx } from '../tables.ts'

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

/** Accents and other marks that people leave out when they search: Latin, Greek and Cyrillic, Hebrew, Arabic. */
const marks =
  /[\u0300-\u036f]|[\u0591-\u05bd]|[\u05bf\u05c1\u05c2]|\u05c7|[\u0610-\u061a]|[\u064b-\u065f]|\u0670|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/g
/** Joiners, soft hyphens, variation selectors: nobody sees them. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu
/** Letters without a decomposition, as they are typed on a keyboard that lacks them. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
}

/**
 * The form in which texts are compared: without case and accents, in compatibility characters ("Ｃœur ½" is "coeur 1⁄2"),
 * with a space for each control character. Hangul and kana keep their syllables.
 */
export const fold = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(marks, '')
    .replace(unseen, '')
    .replace(/[ßœæøđðłþħıς]/g, letter => letters[letter] ?? letter)
    .replace(/\p{Cc}/gu, ' ')
    .normalize('NFC')

/** The searched text of a page; no search contains the line break between its parts. */
export const searchedText = ({ title, excerpt }: { title: string; excerpt: string | null }): string =>
  `${fold(title)}\n${fold(excerpt ?? '')}`

/** Which texts to find; the search is folded. */
type Sought = {
  /** Whose unpublished pages are among them: everybody's, or this member's. */
  seesAll: boolean
  memberId: string
  status?: PageStatus | undefined
  pageType?: string | undefined
  categoryId?: string | undefined
  search?: string | undefined
}

/** Texts of live pages that have the term and pass the filters, as far as the caller may see them. */
export function matchingTexts(db: Kysely<Tables>, tenant: Tenant, query: Sought) {
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

/** How many texts match. */
export async function countTexts(db: Kysely<Tables>, tenant: Tenant, query: Sought): Promise<number> {
  const { total } = await matchingTexts(db, tenant, query)
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}
