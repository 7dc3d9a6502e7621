import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { HandlerContext } from '@connectrpc/connect'
import type { CreatePageRequest } from '../../../gen/platform/news/v1/pages_pb.ts'
import { requireActingMember, tenantOf } from '../../kernel/access/access.ts'
import { type ActingMember, memberAsActor } from '../../kernel/access/callers.ts'
import { hasPermission, type Tenant } from '../../kernel/access/tenant.ts'
import { ForbiddenError, invalid } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Context } from '../context.ts'
import type { NewsTrx } from '../tables.ts'
import { recountMoved } from '../totals/pages.sql.ts'
import { callerId, tagPage } from './access.ts'
import { contentText } from './content.ts'
import { emitPageCreated, eventScopeOf } from './events.ts'
import { mediasText, showPage } from './read.ts'
import { insertPage, writeRevision } from './sql.ts'
import { holdPlace } from './tree.ts'

/** Fields of a new page, from a request or a template. */
type NewPage = Pick<
  CreatePageRequest,
  | 'title'
  | 'content'
  | 'excerpt'
  | 'pageType'
  | 'categoryId'
  | 'parentId'
  | 'medias'
  | 'enableComments'
  | 'enableLikes'
  | 'enableNotifications'
  | 'status'
> &
  Partial<Pick<CreatePageRequest, 'eventStartsAt' | 'eventEndsAt' | 'eventLocation'>>

/** Creates a page in the workspace of the call. */
export async function createPage(news: Context, request: CreatePageRequest, context: HandlerContext) {
  const tenant = tenantOf(context)
  const id = await storePage(news, tenant, requireActingMember(context), request)
  const page = await showPage(news, tenant, id, callerId(tenant, context))
  tagPage(context, page)
  return { page }
}

/**
 * Stores a new page and publishes its event if it is published.
 * @param storeExtras runs in the same transaction
 * @returns its id
 */
export async function storePage(
  { db, members, pageWorkspaces }: Context,
  tenant: Tenant,
  author: ActingMember,
  fields: NewPage,
  storeExtras: (trx: NewsTrx) => Promise<void> = async () => {},
): Promise<string> {
  const isPublished = fields.status === 'published'
  if (isPublished && !hasPermission(tenant, 'publish_content')) throw new ForbiddenError('Permission denied')
  const content = contentText(fields.content)
  const now = new Date()
  const flag = (value: boolean | undefined) => (value === false ? 0 : 1)
  const row = {
    workspace_id: tenant.workspaceId,
    title: fields.title,
    excerpt: fields.excerpt ?? null,
    parent_id: fields.parentId ?? null,
    page_type: fields.pageType ?? 'article',
    category_id: fields.categoryId ?? null,
    created_by_id: author.memberId,
    updated_by_id: null,
    medias: mediasText(fields.medias),
    status: isPublished ? ('published' as const) : ('draft' as const),
    published_at: isPublished ? now : null,
    enable_comments: flag(fields.enableComments),
    enable_likes: flag(fields.enableLikes),
    enable_notifications: flag(fields.enableNotifications),
    event_starts_at: fields.eventStartsAt ? timestampDate(fields.eventStartsAt) : null,
    event_ends_at: fields.eventEndsAt ? timestampDate(fields.eventEndsAt) : null,
    event_location: fields.eventLocation ?? null,
    created_at: now,
    updated_at: now,
  }
  checkEventDates(row.event_starts_at, row.event_ends_at)
  const receivers = isPublished ? await members.audience(tenant.workspaceId) : []
  const id = await inTransaction(db, async trx => {
    const page = { ...row, id: newId() }
    await holdPlace(trx, tenant, page)
    await insertPage(trx, page, content)
    await writeRevision(trx, { ...page, version: 1 }, content, ['title', 'content'], author)
    await storeExtras(trx)
    if (isPublished) await emitPageCreated(trx, tenant, page, eventScopeOf(tenant, memberAsActor(author), receivers))
    await recountMoved(trx, tenant, [{ after: page }])
    return page.id
  })
  pageWorkspaces.set(id, tenant.workspaceId)
  return id
}

/** Throws ValidationError when an event ends before it starts. */
export function checkEventDates(starts: Date | null, ends: Date | null): void {
  if (starts && ends && ends < starts) throw invalid('eventEndsAt', 'must not be before eventStartsAt', 'event.order')
}
