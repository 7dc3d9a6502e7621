import { actingMember, eventActorOf } from '../../kernel/access/access.ts'
import type { HandlerContext } from '@connectrpc/connect'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { SchedulePageRequest } from '../../../gen/platform/news/v1/pages_pb.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { ConflictError } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { News } from '../context.ts'
import { type Occasion, occasionOf } from './events.ts'
import { callerId, openPlace, pageNotFound } from './access.ts'
import { asArchived, asDraft, changePage, moveStatus, publish } from './publish.ts'
import { tagPage } from './read.ts'
import { mayRead } from './rules.ts'
import { checkVersion } from './update.ts'
import { lockPage } from './sql.ts'
import type { PageRow, Trx } from '../tables.ts'

type Step = (trx: Trx, tenant: Tenant, page: PageRow, about: Occasion, by: string | null) => Promise<PageRow>

/** Runs one transition on the locked page of the version that If-Match names. Who may call it is the method's own access option. */
async function transit(news: News, context: HandlerContext, id: string, step: Step): Promise<PageRow> {
  const tenant = await openPlace(news, context, id)
  const member = actingMember(context)
  const about = occasionOf(tenant, eventActorOf(context), await news.members.audience(tenant.workspaceId))
  const after = await inTransaction(news.db, async trx => {
    const page = await lockPage(trx, tenant, id)
    if (!page || !mayRead(tenant, callerId(context), page)) throw pageNotFound()
    checkVersion(context.requestHeader.get('if-match'), page.version)
    return step(trx, tenant, page, about, member?.memberId ?? null)
  })
  tagPage(context, after)
  return after
}

const refuseUnless = (isSo: boolean, message: string): void => {
  if (!isSo) throw new ConflictError(message)
}

export async function publishPage(news: News, id: string, context: HandlerContext) {
  const page = await transit(news, context, id, (trx, tenant, row, about, by) =>
    publish(trx, tenant, row, about, new Date(), by),
  )
  return { id, status: page.status, publishedAt: timestamp(page.published_at) }
}

export async function schedulePage(news: News, request: SchedulePageRequest, context: HandlerContext) {
  const at = request.scheduledAt ? timestampDate(request.scheduledAt) : null
  const page = await transit(news, context, request.id, (trx, tenant, row, _about, by) => {
    refuseUnless(row.status === 'draft', 'Only a draft can be scheduled')
    return changePage(trx, tenant, row, { scheduled_at: at, publish_failures: 0, publish_retry_at: null }, by)
  })
  return { id: page.id, status: page.status, scheduledAt: timestamp(page.scheduled_at) }
}

export async function unschedulePage(news: News, id: string, context: HandlerContext) {
  const page = await transit(news, context, id, async (trx, tenant, row, _about, by) =>
    row.scheduled_at === null ? row : changePage(trx, tenant, row, { scheduled_at: null }, by),
  )
  return { id, status: page.status }
}

export async function unpublishPage(news: News, id: string, context: HandlerContext) {
  const page = await transit(news, context, id, (trx, tenant, row, about, by) => {
    refuseUnless(row.status === 'published', 'Only a published page can be unpublished')
    return moveStatus(trx, tenant, row, asDraft, about, by)
  })
  return { id, status: page.status }
}

export async function archivePage(news: News, id: string, context: HandlerContext) {
  const page = await transit(news, context, id, (trx, tenant, row, about, by) => {
    refuseUnless(row.status !== 'archived', 'The page is archived already')
    return moveStatus(trx, tenant, row, asArchived, about, by)
  })
  return { id, status: page.status }
}

/** An archived page becomes what it was: published, or a draft when it never was. */
export async function unarchivePage(news: News, id: string, context: HandlerContext) {
  const page = await transit(news, context, id, (trx, tenant, row, about, by) => {
    refuseUnless(row.status === 'archived', 'The page is not archived')
    return moveStatus(trx, tenant, row, { status: row.published_at ? 'published' : 'draft' }, about, by)
  })
  return { id, status: page.status }
}
