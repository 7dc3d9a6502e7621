import { toJsonString } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { HandlerContext } from '@connectrpc/connect'
import type { Updateable } from 'kysely'
import { AskerSchema } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import type { PublishPageRequest, SchedulePageRequest } from '../../../gen/platform/news/v1/pages_pb.ts'
import { actingMember, eventActorOf } from '../../kernel/access/access.ts'
import { askerOf } from '../../kernel/access/asker.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Context } from '../context.ts'
import { updateSearchRow } from '../search/texts.sql.ts'
import type { NewsTables, NewsTrx, PageRow } from '../tables.ts'
import { recountMoved } from '../totals/pages.sql.ts'
import { callerId, checkVersion, mayRead, openWorkspace, pageNotFound, tagPage } from './access.ts'
import { mentionsIn } from './content.ts'
import { type EventScope, emitPageCreated, emitPageMentioned, emitPageUpdated, eventScopeOf } from './events.ts'
import { preparePublication } from './publication.ts'
import { lockPage, readBody, writePage } from './sql.ts'

type Step = (trx: NewsTrx, tenant: Tenant, page: PageRow, about: EventScope, by: string | null) => Promise<PageRow>

/** Runs a transition on the locked page, checked against If-Match. The RPC's access option decides who may call it. */
async function runTransition(news: Context, context: HandlerContext, id: string, step: Step): Promise<PageRow> {
  const tenant = await openWorkspace(news, context, id)
  const member = actingMember(context)
  const about = eventScopeOf(tenant, eventActorOf(context), await news.members.audience(tenant.workspaceId))
  const after = await inTransaction(news.db, async trx => {
    const page = await lockPage(trx, tenant, id)
    if (!page || !mayRead(tenant, callerId(tenant, context), page)) throw pageNotFound()
    checkVersion(context.requestHeader.get('if-match'), page.version)
    return step(trx, tenant, page, about, member?.memberId ?? null)
  })
  tagPage(context, after)
  return after
}

const refuseUnless = (isSo: boolean, message: string): void => {
  if (!isSo) throw new ConflictError(message)
}

export async function publishPage(news: Context, request: PublishPageRequest, context: HandlerContext) {
  const { id, mustRead, dueAt, isSilent } = request
  const page = await runTransition(news, context, id, async (trx, tenant, row, about, updatedById) => {
    const publishedAt = new Date()
    const options = { mustRead, dueAt, isSilent, publishedAt }
    const columns = row.status === 'draft' ? await preparePublication(trx, tenant, row, options) : {}
    return publish(trx, tenant, row, { about, publishedAt, updatedById, columns })
  })
  return { id, status: page.status, publishedAt: timestamp(page.published_at) }
}

export async function schedulePage(news: Context, request: SchedulePageRequest, context: HandlerContext) {
  const scheduledAt = request.scheduledAt ? timestampDate(request.scheduledAt) : null
  const asker = askerOf(context)
  const { mustRead, dueAt, isSilent } = request
  const page = await runTransition(news, context, request.id, async (trx, tenant, row, _about, by) => {
    refuseUnless(row.status === 'draft', 'Only a draft can be scheduled')
    const scheduled_by = asker ? toJsonString(AskerSchema, asker) : null
    const options = { mustRead, dueAt, isSilent, publishedAt: scheduledAt ?? new Date() }
    const columns = await preparePublication(trx, tenant, row, options)
    return changePage(
      trx,
      tenant,
      row,
      { ...unscheduledColumns, ...columns, scheduled_at: scheduledAt, scheduled_by },
      by,
    )
  })
  return { id: page.id, status: page.status, scheduledAt: timestamp(page.scheduled_at) }
}

export async function unschedulePage(news: Context, id: string, context: HandlerContext) {
  const page = await runTransition(news, context, id, async (trx, tenant, row, _about, by) =>
    row.scheduled_at === null ? row : changePage(trx, tenant, row, unscheduledColumns, by),
  )
  return { id, status: page.status }
}

export async function unpublishPage(news: Context, id: string, context: HandlerContext) {
  const page = await runTransition(news, context, id, (trx, tenant, row, about, by) => {
    refuseUnless(row.status === 'published', 'Only a published page can be unpublished')
    return moveStatus(trx, tenant, row, asDraft, about, by)
  })
  return { id, status: page.status }
}

export async function archivePage(news: Context, id: string, context: HandlerContext) {
  const page = await runTransition(news, context, id, (trx, tenant, row, about, by) => {
    refuseUnless(row.status !== 'archived', 'The page is already archived')
    return moveStatus(trx, tenant, row, asArchived, about, by)
  })
  return { id, status: page.status }
}

/** Restores an archived page's status: published, or draft if it was never published. */
export async function unarchivePage(news: Context, id: string, context: HandlerContext) {
  const page = await runTransition(news, context, id, (trx, tenant, row, about, by) => {
    refuseUnless(row.status === 'archived', 'The page is not archived')
    return moveStatus(trx, tenant, row, { status: row.published_at ? 'published' : 'draft' }, about, by)
  })
  return { id, status: page.status }
}

/** Writes a change of a locked page as its next version. @returns the updated page */
export async function changePage(
  trx: NewsTrx,
  tenant: Tenant,
  page: PageRow,
  set: Updateable<NewsTables['pages']>,
  updatedById: string | null,
): Promise<PageRow> {
  const change = { ...set, version: page.version + 1, updated_at: new Date(), updated_by_id: updatedById }
  await writePage(trx, tenant, page.id, change)
  const after = { ...page, ...change } as PageRow
  await updateSearchRow(trx, page, after)
  return after
}

/** Columns of a page without a schedule. */
export const unscheduledColumns = {
  scheduled_at: null,
  scheduled_by: null,
  schedule_refusal: null,
  publish_failures: 0,
  publish_retry_at: null,
}

export const asPublished = (publishedAt: Date) => ({
  ...unscheduledColumns,
  status: 'published' as const,
  published_at: publishedAt,
})

type Publication = {
  about: EventScope
  publishedAt: Date
  updatedById: string | null
  /** Written with it. */
  columns?: Updateable<NewsTables['pages']>
}

/** Publishes a locked draft and its event. Throws ConflictError for another status. */
export async function publish(
  trx: NewsTrx,
  tenant: Tenant,
  page: PageRow,
  { about, publishedAt, updatedById, columns = {} }: Publication,
): Promise<PageRow> {
  if (page.status !== 'draft') throw new ConflictError('Only a draft can be published')
  const after = await changePage(trx, tenant, page, { ...columns, ...asPublished(publishedAt) }, updatedById)
  await emitPageCreated(trx, tenant, after, about)
  await recountMoved(trx, tenant, [{ before: page, after }])
  return after
}

/** Changes the status of a locked page without a publication. Readers who lose or regain sight of it get an event. */
async function moveStatus(
  trx: NewsTrx,
  tenant: Tenant,
  page: PageRow,
  set: Updateable<NewsTables['pages']> & Pick<PageRow, 'status'>,
  about: EventScope,
  updatedById: string | null,
): Promise<PageRow> {
  const after = await changePage(trx, tenant, page, set, updatedById)
  const publishedRow = page.status === 'published' ? page : after
  await emitPageUpdated(trx, publishedRow, { status: after.status }, about)
  // The text may mention others since the page was archived.
  if (page.status === 'archived' && after.status === 'published')
    await emitPageMentioned(trx, after, mentionsIn(await readBody(trx, tenant, page.id)), about)
  await recountMoved(trx, tenant, [{ before: page, after }])
  return after
}

export const asDraft = { ...unscheduledColumns, status: 'draft' as const, published_at: null }

export const asArchived = { ...unscheduledColumns, status: 'archived' as const }
