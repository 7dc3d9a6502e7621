import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import type {
  Author,
  CategoryReference,
  GetPageRequest,
  Media,
  PageSchema,
  PageSummary,
  UserInteractions,
} from '../../../gen/platform/news/v1/pages_pb.ts'
import { maybePerson } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { invalid } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { shareRuns } from '../../kernel/base/share.ts'
import { readBackHeader, userAgentOf } from '../../kernel/rpc/call-headers.ts'
import type { Context } from '../context.ts'
import { callerId, mayRead, openWorkspace, pageNotFound, tagPage } from './access.ts'
import type { ListRow } from './list.sql.ts'
import { childrenOf, readPage, type ShownRow } from './sql.ts'

/** Shared among all who read a page at the same time. */
const sharedChildren = shareRuns<Awaited<ReturnType<typeof childrenOf>>>()

/** A page as the caller sees it; only a person has interactions. Throws NotFoundError when they may not see it. */
export async function showPage(news: Context, tenant: Tenant, id: string, context: HandlerContext) {
  const memberId = callerId(tenant, context)
  const [row, children] = await Promise.all([
    readPage(news.db, tenant, id, memberId),
    sharedChildren(id, () => childrenOf(news.db, tenant, id)),
  ])
  if (!row || !mayRead(tenant, memberId, row)) throw pageNotFound()
  const page = toPage({ tenant, memberId }, row, await news.members.author(row.created_by_id), children)
  return maybePerson(context) ? page : { ...page, userInteractions: noInteractions }
}

/** A page that the member may read, as they see it. A new one has no children. */
export function toPage(
  { tenant, memberId }: { tenant: Tenant; memberId: string },
  row: ShownRow,
  createdBy: Author | undefined,
  children: Awaited<ReturnType<typeof childrenOf>> = [],
): MessageInitShape<typeof PageSchema> {
  const { parent_status: status, parent_created_by_id: created_by_id } = row
  const showsParent = status && mayRead(tenant, memberId, { status, created_by_id: created_by_id ?? '' })
  const parentId = showsParent ? (row.parent_id ?? undefined) : undefined
  const shownCategory = row.category_name ? category(row) : undefined
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
    scheduleRefusal: row.schedule_refusal ?? undefined,
    parent: parentId === undefined ? undefined : { id: parentId, title: row.parent_title ?? '' },
    parentId,
    children: children
      .filter(child => mayRead(tenant, memberId, child))
      .map(child => ({ id: child.id, title: child.title })),
    category: shownCategory,
    categoryId: shownCategory?.id,
    createdBy,
    createdById: row.created_by_id,
    updatedById: row.updated_by_id ?? undefined,
    medias: medias(row.medias),
    viewCount: row.view_count ?? 0,
    likeCount: row.like_count ?? 0,
    commentCount: row.comment_count ?? 0,
    userInteractions: {
      ...noInteractions,
      hasLiked: Boolean(row.reaction_type),
      hasViewed: Boolean(row.viewed_by),
      isFavorite: row.is_favorite === 1,
      isBookmarked: row.is_bookmarked === 1,
      isFollowing: row.is_following === 1,
      reactionType: row.reaction_type ?? undefined,
      hasAcknowledged: Boolean(row.acknowledged_at),
    },
    isPinned: isPinned(row.pinned_until, Date.now()),
    enableComments: row.enable_comments === 1,
    enableLikes: row.enable_likes === 1,
    enableNotifications: row.enable_notifications === 1,
    eventStartsAt: timestamp(row.event_starts_at),
    eventEndsAt: timestamp(row.event_ends_at),
    eventLocation: row.event_location ?? undefined,
    isMustRead: row.is_must_read === 1,
    isSilent: row.is_silent === 1,
    version: row.version,
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  }
}

/**
 * Returns a page and records the view of a person; other callers leave no view and have no interactions. Neither does
 * an editor, nor the edge when it compares a record that a client sends back.
 */
export async function getPage(news: Context, { id, withoutView }: GetPageRequest, context: HandlerContext) {
  const tenant = await openWorkspace(news, context, id)
  const page = await showPage(news, tenant, id, context)
  const memberId = maybePerson(context)?.memberId
  if (memberId && !withoutView && !context.requestHeader.has(readBackHeader)) {
    page.viewCount = await news.views.record({
      workspaceId: tenant.workspaceId,
      pageId: id,
      memberId,
      userAgent: userAgentOf(context, 255),
      timeZone: await news.members.timeZone(tenant.workspaceId),
    })
    page.userInteractions = { ...(page.userInteractions ?? noInteractions), hasViewed: true }
  }
  tagPage(context, page)
  return { page }
}

// Message literals instead of `create()`: lists are the platform's most frequent answer.

type StoredMedia = { fileUrl: string; thumbnailUrl?: string; type: string }

export function medias(text: string): Media[] {
  if (text === '[]') return []
  return (JSON.parse(text) as StoredMedia[]).map(({ fileUrl, thumbnailUrl, type }) => ({
    $typeName: 'platform.news.v1.Media',
    fileUrl,
    thumbnailUrl,
    type,
  }))
}

/** Lists of pages and events contain the medias. */
const maxMediasBytes = 65_536

/** Medias as they are stored. ValidationError when they are too long together. */
export function mediasText(list: Pick<Media, 'fileUrl' | 'thumbnailUrl' | 'type'>[]): string {
  const text = JSON.stringify(list.map(({ fileUrl, thumbnailUrl, type }) => ({ fileUrl, thumbnailUrl, type })))
  if (Buffer.byteLength(text) > maxMediasBytes) throw invalid('medias', 'must be at most 64 kB', 'max_bytes')
  return text
}

type CategoryColumns = Partial<Pick<ListRow, 'category_id' | 'category_name' | 'category_icon' | 'category_color'>>

const category = (row: CategoryColumns): CategoryReference | undefined =>
  row.category_id
    ? {
        $typeName: 'platform.news.v1.CategoryReference',
        id: row.category_id,
        name: row.category_name ?? '',
        icon: row.category_icon ?? undefined,
        color: row.category_color ?? undefined,
      }
    : undefined

/** Whether a pin is live. */
const isPinned = (until: Date | null | undefined, now: number): boolean => Boolean(until && until.getTime() > now)

/** A page as shown in lists. */
export const summary = (row: Omit<ListRow, 'total'>, author: Author | undefined, now: number): PageSummary => ({
  $typeName: 'platform.news.v1.PageSummary',
  id: row.id,
  title: row.title,
  excerpt: row.excerpt ?? undefined,
  pageType: row.page_type,
  status: row.status,
  publishedAt: timestamp(row.published_at),
  createdBy: author,
  createdById: row.created_by_id,
  category: category(row),
  categoryId: row.category_id ?? undefined,
  medias: medias(row.medias),
  viewCount: row.view_count,
  likeCount: row.like_count,
  commentCount: row.comment_count,
  isPinned: isPinned(row.pinned_until, now),
  scheduledAt: timestamp(row.scheduled_at),
  createdAt: timestamp(row.created_at),
  eventStartsAt: timestamp(row.event_starts_at),
})

export const document = (text: string): JsonObject => JSON.parse(text) as JsonObject

/** For callers without a member record. */
const noInteractions: UserInteractions = {
  $typeName: 'platform.news.v1.UserInteractions',
  hasLiked: false,
  hasViewed: false,
  isFavorite: false,
  isBookmarked: false,
  isFollowing: false,
  hasAcknowledged: false,
}
