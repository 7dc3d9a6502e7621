import type { Tenant } from '../kernel/tenant.ts'
import { gramsOf, searchedText } from './search.fold.ts'
import type { Db, PageRow, Trx } from './tables.ts'

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

/** Rows of one insert. */
const most = 2_000

async function addGrams(trx: Trx, number: number, grams: number[]): Promise<void> {
  for (let at = 0; at < grams.length; at += most) {
    const rows = grams.slice(at, at + most).map(gram => ({ gram, number }))
    await trx.insertInto('page_grams').ignore().values(rows).execute()
  }
}

async function removeGrams(trx: Trx, number: number, grams: number[]): Promise<void> {
  if (grams.length === 0) return
  await trx.deleteFrom('page_grams').where('number', '=', number).where('gram', 'in', grams).execute()
}

/** Lets a live page be found. */
export async function addSearched(trx: Trx, page: Searched): Promise<void> {
  const text = searchedText(page)
  const { insertId } = await trx
    .insertInto('page_texts')
    .values({ page_id: page.id, workspace_id: page.workspace_id, ...filters(page), body: Buffer.from(text) })
    .executeTakeFirstOrThrow()
  await addGrams(trx, Number(insertId), gramsOf(page.workspace_id, text))
}

const textOf = (db: Db, tenant: Tenant, pageId: string) =>
  db
    .selectFrom('page_texts')
    .select(['number', 'body'])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .executeTakeFirst()

/** Follows a change of a locked page; costs nothing when nothing that is searched or filtered changed. */
export async function changeSearched(trx: Trx, tenant: Tenant, before: Searched, after: Searched): Promise<void> {
  const isSaid = before.title !== after.title || before.excerpt !== after.excerpt
  const [old, set] = [filters(before), filters(after)]
  const isMoved = (Object.keys(set) as (keyof typeof set)[]).some(column => old[column] !== set[column])
  if (!isSaid && !isMoved) return
  if (isSaid) await rewrite(trx, tenant, after)
  if (!isMoved) return
  await trx
    .updateTable('page_texts')
    .set(set)
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', after.id)
    .execute()
}

async function rewrite(trx: Trx, tenant: Tenant, page: Searched): Promise<void> {
  const held = await textOf(trx, tenant, page.id)
  if (!held) return addSearched(trx, page)
  const text = searchedText(page)
  const [had, has] = [held.body.toString(), text].map(one => new Set(gramsOf(page.workspace_id, one)))
  if (!had || !has) return
  await removeGrams(
    trx,
    held.number,
    [...had].filter(gram => !has.has(gram)),
  )
  await addGrams(
    trx,
    held.number,
    [...has].filter(gram => !had.has(gram)),
  )
  await trx
    .updateTable('page_texts')
    .set({ body: Buffer.from(text) })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('number', '=', held.number)
    .execute()
}

/** Hides a page that is deleted. */
export async function removeSearched(trx: Trx, tenant: Tenant, pageId: string): Promise<void> {
  const held = await textOf(trx, tenant, pageId)
  if (!held) return
  await removeGrams(trx, held.number, gramsOf(tenant.workspaceId, held.body.toString()))
  await trx
    .deleteFrom('page_texts')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('number', '=', held.number)
    .execute()
}

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
