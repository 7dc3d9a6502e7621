import type { HandlerContext } from '@connectrpc/connect'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { PageSchema } from '../../../gen/platform/news/v1/pages_pb.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { readBackHeader } from '../../kernel/rpc/read-back.ts'
import { shared } from '../../kernel/base/share.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { maybePerson } from '../../kernel/access/access.ts'
import { headerText } from '../../kernel/base/text.ts'
import type { News } from '../context.ts'
import { category, document, isPinned, medias, noInteractions } from './message.ts'
import { callerId, openPlace, pageNotFound } from './access.ts'
import { mayRead } from './rules.ts'
import { readPage } from './read.sql.ts'
import { childrenOf } from './sql.ts'
import type { PageStatus } from '../tables.ts'
import { dayIn } from '../reading/view-recorder.ts'

/** What stands below a page is the same for all who read it at one moment. */
const below = shared<Awaited<ReturnType<typeof childrenOf>>>()

/** A page as the caller sees it. NotFoundError when they do not. */
export async function showPage(
  { db, members }: News,
  tenant: Tenant,
  id: string,
  memberId: string,
): Promise<MessageInitShape<typeof PageSchema>> {
  const [row, children] = await Promise.all([
    readPage(db, tenant, id, memberId),
    below(id, () => childrenOf(db, tenant, id)),
  ])
  if (!row || !mayRead(tenant, memberId, row)) throw pageNotFound()
  const seen = (status: PageStatus | null, created_by_id: string | null): boolean =>
    status !== null && mayRead(tenant, memberId, { status, created_by_id: created_by_id ?? '' })
  const isParentSeen = row.parent_id !== null && seen(row.parent_status, row.parent_created_by_id)
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    title: row.title,
    content: document(row.content),
    excerpt: row.excerpt ?? undefined,
    pageType: row.page_type,
    status: row.status,
    publishedAt: timestamp(row.published_at),
    scheduledAt: timestamp(row.scheduled_at),
    parent: isParentSeen ? { id: row.parent_id ?? '', title: row.parent_title ?? '' } : undefined,
    children: children
      .filter(child => mayRead(tenant, memberId, child))
      .map(child => ({ id: child.id, title: child.title })),
    category: category({ ...row, category_id: row.category_name === null ? null : row.category_id }),
    createdBy: await members.author(row.created_by_id),
    updatedById: row.updated_by_id ?? undefined,
    medias: medias(row.medias),
    viewCount: row.view_count,
    likeCount: row.like_count,
    commentCount: row.comment_count,
    userInteractions: {
      ...noInteractions,
      hasLiked: row.reaction_type !== null,
      hasViewed: row.viewed_by !== null,
      isFavorite: row.is_favorite === 1,
      isBookmarked: row.is_bookmarked === 1,
      isFollowing: row.is_following === 1,
      reactionType: row.reaction_type ?? undefined,
      hasAcknowledged: row.acknowledged_at !== null,
    },
    isPinned: isPinned(row.pinned_until, Date.now()),
    enableComments: row.enable_comments === 1,
    enableLikes: row.enable_likes === 1,
    enableNotifications: row.enable_notifications === 1,
    eventStartsAt: timestamp(row.event_starts_at),
    eventEndsAt: timestamp(row.event_ends_at),
    eventLocation: row.event_location ?? undefined,
    isMustRead: row.is_must_read === 1,
    version: row.version,
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  }
}

/** The entity tag of a page is its version. */
export const tagPage = (context: HandlerContext, { version }: { version?: number | undefined }): void =>
  context.responseHeader.set('etag', `"${version}"`)

/**
 * Answers a page and records that a person has seen it; others leave no view and have no interactions. A page that is
 * only compared with one that comes back is seen by nobody.
 */
export async function getPage(news: News, id: string, context: HandlerContext) {
  const tenant = await openPlace(news, context, id)
  const page = await showPage(news, tenant, id, callerId(context))
  const memberId = maybePerson(context)?.memberId
  if (!memberId) page.userInteractions = noInteractions
  else if (!context.requestHeader.has(readBackHeader)) {
    const { timezone } = await news.members.workspace(tenant.workspaceId)
    page.viewCount = await news.views.record({
      workspaceId: tenant.workspaceId,
      pageId: id,
      memberId,
      userAgent: headerText(context.requestHeader.get('user-agent'))?.slice(0, 255) ?? null,
      day: dayIn(timezone, new Date()),
    })
    page.userInteractions = { ...(page.userInteractions ?? noInteractions), hasViewed: true }
  }
  tagPage(context, page)
  return { page }
}
