import type { JsonObject } from '@bufbuild/protobuf'
import type {
  Author,
  CategoryReference,
  Media,
  PageSummary,
  UserInteractions,
} from '../../../gen/platform/news/v1/pages_pb.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import type { ListRow } from './list.sql.ts'

// Lists are the most frequent answer of the platform: messages are written as literals, which costs nothing more.

type StoredMedia = { fileUrl: string; thumbnailUrl?: string; type: string }

/** Medias as stored. */
export function medias(text: string): Media[] {
  if (text === '[]') return []
  return (JSON.parse(text) as StoredMedia[]).map(({ fileUrl, thumbnailUrl, type }) => ({
    $typeName: 'platform.news.v1.Media',
    fileUrl,
    thumbnailUrl,
    type,
  }))
}

/** What is stored of medias. */
export const mediasText = (list: Pick<Media, 'fileUrl' | 'thumbnailUrl' | 'type'>[]): string =>
  JSON.stringify(list.map(({ fileUrl, thumbnailUrl, type }) => ({ fileUrl, thumbnailUrl, type })))

type CategoryColumns = Pick<ListRow, 'category_id' | 'category_name' | 'category_icon' | 'category_color'>

export const category = (row: CategoryColumns): CategoryReference | undefined =>
  row.category_id === null
    ? undefined
    : {
        $typeName: 'platform.news.v1.CategoryReference',
        id: row.category_id,
        name: row.category_name ?? '',
        icon: row.category_icon ?? undefined,
        color: row.category_color ?? undefined,
      }

/** Whether a pin is live (DECISIONS 77). */
export const isPinned = (until: Date | null, now: number): boolean => until !== null && until.getTime() > now

/** A page as listed. */
export const summary = (row: Omit<ListRow, 'total'>, author: Author | undefined, now: number): PageSummary => ({
  $typeName: 'platform.news.v1.PageSummary',
  id: row.id,
  title: row.title,
  excerpt: row.excerpt ?? undefined,
  pageType: row.page_type,
  status: row.status,
  publishedAt: timestamp(row.published_at),
  createdBy: author,
  category: category(row),
  medias: medias(row.medias),
  viewCount: row.view_count,
  likeCount: row.like_count,
  commentCount: row.comment_count,
  isPinned: isPinned(row.pinned_until, now),
  scheduledAt: timestamp(row.scheduled_at),
  createdAt: timestamp(row.created_at),
})

/** A stored editor document. */
export const document = (text: string): JsonObject => JSON.parse(text) as JsonObject

/** What somebody without a member record did with a page. */
export const noInteractions: UserInteractions = {
  $typeName: 'platform.news.v1.UserInteractions',
  hasLiked: false,
  hasViewed: false,
  isFavorite: false,
  isBookmarked: false,
  isFollowing: false,
  hasAcknowledged: false,
}
