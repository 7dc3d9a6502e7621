import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { HandlerContext } from '@connectrpc/connect'
import type { CreatePageRequest } from '../../../gen/platform/news/v1/pages_pb.ts'
import { requireActingMember, tenantOf } from '../../kernel/access/access.ts'
import { memberAsActor } from '../../kernel/access/callers.ts'
import { requirePermission, type Tenant } from '../../kernel/access/tenant.ts'
import { invalid } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Context } from '../context.ts'
import type { NewsTrx } from '../tables.ts'
import { recountMoved } from '../totals/pages.sql.ts'
import { callerId, tagPage } from './access.ts'
import { contentText } from './content.ts'
import { emitPageCreated, eventScopeOf } from './events.ts'
import { mediasText, toPage } from './read.ts'
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
export const createPage = (news: Context, request: CreatePageRequest, context: HandlerContext) =>
  storePage(news, context, tenantOf(context), request)

/**
 * Stores a new page, publishes its event if it is published, and answers with the page.
 * @param storeExtras runs in the same transaction
 */
export async function storePage(
  news: Context,
  context: HandlerContext,
  tenant: Tenant,
  fields: NewPage,
  storeExtras: (trx: NewsTrx) => Promise<void> = async () => {},
) {
  const author = requireActingMember(context)
  const isPublished = fields.status === 'published'
  if (isPublished) requirePermission(tenant, 'publish_content')
  const content = contentText(fields.content)
  const now = new Date()
  const flag = (value: boolean | undefined) => (value === false ? 0 : 1)
  const page = {
    id: newId(),
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
    version: 1,
    created_at: now,
    updated_at: now,
  }
  checkEventDates(page.event_starts_at, page.event_ends_at)
  const receivers = isPublished ? await news.members.audience(tenant.workspaceId) : []
  // The answer shows the author: a failure after the commit would make a retry create a second page.
  const createdBy = await news.members.author(author.memberId)
  const { category, parent } = await inTransaction(news.db, async trx => {
    const place = await holdPlace(trx, tenant, callerId(tenant, context), page)
    await insertPage(trx, page, content)
    await writeRevision(trx, page, content, ['title', 'content'], author)
    await storeExtras(trx)
    const about = eventScopeOf(tenant, memberAsActor(author), receivers)
    if (isPublished) await emitPageCreated(trx, tenant, { ...page, parent: place.parent }, about)
    await recountMoved(trx, tenant, [{ after: page }])
    return place
  })
  news.pageWorkspaces.set(page.id, tenant.workspaceId)
  const shownParent = parent && {
    parent_title: parent.title,
    parent_status: parent.status,
    parent_created_by_id: parent.created_by_id,
  }
  const row = { ...page, content, ...category, ...shownParent }
  tagPage(context, page)
  return { page: toPage({ tenant, memberId: callerId(tenant, context) }, row, createdBy) }
}

/** Throws ValidationError when an event ends before it starts. */
export function checkEventDates(starts: Date | null, ends: Date | null): void {
  if (starts && ends && ends < starts) throw invalid('eventEndsAt', 'must not be before eventStartsAt', 'event.order')
}
