import type { Updateable } from 'kysely'
import { ConflictError } from '../../kernel/base/errors.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { recountMoved } from '../totals/pages.sql.ts'
import { emitPageCreated, emitPageUpdated, type Occasion } from './events.ts'
import { writePage } from './sql.ts'
import { changeSearched } from '../search/texts.sql.ts'
import type { PageRow, Tables, Trx } from '../tables.ts'

/** Writes a change of a locked page as its next version. @returns the page as it is now */
export async function changePage(
  trx: Trx,
  tenant: Tenant,
  page: PageRow,
  set: Updateable<Tables['pages']>,
  updatedById: string | null,
): Promise<PageRow> {
  const change = { ...set, version: page.version + 1, updated_at: new Date(), updated_by_id: updatedById }
  await writePage(trx, tenant, page.id, change)
  const after = { ...page, ...change } as PageRow
  await changeSearched(trx, page, after)
  return after
}

/** What publishing writes: the plan and its failures are over. */
export const asPublished = (at: Date) => ({
  status: 'published' as const,
  published_at: at,
  scheduled_at: null,
  publish_failures: 0,
  publish_retry_at: null,
})

/** Publishes a locked draft and tells everybody. ConflictError when it is none. */
export async function publish(
  trx: Trx,
  tenant: Tenant,
  page: PageRow,
  about: Occasion,
  at: Date,
  updatedById: string | null,
): Promise<PageRow> {
  if (page.status !== 'draft') throw new ConflictError('Only a draft can be published')
  const after = await changePage(trx, tenant, page, asPublished(at), updatedById)
  await emitPageCreated(trx, tenant, after, about)
  await recountMoved(trx, tenant, [{ before: page, after }])
  return after
}

/** Moves a locked page to another status without a publication, and tells those who could see it, or can now. */
export async function moveStatus(
  trx: Trx,
  tenant: Tenant,
  page: PageRow,
  set: Updateable<Tables['pages']> & Pick<PageRow, 'status'>,
  about: Occasion,
  updatedById: string | null,
): Promise<PageRow> {
  const after = await changePage(trx, tenant, page, set, updatedById)
  if (page.status === 'published' || after.status === 'published')
    await emitPageUpdated(trx, page, { status: after.status }, about)
  await recountMoved(trx, tenant, [{ before: page, after }])
  return after
}

/** What unpublishing writes. */
export const asDraft = { status: 'draft' as const, published_at: null, scheduled_at: null }

/** What archiving writes; a plan to publish is over. */
export const asArchived = { status: 'archived' as const, scheduled_at: null }
