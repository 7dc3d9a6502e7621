// Written by npm run gen from gen/openapi/news.json; never edited.
import type { CallOptions, ClientRoutes } from '../../edge/client/call.ts'

/** The acknowledgement. */
export type AcknowledgePageResponse = {
  /** Page id. */
  pageId: string
  /** Time of the caller's first acknowledgement. */
  acknowledgedAt: string | null
}

/** The new state of the page. */
export type ArchivePageResponse = {
  /** Page id. */
  id: string
  /** Status. */
  status: 'archived'
}

/** A member as the author of content. */
export type Author = {
  /** Member id; null for a deleted comment. */
  id: string | null
  /** First name; null when the member was erased and for a deleted comment. */
  firstName: string | null
  /** Last name; null when the member was erased and for a deleted comment. */
  lastName: string | null
  /** URL of the picture. */
  photo_url: string | null
}

/** A category. */
export type Category = {
  /** Category id. */
  id: string
  /** Name. */
  name: string
  /** Slug, unique in the workspace. */
  slug: string
  /** Free text. */
  description: string | null
  /** Emoji or icon name. */
  icon: string | null
  /** Colour, #RRGGBB or #RGB. */
  color: string | null
  /** Workspace id. */
  workspaceId: string
  /** Position in lists, lowest first. */
  order: number
  /** False when inactive. */
  isActive: boolean
  /** Number of live pages in it that are visible to the caller: all for editors, otherwise published pages and own drafts. */
  pageCount: number
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A reference to a category. */
export type CategoryReference = {
  /** Category id. */
  id: string
  /** Name. */
  name: string
  /** Emoji or icon name. */
  icon: string | null
  /** Colour, #RRGGBB or #RGB. */
  color: string | null
}

/** A comment. */
export type Comment = {
  /** Comment id. */
  id: string
  /** Text; empty for a deleted comment with replies. */
  content: string
  /** Page id. */
  pageId: string
  /** Author. The names are null when the member was erased, and everything is null when the comment was deleted. */
  member: Author | null
  /** Number of likes. */
  likeCount: number
  /** Live replies with their own replies, oldest first. */
  replies: Comment[]
  /** Creation time. */
  createdAt: string | null
  /** Id of the comment replied to; null at the top level. */
  parentId: string | null
  /** True after the text was changed. */
  isEdited: boolean
  /** Time of the last change of the text. */
  editedAt: string | null
  /** Whether the caller likes it. */
  hasLiked: boolean
  /** True for a deleted comment with live replies. */
  isDeleted: boolean
  /** Member id of the author; null when the comment was deleted. */
  memberId: string | null
  /** Workspace id. */
  workspaceId: string
}

/** Comments of a page. */
export type CommentStats = {
  /** Number of live comments, including replies. */
  total: number
}

/** Fields of a new category. */
export type CreateCategoryRequest = {
  /** Name, 1 to 255 characters. */
  name: string
  /** Slug: letters, digits, hyphens and underscores; derived from the name when absent. */
  slug?: string | null
  /** Free text, at most 5,000 characters. */
  description?: string | null
  /** Emoji or icon name, at most 64 characters. */
  icon?: string | null
  /** Colour, #RRGGBB or #RGB. */
  color?: string | null
  /** Workspace id; the caller's own when absent. */
  workspaceId?: string | null
  /** Position in lists, lowest first; 0 when absent. */
  order?: number | null
}

/** Fields of a new comment. */
export type CreateCommentRequest = {
  /** Page id. */
  pageId: string
  /** Text, 1 to 10,000 characters. */
  content: string
  /** Id of the comment to reply to, on the same page; null or absent at the top level. */
  parentId?: string | null
}

/** The page and the type of reaction. */
export type CreateLikeRequest = {
  /** Page id. */
  pageId: string
  /** like, love, haha, wow, sad or angry; like when absent. */
  reactionType?: 'like' | 'love' | 'haha' | 'wow' | 'sad' | 'angry' | null
}

/** The caller's reaction. */
export type CreateLikeResponse = {
  /** Reaction id. */
  id: string
  /** Page id. */
  pageId: string
  /** Reaction. */
  reactionType: 'like' | 'love' | 'haha' | 'wow' | 'sad' | 'angry'
  /** Time of the caller's first reaction to the page. */
  createdAt: string | null
}

/** Fields of a new page. */
export type CreatePageRequest = {
  /** Title, 1 to 255 characters. */
  title: string
  /** Document of the block editor: any object. */
  content: Record<string, unknown>
  /** Short text, at most 2000 characters. */
  excerpt?: string | null
  /** feed, article, event or poll; article when absent. */
  pageType?: 'feed' | 'article' | 'event' | 'poll' | null
  /** Category id, in the same workspace. */
  categoryId?: string | null
  /** Id of the parent page, in the same workspace. */
  parentId?: string | null
  /** Workspace id. */
  workspaceId: string
  /** Images, videos and files, at most 50 of 64 kB together. */
  medias?: MediaInput[]
  /** Whether comments are enabled; true when absent. */
  enableComments?: boolean | null
  /** Whether push notifications are sent; true when absent. */
  enableNotifications?: boolean | null
  /** draft or published; draft when absent. */
  status?: 'draft' | 'published' | null
  /** Whether reactions are enabled; true when absent. */
  enableLikes?: boolean | null
  /** Start of an event page. */
  eventStartsAt?: string | null
  /** End of an event page; not before the start. */
  eventEndsAt?: string | null
  /** Location of an event page, at most 255 characters. */
  eventLocation?: string | null
}

/** The page to pin. */
export type CreatePinRequest = {
  /** Page id. */
  pageId: string
  /** Workspace id of the page; the caller's own when absent. */
  workspaceId?: string | null
  /** Position in the list, lowest first; 0 when absent. */
  order?: number | null
  /** Expiry time; none when absent. */
  expiresAt?: string | null
}

/** Fields of a new template. */
export type CreateTemplateRequest = {
  /** Name, 1 to 255 characters. */
  name: string
  /** Free text, at most 5,000 characters. */
  description?: string | null
  /** article, event or poll; article when absent. */
  pageType?: 'article' | 'event' | 'poll' | null
  /** Document of the block editor: any object. */
  content: Record<string, unknown>
  /** Workspace id; the caller's own when absent. */
  workspaceId?: string | null
}

/** Views of one day. */
export type DayCount = {
  /** Day in the workspace's time zone, YYYY-MM-DD. */
  date: string
  /** Views. */
  count: number
}

/** Confirms the change. */
export type DeleteCategoryResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Category id. */
  id: string
}

/** Confirms the change. */
export type DeleteCommentResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Comment id. */
  id: string
}

/** Confirms the change. */
export type DeleteLikeResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Page id. */
  pageId: string
}

/** Confirms the change. */
export type DeletePageResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Page id. */
  id: string
}

/** Confirms the change. */
export type DeletePinResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Page id. */
  pageId: string
}

/** Confirms the change. */
export type DeleteTemplateResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Template id. */
  id: string
}

/** Engagement of readers. */
export type EngagementStats = {
  /** (reactions + comments) / members who viewed it; 0 without views. */
  rate: number
  /** Average duration in seconds of the views with a known duration; 0 without any. */
  averageReadTime: number
}

/** Statistics of one page. */
export type GetPageAnalyticsResponse = {
  /** Page id. */
  pageId: string
  /** Views. */
  views: PageViewStats | null
  /** Reactions. */
  likes: ReactionStats | null
  /** Comments. */
  comments: CommentStats | null
  /** Engagement of readers. */
  engagement: EngagementStats | null
}

/** The position of a page in the tree. */
export type GetPageHierarchyResponse = {
  /** Path from the root to the page itself. */
  breadcrumb: PageReference[]
  /** Descendants visible to the caller, oldest first. */
  children: PageNode[]
}

/** The viewed pages. */
export type GetViewsResponse = {
  /** Viewed pages, in the order of the request. */
  data: ViewedPage[]
}

/** Returns the statistics of a workspace. */
export type GetWorkspaceAnalyticsResponse = {
  /** Pages. */
  pages: PageCounts | null
  /** Interactions of members. */
  interactions: InteractionCounts | null
  /** Up to ten published pages, most viewed first. */
  topPages: TopPage[]
  /** Up to ten categories, those with most pages first. */
  topCategories: TopCategory[]
}

/** Totals over the live pages. */
export type InteractionCounts = {
  /** Views. */
  views: number
  /** Number of reactions of any type. */
  likes: number
  /** Number of live comments. */
  comments: number
}

/** The comment after the like. */
export type LikeCommentResponse = {
  /** Comment id. */
  id: string
  /** Number of likes. */
  likeCount: number
  /** Always true. */
  hasLiked: boolean
}

/** The categories of a workspace. */
export type ListCategoriesResponse = {
  /** Categories, by order and name. */
  data: Category[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** The comments of a page. */
export type ListCommentsResponse = {
  /** Top-level comments, oldest first. */
  data: Comment[]
  /** Number of live comments of the page, including replies. */
  total: number
  /** Pagination of top-level comments; describes a single page when all are returned. */
  meta: PageMeta | null
}

/** The reactions to a page. */
export type ListLikesResponse = {
  /** Number of reactions of any type. */
  total: number
  /** Reactions by type; unused types are omitted. */
  breakdown: Record<string, number>
  /** Members who reacted, latest first. */
  members: MemberReaction[]
  /** Pagination of members; describes a single page when all are returned. */
  meta: PageMeta | null
}

/** A page of must-read pages. */
export type ListMustReadsResponse = {
  /** Must-read pages, earliest deadline first. */
  data: MustRead[]
  /** Pagination. */
  meta: PageMeta | null
}

/** A page of preferences. */
export type ListPagePreferencesResponse = {
  /** Preferences with their pages, latest change first. */
  data: PreferredPage[]
  /** Pagination. */
  meta: PageMeta | null
}

/** A page of pages. */
export type ListPagesResponse = {
  /** Pages, in the requested order. */
  data: PageSummary[]
  /** Pagination. */
  meta: PageMeta | null
}

/** The pinned pages of a workspace. */
export type ListPinsResponse = {
  /** Pins by order, then latest first. */
  data: Pin[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** A page of readers. */
export type ListReadersResponse = {
  /** Members, by last name. */
  data: Reader[]
  /** Pagination. */
  meta: PageMeta | null
}

/** A page of revisions. */
export type ListRevisionsResponse = {
  /** Revisions, latest first. */
  data: RevisionSummary[]
  /** Pagination. */
  meta: PageMeta | null
}

/** The templates of a workspace. */
export type ListTemplatesResponse = {
  /** Templates, by name. */
  data: Template[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** A page of deleted pages. */
export type ListTrashedPagesResponse = {
  /** Deleted pages, latest deletion first. */
  data: TrashedPage[]
  /** Pagination. */
  meta: PageMeta | null
}

/** An image, video or file of a page. */
export type Media = {
  /** URL of the file, http or https or without a scheme. */
  fileUrl: string
  /** URL of the thumbnail, http or https or without a scheme. */
  thumbnailUrl: string | null
  /** Kind of file, such as image, video or file, or its media type; at most 255 characters. */
  type: string
}

/** An image, video or file of a page. */
export type MediaInput = {
  /** URL of the file, http or https or without a scheme. */
  fileUrl: string
  /** URL of the thumbnail, http or https or without a scheme. */
  thumbnailUrl?: string | null
  /** Kind of file, such as image, video or file, or its media type; at most 255 characters. */
  type?: string
}

/** A member's reaction. */
export type MemberReaction = {
  /** The member; null when the member was erased. */
  member: Author | null
  /** Reaction. */
  reactionType: 'like' | 'love' | 'haha' | 'wow' | 'sad' | 'angry'
}

/** A must-read page. */
export type MustRead = {
  /** Page id. */
  pageId: string
  /** Title of the page. */
  title: string
  /** Deadline for the acknowledgement; null for none. */
  dueAt: string | null
  /** Number of members who have acknowledged it. */
  acknowledgedCount: number
  /** Number of active members of the workspace. */
  membersCount: number
  /** Time of the last reminder; null for none. */
  remindedAt: string | null
  /** Time when it became must-read. */
  createdAt: string | null
}

/** A page. */
export type Page = {
  /** Page id. */
  id: string
  /** Workspace id. */
  workspaceId: string
  /** Title. */
  title: string
  /** Document of the block editor; the platform doesn't render it. */
  content: Record<string, unknown> | null
  /** Short text for lists. */
  excerpt: string | null
  /** Type. */
  pageType: 'feed' | 'article' | 'event' | 'poll'
  /** Status. */
  status: 'draft' | 'published' | 'archived'
  /** Time of publication; null before it. */
  publishedAt: string | null
  /** Time of the scheduled publication; null for none. */
  scheduledAt: string | null
  /** Parent page; null at the root. */
  parent: PageReference | null
  /** Child pages visible to the caller, oldest first. */
  children: PageReference[]
  /** Category; null for none. */
  category: CategoryReference | null
  /** Author; the names are null when the member was erased. */
  createdBy: Author | null
  /** Member id of the last editor. */
  updatedById: string | null
  /** Images, videos and files, in order. */
  medias: Media[]
  /** Number of views, one per reading. */
  viewCount: number
  /** Number of reactions of any type. */
  likeCount: number
  /** Number of live comments, including replies. */
  commentCount: number
  /** The caller's interactions. */
  userInteractions: UserInteractions | null
  /** Whether the page is pinned. */
  isPinned: boolean
  /** Whether comments are enabled. */
  enableComments: boolean
  /** Whether reactions are enabled. */
  enableLikes: boolean
  /** Whether push notifications are sent. */
  enableNotifications: boolean
  /** Start of an event page. */
  eventStartsAt: string | null
  /** End of an event page. */
  eventEndsAt: string | null
  /** Location of an event page. */
  eventLocation: string | null
  /** Whether members must acknowledge it. */
  isMustRead: boolean
  /** Number of the version, increased by each change; the value of the ETag header. */
  version: number
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
  /** Why the scheduled publication was refused; null otherwise, and once the page is scheduled again or published. */
  scheduleRefusal: string | null
  /** Id of the parent page; null at the root, and when the caller can't read it. */
  parentId: string | null
  /** Category id; null for none. */
  categoryId: string | null
  /** Member id of the author. */
  createdById: string
  /** Whether the page appears, or has appeared, without notifying anybody. */
  isSilent: boolean
}

/** Live pages by status. */
export type PageCounts = {
  /** Number of live pages, including archived ones. */
  total: number
  /** Number of published pages. */
  published: number
  /** Number of drafts. */
  drafts: number
}

/** Pagination of a list. */
export type PageMeta = {
  /** Number of matching records on all pages. */
  total: number
  /** Number of this page, starting at 1. */
  page: number
  /** Records per page, at most 100. */
  limit: number
  /** Number of pages: ceil(total / limit). */
  totalPages: number
  /** Cursor of the next page; absent on the last one, and on lists without cursors. */
  nextCursor?: string
}

/** A page in the tree. */
export type PageNode = {
  /** Page id. */
  id: string
  /** Title. */
  title: string
  /** Type. */
  pageType: 'feed' | 'article' | 'event' | 'poll'
  /** Status. */
  status: 'draft' | 'published' | 'archived'
  /** Child pages. */
  children: PageNode[]
}

/** The caller's preferences for a page. */
export type PagePreference = {
  /** Page id. */
  pageId: string
  /** Member id of the caller. */
  memberId: string
  /** Workspace id. */
  workspaceId: string
  /** Whether the page is a favourite of the caller. */
  isFavorite: boolean
  /** Whether the caller bookmarked the page. */
  isBookmarked: boolean
  /** Whether the caller follows its comments, which then come by push, too. */
  isFollowing: boolean
  /** Whether to notify the caller of comments; true by default. */
  notifyOnComment: boolean
  /** Whether to notify the caller of reactions; false by default, when the author of the page is notified nevertheless. */
  notifyOnLike: boolean
  /** Time of the last change; null when these are the defaults. */
  updatedAt: string | null
}

/** A reference to a page. */
export type PageReference = {
  /** Page id. */
  id: string
  /** Title. */
  title: string
}

/** A page in a list. */
export type PageSummary = {
  /** Page id. */
  id: string
  /** Title. */
  title: string
  /** Short text. */
  excerpt: string | null
  /** Type. */
  pageType: 'feed' | 'article' | 'event' | 'poll'
  /** Status. */
  status: 'draft' | 'published' | 'archived'
  /** Time of publication; null before it. */
  publishedAt: string | null
  /** Author; the names are null when the member was erased. */
  createdBy: Author | null
  /** Category; null for none. */
  category: CategoryReference | null
  /** Images, videos and files, in order. */
  medias: Media[]
  /** Number of views, one per reading. */
  viewCount: number
  /** Number of reactions of any type. */
  likeCount: number
  /** Number of live comments, including replies. */
  commentCount: number
  /** Whether the page is pinned. */
  isPinned: boolean
  /** Time of the scheduled publication; null for none. */
  scheduledAt: string | null
  /** Creation time. */
  createdAt: string | null
  /** Category id; null for none. */
  categoryId: string | null
  /** Member id of the author. */
  createdById: string
  /** Start of the event; null for none. */
  eventStartsAt: string | null
}

/** Views of a page. */
export type PageViewStats = {
  /** Number of views, one per reading. */
  total: number
  /** Number of members who viewed it. */
  unique: number
  /** Days with views, oldest first. */
  byDay: DayCount[]
}

/** A pin. */
export type Pin = {
  /** Pin id. */
  id: string
  /** Page id. */
  pageId: string
  /** Workspace id. */
  workspaceId: string
  /** Member id of the member who pinned it. */
  pinnedBy: string
  /** Position in the list, lowest first. */
  order: number
  /** Expiry time; null for none. */
  expiresAt: string | null
  /** The pinned page. */
  page: PageSummary | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A poll. */
export type Poll = {
  /** Page id. */
  pageId: string
  /** Question; null when the page's title is the question. */
  question: string | null
  /** Options, in order. */
  options: PollOption[]
  /** Whether a member can choose several options. */
  multipleChoice: boolean
  /** End of voting; null for none. */
  closesAt: string | null
  /** True when voting has ended. */
  isClosed: boolean
  /** Number of members who voted. */
  votersCount: number
  /** Ids of the caller's chosen options. */
  ownOptionIds: string[]
}

/** An option of a poll. */
export type PollOption = {
  /** Option id. */
  id: string
  /** Text. */
  label: string
  /** Number of votes. */
  voteCount: number
}

/** A page with the caller's preferences. */
export type PreferredPage = {
  /** The preferences. */
  preference: PagePreference | null
  /** The page. */
  page: PageSummary | null
}

/** The new state of the page. */
export type PublishPageResponse = {
  /** Page id. */
  id: string
  /** Status. */
  status: 'published'
  /** Time of publication. */
  publishedAt: string | null
}

/** Reactions to a page. */
export type ReactionStats = {
  /** Number of reactions of any type. */
  total: number
  /** Reactions by type; unused types are omitted. */
  breakdown: Record<string, number>
}

/** A member who must read the page. */
export type Reader = {
  /** The member. */
  member: Author | null
  /** Whether they viewed the page. */
  hasViewed: boolean
  /** Time of the acknowledgement; null before it. */
  acknowledgedAt: string | null
}

/** The reminder. */
export type RemindReadersResponse = {
  /** Page id. */
  pageId: string
  /** Number of members reminded. */
  remindedCount: number
  /** Time of the reminder. */
  remindedAt: string | null
  /** Number of them reached at once on all their channels; null while that can't be told. */
  reachedNow: number | null
  /** Number of them whose push waits until their quiet hours or do-not-disturb end; null while that can't be told. */
  reachedLater: number | null
}

/** Confirms the change. */
export type RemoveMustReadResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Page id. */
  pageId: string
}

/** A revision with its content. */
export type Revision = {
  /** Revision id. */
  id: string
  /** Page id. */
  pageId: string
  /** Version of the page that this revision created. */
  version: number
  /** Title in that version. */
  title: string
  /** Excerpt in that version. */
  excerpt: string | null
  /** Document of the block editor in that version. */
  content: Record<string, unknown> | null
  /** Images, videos and files in that version. */
  medias: Media[]
  /** Names of the changed fields. */
  changedFields: string[]
  /** Author of the revision; the names are null when the member was erased. */
  createdBy: Author | null
  /** When it was made. */
  createdAt: string | null
  /** API credential that acted for the member; null when the member acted in person. */
  credentialId: string | null
}

/** A revision in a list. */
export type RevisionSummary = {
  /** Revision id. */
  id: string
  /** Page id. */
  pageId: string
  /** Version of the page that this revision created. */
  version: number
  /** Title in that version. */
  title: string
  /** Names of the changed fields. */
  changedFields: string[]
  /** Author of the revision; the names are null when the member was erased. */
  createdBy: Author | null
  /** When it was made. */
  createdAt: string | null
  /** API credential that acted for the member; null when the member acted in person. */
  credentialId: string | null
}

/** The scheduled publication. */
export type SchedulePageResponse = {
  /** Page id. */
  id: string
  /** Status. */
  status: 'draft'
  /** Time of publication. */
  scheduledAt: string | null
}

/** Identifies the workspace. */
export type SyncMembersRequest = {
  /** Workspace id; the caller's own when absent. Required for services. */
  workspaceId?: string | null
}

/** The current content of the cache. */
export type SyncMembersResponse = {
  /** Workspace id. */
  workspaceId: string
  /** Active members. */
  membersCount: number
  /** Time of the reload. */
  syncedAt: string | null
}

/** A template. */
export type Template = {
  /** Template id. */
  id: string
  /** Name. */
  name: string
  /** Free text. */
  description: string | null
  /** Document of the block editor. */
  content: Record<string, unknown> | null
  /** Workspace id. */
  workspaceId: string
  /** Type of its pages. */
  pageType: 'article' | 'event' | 'poll'
  /** Number of pages created from it. */
  usageCount: number
  /** False when inactive. */
  isActive: boolean
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A category with many pages. */
export type TopCategory = {
  /** Category id. */
  id: string
  /** Name. */
  name: string
  /** Number of live pages in the category. */
  pageCount: number
}

/** A page with many views. */
export type TopPage = {
  /** Page id. */
  id: string
  /** Title. */
  title: string
  /** Views. */
  views: number
  /** (reactions + comments) / members who viewed it. */
  engagement: number
}

/** A deleted page. */
export type TrashedPage = {
  /** Page id. */
  id: string
  /** Title. */
  title: string
  /** Type. */
  pageType: 'feed' | 'article' | 'event' | 'poll'
  /** Status before the deletion, restored with the page. */
  status: 'draft' | 'published' | 'archived'
  /** Author; the names are null when the member was erased. */
  createdBy: Author | null
  /** Time of the deletion. */
  deleted_at: string | null
  /** Member id of the author. */
  createdById: string
}

/** The new state of the page. */
export type UnarchivePageResponse = {
  /** Page id. */
  id: string
  /** Status. */
  status: 'published' | 'draft'
}

/** The comment without the like. */
export type UnlikeCommentResponse = {
  /** Comment id. */
  id: string
  /** Number of likes. */
  likeCount: number
  /** Always false. */
  hasLiked: boolean
}

/** The new state of the page. */
export type UnpublishPageResponse = {
  /** Page id. */
  id: string
  /** Status. */
  status: 'draft'
  /** Always null. */
  publishedAt: string | null
}

/** The new state of the page. */
export type UnschedulePageResponse = {
  /** Page id. */
  id: string
  /** Status, unchanged. */
  status: 'draft' | 'published' | 'archived'
  /** Always null. */
  scheduledAt: string | null
}

/** The caller's interactions with a page. */
export type UserInteractions = {
  /** Whether the caller reacted to it. */
  hasLiked: boolean
  /** Whether the caller viewed it, including this request. */
  hasViewed: boolean
  /** Whether it is a favourite of the caller. */
  isFavorite: boolean
  /** Whether the caller bookmarked it. */
  isBookmarked: boolean
  /** Whether the caller follows its comments. */
  isFollowing: boolean
  /** The caller's reaction. */
  reactionType: 'like' | 'love' | 'haha' | 'wow' | 'sad' | 'angry' | null
  /** Whether the caller acknowledged it. */
  hasAcknowledged: boolean
}

/** A view. */
export type View = {
  /** View id. */
  id: string
  /** Page id. */
  pageId: string
  /** Member id of the caller. */
  memberId: string
  /** Workspace id. */
  workspaceId: string
  /** Reading time in seconds; null when unknown. */
  duration: number | null
  /** Kind of device; null when unknown. */
  deviceType: 'mobile' | 'desktop' | 'tablet' | null
  /** Time of the view. */
  createdAt: string | null
}

/** A page that the caller has viewed. */
export type ViewedPage = {
  /** Page id. */
  pageId: string
  /** Time of the caller's latest view. */
  lastViewedAt: string | null
}

/** An error. `error` is machine-readable, `message` human-readable. */
export type Error = {
  statusCode: number
  error: string
  message: string
  requestId: string
}

/** All invalid fields. */
export type ValidationErrors = {
  error: FieldError[]
}

/** An invalid field: its path as the client wrote it, a human-readable message, a machine-readable rule. */
export type FieldError = {
  path: string
  message: string
  rule: string
}

/** News service. */
export type NewsOperations = {
  /** Returns the statistics of one page. NotFoundError for an unknown page.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `view_analytics` */
  getPageAnalytics(
    input: {
      /** Page id. */
      id: string
      /** Number of days in byDay, including today, 1 to 366; 30 when absent. */
      days?: number
    },
    options?: CallOptions,
  ): Promise<GetPageAnalyticsResponse>
  /** Returns the statistics of a workspace.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_analytics` */
  getWorkspaceAnalytics(
    input: {
      /** Workspace id. */
      workspaceId: string
    },
    options?: CallOptions,
  ): Promise<GetWorkspaceAnalyticsResponse>
  /** Creates a category. ConflictError when the workspace already has the slug. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `create_content` */
  createCategory(
    input: {
      body: CreateCategoryRequest
    },
    options?: CallOptions,
  ): Promise<Category>
  /** Lists the categories of a workspace, by order and name.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) */
  listCategories(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListCategoriesResponse>
  /** Updates the fields in the body. NotFoundError for an unknown category, ConflictError for a taken slug.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content` */
  updateCategory(
    input: {
      /** Category id. */
      id: string
      body: {
        /** New name; cannot be cleared. */
        name?: string
        /** New slug; cannot be cleared. */
        slug?: string
        /** New free text. */
        description?: string | null
        /** New emoji or icon name. */
        icon?: string | null
        /** New colour, #RRGGBB or #RGB. */
        color?: string | null
        /** New position in lists, lowest first. */
        order?: number | null
        /** False deactivates it. */
        isActive?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<Category>
  /** Soft-deletes a category. Its pages remain, without a category. NotFoundError for an unknown category.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `delete_content` */
  deleteCategory(
    input: {
      /** Category id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteCategoryResponse>
  /** Creates a comment and emits comment.created. NotFoundError for an unknown page, or a parent of another page; ForbiddenError when comments are disabled for the page. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person · **Tenant:** the record's tenant */
  createComment(
    input: {
      body: CreateCommentRequest
    },
    options?: CallOptions,
  ): Promise<Comment>
  /** Lists the comments of a page with their replies, oldest first: as many as fit into 6 MB, and 10,000 at most. NotFoundError for an unknown page.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant */
  listComments(
    input: {
      /** Page id. */
      pageId: string
      /** Page number of top-level comments, starting at 1. All comments are returned when neither page nor limit is given. */
      page?: number
      /** Top-level comments per page, at most 100. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListCommentsResponse>
  /** Changes the text of the caller's own comment. NotFoundError for an unknown comment, ForbiddenError for another member's comment.
   *
   * **Callers:** person · **Tenant:** the record's tenant */
  updateComment(
    input: {
      /** Comment id. */
      id: string
      body: {
        /** New text, 1 to 10,000 characters; cannot be cleared. */
        content?: string
      }
    },
    options?: CallOptions,
  ): Promise<Comment>
  /** Soft-deletes a comment and emits comment.deleted; its replies remain. Allowed for its author and holders of moderate_comments: ForbiddenError for others. NotFoundError for an unknown comment.
   *
   * **Callers:** person · **Tenant:** the record's tenant */
  deleteComment(
    input: {
      /** Comment id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteCommentResponse>
  /** Likes a comment. Repeated likes count once. NotFoundError for an unknown comment, ForbiddenError when reactions are disabled for the page.
   *
   * **Callers:** person · **Tenant:** the record's tenant */
  likeComment(
    input: {
      /** Comment id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<LikeCommentResponse>
  /** Removes the caller's like of a comment. Succeeds without a like. NotFoundError for an unknown comment.
   *
   * **Callers:** person · **Tenant:** the record's tenant
   *
   * Added to the original contract: the counterpart of like. */
  unlikeComment(
    input: {
      /** Comment id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<UnlikeCommentResponse>
  /** Sets or replaces the caller's reaction and emits like.created. NotFoundError for an unknown page, ForbiddenError when reactions are disabled for the page. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person · **Tenant:** the record's tenant */
  createLike(
    input: {
      body: CreateLikeRequest
    },
    options?: CallOptions,
  ): Promise<CreateLikeResponse>
  /** Lists the reactions to a page. NotFoundError for an unknown page.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant */
  listLikes(
    input: {
      /** Page id. */
      pageId: string
      /** Page number of members, starting at 1. All members are returned when neither page nor limit is given. */
      page?: number
      /** Members per page, at most 100. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListLikesResponse>
  /** Removes the caller's reaction. Succeeds without a reaction. NotFoundError for an unknown page.
   *
   * **Callers:** person · **Tenant:** the record's tenant */
  deleteLike(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<DeleteLikeResponse>
  /** Lists the must-read pages that the caller hasn't acknowledged, earliest deadline first.
   *
   * **Callers:** person · **Tenant:** workspace (`workspaceId`)
   *
   * Added to the original contract: members see what to acknowledge. */
  listMustReads(
    input?: {
      /** Workspace id; the caller's own when absent. */
      workspaceId?: string
      /** Page number, starting at 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent. Larger values than 100 count as 100. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListMustReadsResponse>
  /** Reads the deadline of a must-read page and how many have acknowledged it. NotFoundError when the page isn't must-read or isn't visible to the caller.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant
   *
   * Added to the original contract: editors see the deadline after they have acknowledged the page. */
  getMustRead(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<MustRead>
  /** Makes a published page must-read, or changes its deadline. NotFoundError for an unknown page, ConflictError when the page isn't published, ValidationError for a new deadline in the past.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `publish_content`
   *
   * Added to the original contract: safety notices must reach every member. */
  setMustRead(
    input: {
      /** Page id. */
      pageId: string
      body: {
        /** Deadline for the acknowledgement; none when absent. A new one is in the future. */
        dueAt?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<MustRead>
  /** Makes a page optional again; acknowledgements are kept. Succeeds for a page that isn't must-read. NotFoundError for an unknown page.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `publish_content`
   *
   * Added to the original contract: the counterpart of set. */
  removeMustRead(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<RemoveMustReadResponse>
  /** Acknowledges a must-read page. Safe to repeat. NotFoundError when the page isn't must-read.
   *
   * **Callers:** person · **Tenant:** the record's tenant
   *
   * Added to the original contract: members acknowledge a page. */
  acknowledgePage(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<AcknowledgePageResponse>
  /** Lists the members who have or haven't acknowledged a must-read page. NotFoundError when the page isn't must-read.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `view_analytics`
   *
   * Added to the original contract: managers see who has acknowledged a page. */
  listReaders(
    input: {
      /** Page id. */
      pageId: string
      /** acknowledged or pending; both when absent. */
      status?: 'acknowledged' | 'pending'
      /** Page number, starting at 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent. Larger values than 100 count as 100. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListReadersResponse>
  /** Streams the members who must read the page as a file, by last name: names, teams, whether they viewed it, when they acknowledged it in the workspace's time zone. Texts that a spreadsheet would run as formulas are escaped. NotFoundError when the page isn't must-read.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `view_analytics`
   *
   * Added to the original contract: hotels show auditors who has read a notice. */
  exportReaders(
    input: {
      /** Page id. */
      pageId: string
      /** csv or xlsx; csv when absent. */
      format?: 'csv' | 'xlsx'
    },
    options?: CallOptions,
  ): Promise<Response>
  /** Reminds the members who haven't acknowledged the page and emits page.reminded, at most once an hour. NotFoundError when the page isn't must-read, ConflictError when it isn't published; TooManyRequestsError within an hour of the last reminder.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `send_notifications`
   *
   * Added to the original contract: managers remind readers. */
  remindReaders(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<RemindReadersResponse>
  /** Lists the pages for which the caller has preferences, latest change first.
   *
   * **Callers:** person · **Tenant:** workspace (`workspaceId`)
   *
   * Added to the original contract: clients list favourites and bookmarks. */
  listPagePreferences(
    input?: {
      /** Workspace id; the caller's own when absent. */
      workspaceId?: string
      /** Only favourites (true) or other pages (false). */
      isFavorite?: boolean
      /** Only bookmarked (true) or other pages (false). */
      isBookmarked?: boolean
      /** Only followed (true) or other pages (false). */
      isFollowing?: boolean
      /** Page number, starting at 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent. Larger values than 100 count as 100. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListPagePreferencesResponse>
  /** Returns the caller's preferences for a page, or the defaults. NotFoundError for an unknown page.
   *
   * **Callers:** person · **Tenant:** the record's tenant
   *
   * Added to the original contract: the original contract has the model without a route. */
  getPagePreference(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<PagePreference>
  /** Updates the preferences in the body. NotFoundError for an unknown page.
   *
   * **Callers:** person · **Tenant:** the record's tenant
   *
   * Added to the original contract: the original contract has the model without a route. */
  updatePagePreference(
    input: {
      /** Page id. */
      pageId: string
      body: {
        /** Whether the page is a favourite. */
        isFavorite?: boolean | null
        /** Whether the page is bookmarked. */
        isBookmarked?: boolean | null
        /** Whether to follow its comments. */
        isFollowing?: boolean | null
        /** Whether to notify of comments. */
        notifyOnComment?: boolean | null
        /** Whether to notify of reactions. */
        notifyOnLike?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<PagePreference>
  /** Lists the pages of a workspace, latest publication first by default.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) */
  listPages(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page number, starting at 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent. Larger values than 100 count as 100. */
      limit?: number
      /** Only pages of this type. */
      pageType?: 'feed' | 'article' | 'event' | 'poll'
      /** Only pages in this category. */
      categoryId?: string
      /** Only pages in this status. */
      status?: 'draft' | 'published' | 'archived'
      /** Only pages with this literal text in title or excerpt, ignoring case and accents; 1 to 500 characters. */
      search?: string
      /** Sort field; publishedAt when absent. */
      sortBy?: 'createdAt' | 'publishedAt' | 'viewCount' | 'likeCount'
      /** Sort order: asc or desc; desc when absent. */
      sortOrder?: 'asc' | 'desc'
      /** Only pages that the caller hasn't viewed; all pages when false or absent. ForbiddenError for callers without views, such as credentials. */
      unread?: boolean
      /** Only drafts with a publication time, soonest first unless sortBy is given; all pages when false or absent. */
      scheduled?: boolean
      /** nextCursor of the page before; no page may be given with it. */
      cursor?: string
    },
    options?: CallOptions,
  ): Promise<ListPagesResponse>
  /** Creates a page as a draft or published. A published page requires publish_content too and emits page.created. NotFoundError for an unknown parent or category. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Body:** at most 1,200,000 bytes, instead of 100,000.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `create_content` */
  createPage(
    input: {
      body: CreatePageRequest
    },
    options?: CallOptions,
  ): Promise<Page>
  /** Creates a page from a template and counts the use: a draft, or a published page, which requires publish_content. NotFoundError for an unknown template. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Body:** at most 1,200,000 bytes, instead of 100,000.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `create_content` */
  createPageFromTemplate(
    input: {
      /** Template id. */
      templateId: string
      body: {
        /** Title; the name of the template when absent. */
        title?: string | null
        /** Document of the block editor; that of the template when absent. */
        content?: Record<string, unknown> | null
        /** Short text, at most 2000 characters. */
        excerpt?: string | null
        /** Category id, in the same workspace. */
        categoryId?: string | null
        /** Id of the parent page, in the same workspace. */
        parentId?: string | null
        /** Images, videos and files, at most 50 of 64 kB together. */
        medias?: MediaInput[]
        /** Whether comments are enabled; true when absent. */
        enableComments?: boolean | null
        /** Whether reactions are enabled; true when absent. */
        enableLikes?: boolean | null
        /** Whether push notifications are sent; true when absent. */
        enableNotifications?: boolean | null
        /** draft or published; draft when absent. */
        status?: 'draft' | 'published' | null
        /** Workspace id of the template; ValidationError for another one. */
        workspaceId?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<Page>
  /** Lists deleted pages that can be restored, latest deletion first.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `delete_content`
   *
   * Added to the original contract: clients show what can be restored. */
  listTrashedPages(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page number, starting at 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent. Larger values than 100 count as 100. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListTrashedPagesResponse>
  /** Returns one page with the caller's interactions and records a view, unless asked not to. The ETag header contains the version. NotFoundError for an unknown page.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant */
  getPage(
    input: {
      /** Page id. */
      id: string
      /** Whether to record no view, as editors do that open a page to change it. */
      withoutView?: boolean
    },
    options?: CallOptions,
  ): Promise<Page>
  /** Updates the fields in the body and emits page.updated. A new status acts like the route of that transition, and requires publish_content to publish or unpublish. Callers with create_content only can update their own drafts until they are scheduled. NotFoundError for an unknown page, ValidationError for a cycle; 412 when If-Match names another version.
   *
   * **Body:** at most 1,200,000 bytes, instead of 100,000.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content` · **For the caller's own records:** `create_content` */
  updatePage(
    input: {
      /** Page id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
      body: {
        /** New title; cannot be cleared. */
        title?: string
        /** New document of the block editor; cannot be cleared. */
        content?: Record<string, unknown>
        /** New short text. */
        excerpt?: string | null
        /** New type. */
        pageType?: 'feed' | 'article' | 'event' | 'poll' | null
        /** New category id, in the same workspace. */
        categoryId?: string | null
        /** Id of the new parent page; null moves the page to the root. */
        parentId?: string | null
        /** All images, videos and files, at most 50 of 64 kB together. */
        medias?: MediaInput[]
        /** Whether comments are enabled. */
        enableComments?: boolean | null
        /** Whether reactions are enabled. */
        enableLikes?: boolean | null
        /** Whether push notifications are sent. */
        enableNotifications?: boolean | null
        /** New status; `published` acts like the publish route. */
        status?: 'draft' | 'published' | 'archived' | null
        /** New start of an event page. */
        eventStartsAt?: string | null
        /** New end of an event page; not before the start. */
        eventEndsAt?: string | null
        /** New location of an event page. */
        eventLocation?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<Page>
  /** Soft-deletes a page and emits page.deleted; its children move to the root. Callers with create_content only can delete their own drafts. NotFoundError for an unknown page; 412 when If-Match names another version. The ETag header contains the version to restore.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `delete_content` · **For the caller's own records:** `create_content` */
  deletePage(
    input: {
      /** Page id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
    },
    options?: CallOptions,
  ): Promise<DeletePageResponse>
  /** Archives a page, which hides it from readers and keeps its counters. NotFoundError for an unknown page, ConflictError when it is archived; 412 when If-Match names another version. The ETag header contains the new version.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content`
   *
   * Added to the original contract: the original contract has the status without a route. */
  archivePage(
    input: {
      /** Page id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
    },
    options?: CallOptions,
  ): Promise<ArchivePageResponse>
  /** Returns the path from the root to the page, and the pages below it. NotFoundError for an unknown page.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant */
  getPageHierarchy(
    input: {
      /** Page id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<GetPageHierarchyResponse>
  /** Publishes a draft, clears scheduledAt and emits page.created. NotFoundError for an unknown page, ConflictError when it isn't a draft; 412 when If-Match names another version. The ETag header contains the new version.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `publish_content` */
  publishPage(
    input: {
      /** Page id. */
      id: string
      /** Whether every member must acknowledge the page; unchanged when absent. False makes it optional. */
      mustRead?: boolean
      /** Deadline for the acknowledgement, after the publication; none when absent. Only with mustRead. */
      dueAt?: string
      /** Whether the page appears without notifying anybody: no inbox entry, push or mail; unchanged when absent. */
      isSilent?: boolean
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
    },
    options?: CallOptions,
  ): Promise<PublishPageResponse>
  /** Restores a deleted page, under its parent if that exists, otherwise at the root. NotFoundError for an unknown page, ConflictError when it isn't deleted; 412 when If-Match names another version. The ETag header contains the new version.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `delete_content`
   *
   * Added to the original contract: undoes a deletion. */
  restorePage(
    input: {
      /** Page id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
    },
    options?: CallOptions,
  ): Promise<Page>
  /** Sets the time when the scheduler publishes a draft; a past time means its next run. The caller must still be allowed to publish it then: otherwise it stays a draft without a time, and scheduleRefusal says why. NotFoundError for an unknown page, ConflictError when it isn't a draft; 412 when If-Match names another version. The ETag header contains the new version.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `publish_content` */
  schedulePage(
    input: {
      /** Page id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
      body: {
        /** Time of publication. */
        scheduledAt: string
        /** Whether every member must acknowledge the page; unchanged when absent. False makes it optional. */
        mustRead?: boolean | null
        /** Deadline for the acknowledgement, after the publication; none when absent. Only with mustRead. */
        dueAt?: string | null
        /** Whether the page appears without notifying anybody: no inbox entry, push or mail; unchanged when absent. */
        isSilent?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<SchedulePageResponse>
  /** Restores an archived page to its earlier status: published, or draft if it was never published. NotFoundError for an unknown page, ConflictError when it isn't archived; 412 when If-Match names another version. The ETag header contains the new version.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content`
   *
   * Added to the original contract: the counterpart of archive. */
  unarchivePage(
    input: {
      /** Page id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
    },
    options?: CallOptions,
  ): Promise<UnarchivePageResponse>
  /** Turns a published page into a draft. NotFoundError for an unknown page, ConflictError when it isn't published; 412 when If-Match names another version. The ETag header contains the new version.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `publish_content`
   *
   * Added to the original contract: undoes a publication. */
  unpublishPage(
    input: {
      /** Page id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
    },
    options?: CallOptions,
  ): Promise<UnpublishPageResponse>
  /** Cancels a scheduled publication. Succeeds when none is scheduled. NotFoundError for an unknown page; 412 when If-Match names another version. The ETag header contains the new version.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `publish_content`
   *
   * Added to the original contract: the counterpart of schedule. */
  unschedulePage(
    input: {
      /** Page id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
    },
    options?: CallOptions,
  ): Promise<UnschedulePageResponse>
  /** Lists the revisions of a page, latest first. NotFoundError for an unknown page.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content`
   *
   * Added to the original contract: editors see who changed what. */
  listRevisions(
    input: {
      /** Page id. */
      pageId: string
      /** Page number, starting at 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent. Larger values than 100 count as 100. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListRevisionsResponse>
  /** Returns one revision with its content. NotFoundError for an unknown revision.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content`
   *
   * Added to the original contract: editors compare before restoring. */
  getRevision(
    input: {
      /** Page id. */
      pageId: string
      /** Revision id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<Revision>
  /** Sets title, excerpt, content and medias of a page to those of a revision. This creates a new version and emits page.updated. NotFoundError for an unknown revision; 412 when If-Match names another version. The ETag header contains the new version.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content`
   *
   * Added to the original contract: undoes an edit. */
  restoreRevision(
    input: {
      /** Page id. */
      pageId: string
      /** Revision id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
    },
    options?: CallOptions,
  ): Promise<Page>
  /** Pins a page of the workspace; for a pinned page, changes order and expiry. NotFoundError for an unknown page. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `publish_content` */
  createPin(
    input: {
      body: CreatePinRequest
    },
    options?: CallOptions,
  ): Promise<Pin>
  /** Lists the current pins of a workspace, by order, then latest first.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) */
  listPins(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListPinsResponse>
  /** Unpins a page. Succeeds when it isn't pinned. NotFoundError for an unknown page.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `publish_content` */
  deletePin(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<DeletePinResponse>
  /** Returns the poll of a page with its counts and the caller's choice. NotFoundError when the page has none.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant
   *
   * Added to the original contract: the original contract has poll pages without a result. */
  getPoll(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<Poll>
  /** Sets the options of a poll page. NotFoundError for an unknown page, ValidationError for a page of another type, ConflictError after the first vote.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content` · **For the caller's own records:** `create_content`
   *
   * Added to the original contract: the original contract has poll pages without options. */
  setPoll(
    input: {
      /** Page id. */
      pageId: string
      body: {
        /** Question, at most 255 characters; the page's title is the question when absent. */
        question?: string | null
        /** Texts of 2 to 20 different options, each 1 to 200 characters. */
        options: string[]
        /** Whether a member can choose several options; false when absent. */
        multipleChoice?: boolean | null
        /** End of voting; none when absent. */
        closesAt?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<Poll>
  /** Votes, or replaces the caller's vote. NotFoundError when the page has no poll, ValidationError for an unknown option, or more than one where one is allowed; ConflictError when the poll is closed.
   *
   * **Callers:** person · **Tenant:** the record's tenant
   *
   * Added to the original contract: the original contract has poll pages without votes. */
  vote(
    input: {
      /** Page id. */
      pageId: string
      body: {
        /** Ids of the chosen options, 1 to 20. */
        optionIds: string[]
      }
    },
    options?: CallOptions,
  ): Promise<Poll>
  /** Removes the caller's vote. Succeeds without a vote. NotFoundError when the page has no poll, ConflictError when it is closed.
   *
   * **Callers:** person · **Tenant:** the record's tenant
   *
   * Added to the original contract: the counterpart of vote. */
  removeVote(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<Poll>
  /** Creates a template. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `create_content` */
  createTemplate(
    input: {
      body: CreateTemplateRequest
    },
    options?: CallOptions,
  ): Promise<Template>
  /** Lists the templates of a workspace, by name.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) */
  listTemplates(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListTemplatesResponse>
  /** Updates the fields in the body. NotFoundError for an unknown record.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content`
   *
   * Added to the original contract: corrects a template. */
  updateTemplate(
    input: {
      /** Template id. */
      id: string
      body: {
        /** New name; cannot be cleared. */
        name?: string
        /** New free text. */
        description?: string | null
        /** New type. */
        pageType?: 'article' | 'event' | 'poll' | null
        /** New document of the block editor; cannot be cleared. */
        content?: Record<string, unknown>
        /** False deactivates it. */
        isActive?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<Template>
  /** Soft-deletes a template. Pages created from it remain. NotFoundError for an unknown template.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `delete_content`
   *
   * Added to the original contract: the counterpart of creation. */
  deleteTemplate(
    input: {
      /** Template id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteTemplateResponse>
  /** Returns which of the given pages the caller has viewed, with the latest view of each. Other pages are omitted.
   *
   * **Callers:** person · **Tenant:** workspace (`workspaceId`)
   *
   * Added to the original contract: clients show which pages of a list are unread. */
  getViews(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page ids, 1 to 100; repeat the parameter for each. */
      pageId: string[]
    },
    options?: CallOptions,
  ): Promise<GetViewsResponse>
  /** Updates the caller's latest view of a page. NotFoundError when the caller hasn't viewed it.
   *
   * **Callers:** person · **Tenant:** the record's tenant
   *
   * Added to the original contract: only clients know the reading time. */
  updateView(
    input: {
      /** Page id. */
      pageId: string
      body: {
        /** Reading time so far in seconds, 0 to 86400. */
        duration?: number | null
        /** mobile, desktop or tablet. */
        deviceType?: 'mobile' | 'desktop' | 'tablet' | null
      }
    },
    options?: CallOptions,
  ): Promise<View>
  /** Reloads the members of a workspace from the member database.
   *
   * **Callers:** person, credential, service key · **Tenant:** workspace (`workspaceId`) */
  syncMembers(
    input: {
      body: SyncMembersRequest
    },
    options?: CallOptions,
  ): Promise<SyncMembersResponse>
}

export const newsRoutes: ClientRoutes<NewsOperations> = {
  getPageAnalytics: {
    verb: 'GET',
    path: '/api/v1/analytics/page/{id}',
    query: ['days'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getWorkspaceAnalytics: {
    verb: 'GET',
    path: '/api/v1/analytics/workspace/{workspaceId}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  createCategory: {
    verb: 'POST',
    path: '/api/v1/categories',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  listCategories: {
    verb: 'GET',
    path: '/api/v1/categories/workspace/{workspaceId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updateCategory: {
    verb: 'PATCH',
    path: '/api/v1/categories/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  deleteCategory: {
    verb: 'DELETE',
    path: '/api/v1/categories/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  createComment: {
    verb: 'POST',
    path: '/api/v1/comments',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  listComments: {
    verb: 'GET',
    path: '/api/v1/comments/page/{pageId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updateComment: {
    verb: 'PATCH',
    path: '/api/v1/comments/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  deleteComment: {
    verb: 'DELETE',
    path: '/api/v1/comments/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  likeComment: {
    verb: 'POST',
    path: '/api/v1/comments/{id}/like',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  unlikeComment: {
    verb: 'DELETE',
    path: '/api/v1/comments/{id}/like',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  createLike: {
    verb: 'POST',
    path: '/api/v1/likes',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  listLikes: {
    verb: 'GET',
    path: '/api/v1/likes/page/{pageId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  deleteLike: {
    verb: 'DELETE',
    path: '/api/v1/likes/{pageId}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listMustReads: {
    verb: 'GET',
    path: '/api/v1/must-read',
    query: ['workspaceId', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getMustRead: {
    verb: 'GET',
    path: '/api/v1/must-read/{pageId}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  setMustRead: {
    verb: 'PUT',
    path: '/api/v1/must-read/{pageId}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  removeMustRead: {
    verb: 'DELETE',
    path: '/api/v1/must-read/{pageId}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  acknowledgePage: {
    verb: 'POST',
    path: '/api/v1/must-read/{pageId}/acknowledge',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  listReaders: {
    verb: 'GET',
    path: '/api/v1/must-read/{pageId}/readers',
    query: ['status', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  exportReaders: {
    verb: 'GET',
    path: '/api/v1/must-read/{pageId}/readers/export',
    query: ['format'],
    body: 'none',
    answer: 'stream',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  remindReaders: {
    verb: 'POST',
    path: '/api/v1/must-read/{pageId}/remind',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  listPagePreferences: {
    verb: 'GET',
    path: '/api/v1/page-preferences',
    query: ['workspaceId', 'isFavorite', 'isBookmarked', 'isFollowing', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getPagePreference: {
    verb: 'GET',
    path: '/api/v1/page-preferences/{pageId}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updatePagePreference: {
    verb: 'PATCH',
    path: '/api/v1/page-preferences/{pageId}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  listPages: {
    verb: 'GET',
    path: '/api/v1/pages',
    query: [
      'workspaceId',
      'page',
      'limit',
      'pageType',
      'categoryId',
      'status',
      'search',
      'sortBy',
      'sortOrder',
      'unread',
      'scheduled',
      'cursor',
    ],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  createPage: {
    verb: 'POST',
    path: '/api/v1/pages',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  createPageFromTemplate: {
    verb: 'POST',
    path: '/api/v1/pages/from-template/{templateId}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  listTrashedPages: {
    verb: 'GET',
    path: '/api/v1/pages/trash',
    query: ['workspaceId', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getPage: {
    verb: 'GET',
    path: '/api/v1/pages/{id}',
    query: ['withoutView'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updatePage: {
    verb: 'PATCH',
    path: '/api/v1/pages/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  deletePage: {
    verb: 'DELETE',
    path: '/api/v1/pages/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  archivePage: {
    verb: 'POST',
    path: '/api/v1/pages/{id}/archive',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  getPageHierarchy: {
    verb: 'GET',
    path: '/api/v1/pages/{id}/hierarchy',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  publishPage: {
    verb: 'POST',
    path: '/api/v1/pages/{id}/publish',
    query: ['mustRead', 'dueAt', 'isSilent'],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  restorePage: {
    verb: 'POST',
    path: '/api/v1/pages/{id}/restore',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  schedulePage: {
    verb: 'POST',
    path: '/api/v1/pages/{id}/schedule',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  unarchivePage: {
    verb: 'POST',
    path: '/api/v1/pages/{id}/unarchive',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  unpublishPage: {
    verb: 'POST',
    path: '/api/v1/pages/{id}/unpublish',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  unschedulePage: {
    verb: 'POST',
    path: '/api/v1/pages/{id}/unschedule',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  listRevisions: {
    verb: 'GET',
    path: '/api/v1/pages/{pageId}/revisions',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getRevision: {
    verb: 'GET',
    path: '/api/v1/pages/{pageId}/revisions/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  restoreRevision: {
    verb: 'POST',
    path: '/api/v1/pages/{pageId}/revisions/{id}/restore',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  createPin: {
    verb: 'POST',
    path: '/api/v1/pins',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  listPins: {
    verb: 'GET',
    path: '/api/v1/pins/workspace/{workspaceId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  deletePin: {
    verb: 'DELETE',
    path: '/api/v1/pins/{pageId}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getPoll: {
    verb: 'GET',
    path: '/api/v1/polls/{pageId}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  setPoll: {
    verb: 'PUT',
    path: '/api/v1/polls/{pageId}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  vote: {
    verb: 'POST',
    path: '/api/v1/polls/{pageId}/vote',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  removeVote: {
    verb: 'DELETE',
    path: '/api/v1/polls/{pageId}/vote',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  createTemplate: {
    verb: 'POST',
    path: '/api/v1/templates',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  listTemplates: {
    verb: 'GET',
    path: '/api/v1/templates/workspace/{workspaceId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updateTemplate: {
    verb: 'PATCH',
    path: '/api/v1/templates/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  deleteTemplate: {
    verb: 'DELETE',
    path: '/api/v1/templates/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getViews: {
    verb: 'GET',
    path: '/api/v1/views',
    query: ['workspaceId', 'pageId'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updateView: {
    verb: 'PATCH',
    path: '/api/v1/views/{pageId}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  syncMembers: {
    verb: 'POST',
    path: '/sync/members',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
}
