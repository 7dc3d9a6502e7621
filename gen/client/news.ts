// Written by npm run gen from gen/openapi/news.json; never edited.
import type { CallOptions, Routes } from '../../edge/client/call.ts'

/** The acknowledgement. */
export type AcknowledgePageResponse = {
  /** Page id. */
  pageId: string
  /** Time of the first acknowledgement of the caller. */
  acknowledgedAt: string | null
}

/** The archived page in short. */
export type ArchivePageResponse = {
  /** Page id. */
  id: string
  /** archived. */
  status: string
}

/** A member as seen beside content. */
export type Author = {
  /** Member id. */
  id: string
  /** First name; null when the member was erased. */
  firstName: string | null
  /** Last name; null when the member was erased. */
  lastName: string | null
  /** Address of the picture. */
  photo_url: string | null
}

/** A category as answered. */
export type Category = {
  /** Category id. */
  id: string
  /** Name. */
  name: string
  /** Short name, unique within the workspace. */
  slug: string
  /** Free text. */
  description: string | null
  /** Emoji or icon name. */
  icon: string | null
  /** Colour as #RRGGBB or #RGB. */
  color: string | null
  /** Workspace id. */
  workspaceId: string
  /** Place in lists; lower ones first. */
  order: number
  /** False when it is at rest. */
  isActive: boolean
  /** Live pages in it that the caller sees: published ones and own drafts, for editors all. */
  pageCount: number
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A category in short. */
export type CategoryReference = {
  /** Category id. */
  id: string
  /** Name. */
  name: string
  /** Emoji or icon name. */
  icon: string | null
  /** Colour as #RRGGBB or #RGB. */
  color: string | null
}

/** A comment as answered. */
export type Comment = {
  /** Comment id. */
  id: string
  /** Text; empty when it was deleted and stands for its replies. */
  content: string
  /** Page id. */
  pageId: string
  /** Author; null when the comment was deleted. Its names are null when the member was erased. */
  member: Author | null
  /** Likes. */
  likeCount: number
  /** Live replies, oldest first, with theirs. */
  replies: Comment[]
  /** Creation time. */
  createdAt: string | null
  /** Comment it replies to; null at the top. */
  parentId: string | null
  /** True when its text was changed. */
  isEdited: boolean
  /** Time of the last change of the text. */
  editedAt: string | null
  /** True when the caller likes it. */
  hasLiked: boolean
  /** True for a deleted comment that has live replies. */
  isDeleted: boolean
}

/** Comments of a page. */
export type CommentStats = {
  /** Live comments, replies included. */
  total: number
}

/** Fields of a new category. */
export type CreateCategoryRequest = {
  /** Name, 1 to 120 characters. */
  name: string
  /** Letters, digits, hyphens and underscores; made from the name when absent. */
  slug?: string | null
  /** Free text, at most 2000 characters. */
  description?: string | null
  /** Emoji or icon name, at most 64 characters. */
  icon?: string | null
  /** Colour as #RRGGBB or #RGB. */
  color?: string | null
  /** Workspace that gets the category. */
  workspaceId: string
  /** Place in lists; 0 when absent. */
  order?: number | null
}

/** Fields of a new comment. */
export type CreateCommentRequest = {
  /** Page to comment. */
  pageId: string
  /** Text, 1 to 10,000 characters. */
  content: string
  /** Comment of the same page to reply to; null or absent at the top. */
  parentId?: string | null
}

/** A reaction. */
export type CreateLikeRequest = {
  /** Page id. */
  pageId: string
  /** like, love, haha, wow, sad or angry; like when absent. */
  reactionType?: 'like' | 'love' | 'haha' | 'wow' | 'sad' | 'angry' | null | null
}

/** The caller's reaction. */
export type CreateLikeResponse = {
  /** Reaction id. */
  id: string
  /** Page id. */
  pageId: string
  /** like, love, haha, wow, sad or angry. */
  reactionType: string
  /** Time of the first reaction of the caller to the page. */
  createdAt: string | null
}

/** Fields of a new page. */
export type CreatePageRequest = {
  /** Title, 1 to 255 characters. */
  title: string
  /** Editor block document: any object. */
  content: Record<string, unknown>
  /** Short text, at most 2000 characters. */
  excerpt?: string | null
  /** feed, article, event or poll; article when absent. */
  pageType?: 'feed' | 'article' | 'event' | 'poll' | null | null
  /** Category of the same workspace. */
  categoryId?: string | null
  /** Page of the same workspace to stand under. */
  parentId?: string | null
  /** Workspace that gets the page. */
  workspaceId: string
  /** Pictures, films and files, at most 50. */
  medias?: MediaInput[]
  /** False refuses comments; true when absent. */
  enableComments?: boolean | null
  /** False keeps push notifications away; true when absent. */
  enableNotifications?: boolean | null
  /** draft or published; draft when absent. */
  status?: 'draft' | 'published' | null | null
  /** False refuses reactions; true when absent. */
  enableLikes?: boolean | null
  /** Start, of an event page. */
  eventStartsAt?: string | null
  /** End, of an event page; not before the start. */
  eventEndsAt?: string | null
  /** Place, of an event page; at most 255 characters. */
  eventLocation?: string | null
}

/** A page to pin. */
export type CreatePinRequest = {
  /** Page id. */
  pageId: string
  /** Workspace of the page. */
  workspaceId: string
  /** Place in the list; 0 when absent. */
  order?: number | null
  /** End of the pin; it stays when absent. */
  expiresAt?: string | null
}

/** Fields of a new template. */
export type CreateTemplateRequest = {
  /** Name, 1 to 120 characters. */
  name: string
  /** Free text, at most 2000 characters. */
  description?: string | null
  /** article, event or poll; article when absent. */
  pageType?: 'article' | 'event' | 'poll' | null | null
  /** Editor block document: any object. */
  content: Record<string, unknown>
  /** Workspace that gets the template. */
  workspaceId: string
}

/** Views of one day. */
export type DayCount = {
  /** Day in the time zone of the workspace, YYYY-MM-DD. */
  date: string
  /** Views. */
  count: number
}

/** Says what happened. */
export type DeleteCategoryResponse = {
  /** For a person. */
  message: string
  /** Category id. */
  id: string
}

/** Says what happened. */
export type DeleteCommentResponse = {
  /** For a person. */
  message: string
  /** Comment id. */
  id: string
}

/** Says what happened. */
export type DeleteLikeResponse = {
  /** For a person. */
  message: string
  /** Page id. */
  pageId: string
}

/** Says what happened. */
export type DeletePageResponse = {
  /** For a person. */
  message: string
  /** Page id. */
  id: string
}

/** Says what happened. */
export type DeletePinResponse = {
  /** For a person. */
  message: string
  /** Page id. */
  pageId: string
}

/** Says what happened. */
export type DeleteTemplateResponse = {
  /** For a person. */
  message: string
  /** Template id. */
  id: string
}

/** How readers take part. */
export type EngagementStats = {
  /** (reactions + comments) / members who saw it; 0 without views. */
  rate: number
  /** Mean seconds of the views that told their duration; 0 when none did. */
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
  /** How readers take part. */
  engagement: EngagementStats | null
}

/** Where a page stands. */
export type GetPageHierarchyResponse = {
  /** From the root to the page itself. */
  breadcrumb: PageReference[]
  /** Pages below that the caller may see, oldest first. */
  children: PageNode[]
}

/** Statistics of a workspace. */
export type GetWorkspaceAnalyticsResponse = {
  /** Pages. */
  pages: PageCounts | null
  /** What members did with them. */
  interactions: InteractionCounts | null
  /** At most ten published pages, most views first. */
  topPages: TopPage[]
  /** At most ten categories, most pages first. */
  topCategories: TopCategory[]
}

/** Sums over the live pages. */
export type InteractionCounts = {
  /** Views. */
  views: number
  /** Reactions of any type. */
  likes: number
  /** Live comments. */
  comments: number
}

/** The comment after the like. */
export type LikeCommentResponse = {
  /** Comment id. */
  id: string
  /** Likes. */
  likeCount: number
  /** True. */
  hasLiked: boolean
}

/** The categories of a workspace. */
export type ListCategoriesResponse = {
  /** Categories by order, then name. */
  data: Category[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** The comments of a page. */
export type ListCommentsResponse = {
  /** Top-level comments, oldest first. */
  data: Comment[]
  /** Live comments of the page, replies included. */
  total: number
  /** Counts top-level comments, and says what part of them this is; one page when they came whole. */
  meta: PageMeta | null
}

/** The reactions to a page. */
export type ListLikesResponse = {
  /** Reactions of any type. */
  total: number
  /** Reactions by type; types nobody used are left out. */
  breakdown: Record<string, number>
  /** Who reacted, latest first. */
  members: MemberReaction[]
  /** What part of the members this is; one page when they came whole. */
  meta: PageMeta | null
}

/** A page of must-read pages. */
export type ListMustReadsResponse = {
  /** Must-read pages, soonest due first. */
  data: MustRead[]
  /** Totals. */
  meta: PageMeta | null
}

/** A page of preferences. */
export type ListPagePreferencesResponse = {
  /** Preferences with their pages, latest change first. */
  data: PreferredPage[]
  /** Totals. */
  meta: PageMeta | null
}

/** A page of pages. */
export type ListPagesResponse = {
  /** Pages in the order asked for. */
  data: PageSummary[]
  /** Totals. */
  meta: PageMeta | null
}

/** The pinned pages of a workspace. */
export type ListPinsResponse = {
  /** Pins by order, then latest first. */
  data: Pin[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** A page of readers. */
export type ListReadersResponse = {
  /** Members by last name. */
  data: Reader[]
  /** Totals. */
  meta: PageMeta | null
}

/** A page of revisions. */
export type ListRevisionsResponse = {
  /** Revisions, latest first. */
  data: RevisionSummary[]
  /** Totals. */
  meta: PageMeta | null
}

/** The templates of a workspace. */
export type ListTemplatesResponse = {
  /** Templates by name. */
  data: Template[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** A page of deleted pages. */
export type ListTrashedPagesResponse = {
  /** Deleted pages, latest deletion first. */
  data: TrashedPage[]
  /** Totals. */
  meta: PageMeta | null
}

/** A picture, film or file of a page. */
export type Media = {
  /** Address of the file, http or https. */
  fileUrl: string
  /** Address of a small picture of it, http or https. */
  thumbnailUrl: string | null
  /** Kind of file, such as image, video or file; at most 64 characters. */
  type: string
}

/** A picture, film or file of a page. */
export type MediaInput = {
  /** Address of the file, http or https. */
  fileUrl: string
  /** Address of a small picture of it, http or https. */
  thumbnailUrl?: string | null
  /** Kind of file, such as image, video or file; at most 64 characters. */
  type?: string
}

/** The reaction of one member. */
export type MemberReaction = {
  /** Who reacted; null when the member was erased. */
  member: Author | null
  /** like, love, haha, wow, sad or angry. */
  reactionType: string
}

/** A must-read page as answered. */
export type MustRead = {
  /** Page id. */
  pageId: string
  /** Title of the page. */
  title: string
  /** When it must be acknowledged; null for no date. */
  dueAt: string | null
  /** Members who have acknowledged it. */
  acknowledgedCount: number
  /** Active members of the workspace. */
  membersCount: number
  /** Time of the last reminder; null for none. */
  remindedAt: string | null
  /** Since when it is must-read. */
  createdAt: string | null
}

/** A page as answered. */
export type Page = {
  /** Page id. */
  id: string
  /** Workspace id. */
  workspaceId: string
  /** Title. */
  title: string
  /** Editor block document; never rendered by the platform. */
  content: Record<string, unknown> | null
  /** Short text for lists. */
  excerpt: string | null
  /** feed, article, event or poll. */
  pageType: string
  /** draft, published or archived. */
  status: string
  /** Time of publication; null before it. */
  publishedAt: string | null
  /** Planned publication; null for none. */
  scheduledAt: string | null
  /** Page above; null at the root. */
  parent: PageReference | null
  /** Pages directly below that the caller may see, oldest first. */
  children: PageReference[]
  /** Category; null for none. */
  category: CategoryReference | null
  /** Author; its names are null when the member was erased. */
  createdBy: Author | null
  /** Member id of the last editor. */
  updatedById: string | null
  /** Pictures, films and files in order. */
  medias: Media[]
  /** Views, one per reading. */
  viewCount: number
  /** Reactions of any type. */
  likeCount: number
  /** Live comments, replies included. */
  commentCount: number
  /** What the caller did with the page. */
  userInteractions: UserInteractions | null
  /** True while a pin holds it. */
  isPinned: boolean
  /** False refuses comments. */
  enableComments: boolean
  /** False refuses reactions. */
  enableLikes: boolean
  /** False keeps push notifications away. */
  enableNotifications: boolean
  /** Start, of an event page. */
  eventStartsAt: string | null
  /** End, of an event page. */
  eventEndsAt: string | null
  /** Place, of an event page. */
  eventLocation: string | null
  /** True when members must acknowledge it. */
  isMustRead: boolean
  /** Grows by one with each change; the value of the ETag header. */
  version: number
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** Live pages by status. */
export type PageCounts = {
  /** All, archived ones included. */
  total: number
  /** Published ones. */
  published: number
  /** Drafts. */
  drafts: number
}

/** The meta part of a paginated answer (document 1, tenancy rule 6). */
export type PageMeta = {
  /** Records that match, over all pages. */
  total: number
  /** The page answered, from 1. */
  page: number
  /** Records per page, at most 100. */
  limit: number
  /** ceil(total / limit). */
  totalPages: number
}

/** A page in the tree. */
export type PageNode = {
  /** Page id. */
  id: string
  /** Title. */
  title: string
  /** feed, article, event or poll. */
  pageType: string
  /** draft, published or archived. */
  status: string
  /** Pages below; empty below the tenth level. */
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
  /** A favourite of the caller. */
  isFavorite: boolean
  /** Bookmarked by the caller. */
  isBookmarked: boolean
  /** The caller follows its comments. */
  isFollowing: boolean
  /** Tell the caller of comments; true by default. */
  notifyOnComment: boolean
  /** Tell the caller of reactions; false by default. */
  notifyOnLike: boolean
  /** Time of the last change; null when these are the defaults. */
  updatedAt: string | null
}

/** A page in short. */
export type PageReference = {
  /** Page id. */
  id: string
  /** Title. */
  title: string
}

/** A page as listed. */
export type PageSummary = {
  /** Page id. */
  id: string
  /** Title. */
  title: string
  /** Short text. */
  excerpt: string | null
  /** feed, article, event or poll. */
  pageType: string
  /** draft, published or archived. */
  status: string
  /** Time of publication; null before it. */
  publishedAt: string | null
  /** Author; its names are null when the member was erased. */
  createdBy: Author | null
  /** Category; null for none. */
  category: CategoryReference | null
  /** Pictures, films and files in order. */
  medias: Media[]
  /** Views, one per reading. */
  viewCount: number
  /** Reactions of any type. */
  likeCount: number
  /** Live comments, replies included. */
  commentCount: number
  /** True while a pin holds it. */
  isPinned: boolean
  /** Planned publication; null for none. */
  scheduledAt: string | null
  /** Creation time. */
  createdAt: string | null
}

/** Views of a page. */
export type PageViewStats = {
  /** Views, one per reading. */
  total: number
  /** Members who saw it. */
  unique: number
  /** Days with views, oldest first. */
  byDay: DayCount[]
}

/** A pin as answered. */
export type Pin = {
  /** Pin id. */
  id: string
  /** Page id. */
  pageId: string
  /** Workspace id. */
  workspaceId: string
  /** Member id of who pinned it. */
  pinnedBy: string
  /** Place in the list; lower ones first. */
  order: number
  /** End of the pin; null for none. */
  expiresAt: string | null
  /** The pinned page. */
  page: PageSummary | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A poll as answered. */
export type Poll = {
  /** Page id. */
  pageId: string
  /** Question; the page's title says it when null. */
  question: string | null
  /** Options in order. */
  options: PollOption[]
  /** True when a member may choose several. */
  multipleChoice: boolean
  /** End of the vote; null for none. */
  closesAt: string | null
  /** True when no vote is taken any more. */
  isClosed: boolean
  /** Members who voted. */
  votersCount: number
  /** Ids of the options that the caller chose. */
  ownOptionIds: string[]
}

/** An option of a poll. */
export type PollOption = {
  /** Option id. */
  id: string
  /** Text. */
  label: string
  /** Votes for it. */
  voteCount: number
}

/** A page with the caller's preferences. */
export type PreferredPage = {
  /** The preferences. */
  preference: PagePreference | null
  /** The page. */
  page: PageSummary | null
}

/** The published page in short. */
export type PublishPageResponse = {
  /** Page id. */
  id: string
  /** published. */
  status: string
  /** Time of publication. */
  publishedAt: string | null
}

/** Reactions to a page. */
export type ReactionStats = {
  /** Reactions of any type. */
  total: number
  /** Reactions by type; types nobody used are left out. */
  breakdown: Record<string, number>
}

/** A member who has to read the page. */
export type Reader = {
  /** Who it is. */
  member: Author | null
  /** True when they saw the page. */
  hasViewed: boolean
  /** Time of the acknowledgement; null before it. */
  acknowledgedAt: string | null
}

/** The reminder. */
export type RemindReadersResponse = {
  /** Page id. */
  pageId: string
  /** Members reminded. */
  remindedCount: number
  /** Time of the reminder. */
  remindedAt: string | null
}

/** Says what happened. */
export type RemoveMustReadResponse = {
  /** For a person. */
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
  /** Version of the page that it made. */
  version: number
  /** Title at that version. */
  title: string
  /** Short text at that version. */
  excerpt: string | null
  /** Editor block document at that version. */
  content: Record<string, unknown> | null
  /** Pictures, films and files at that version. */
  medias: Media[]
  /** Names of the fields that it changed. */
  changedFields: string[]
  /** Who made it; its names are null when the member was erased. */
  createdBy: Author | null
  /** When it was made. */
  createdAt: string | null
  /** API credential by which it was made; null for the member in person. */
  credentialId: string | null
}

/** A revision as listed. */
export type RevisionSummary = {
  /** Revision id. */
  id: string
  /** Page id. */
  pageId: string
  /** Version of the page that it made. */
  version: number
  /** Title at that version. */
  title: string
  /** Names of the fields that it changed. */
  changedFields: string[]
  /** Who made it; its names are null when the member was erased. */
  createdBy: Author | null
  /** When it was made. */
  createdAt: string | null
  /** API credential by which it was made; null for the member in person. */
  credentialId: string | null
}

/** The planned publication. */
export type SchedulePageResponse = {
  /** Page id. */
  id: string
  /** draft. */
  status: string
  /** Time to publish at. */
  scheduledAt: string | null
}

/** Names the workspace. */
export type SyncMembersRequest = {
  /** Workspace id; the caller's own when absent, required of a service. */
  workspaceId?: string | null
}

/** What the cache holds now. */
export type SyncMembersResponse = {
  /** Workspace id. */
  workspaceId: string
  /** Active members. */
  membersCount: number
  /** Time of the reading. */
  syncedAt: string | null
}

/** A template as answered. */
export type Template = {
  /** Template id. */
  id: string
  /** Name. */
  name: string
  /** Free text. */
  description: string | null
  /** Editor block document. */
  content: Record<string, unknown> | null
  /** Workspace id. */
  workspaceId: string
  /** article, event or poll. */
  pageType: string
  /** Pages made from it. */
  usageCount: number
  /** False when it is at rest. */
  isActive: boolean
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A category that is used much. */
export type TopCategory = {
  /** Category id. */
  id: string
  /** Name. */
  name: string
  /** Live pages in it. */
  pageCount: number
}

/** A page that is seen much. */
export type TopPage = {
  /** Page id. */
  id: string
  /** Title. */
  title: string
  /** Views. */
  views: number
  /** (reactions + comments) / members who saw it. */
  engagement: number
}

/** A deleted page. */
export type TrashedPage = {
  /** Page id. */
  id: string
  /** Title. */
  title: string
  /** feed, article, event or poll. */
  pageType: string
  /** Status before the deletion, which a restore brings back. */
  status: string
  /** Author; its names are null when the member was erased. */
  createdBy: Author | null
  /** Time of the deletion. */
  deleted_at: string | null
}

/** The page as it is back. */
export type UnarchivePageResponse = {
  /** Page id. */
  id: string
  /** published or draft. */
  status: string
}

/** The comment without the like. */
export type UnlikeCommentResponse = {
  /** Comment id. */
  id: string
  /** Likes. */
  likeCount: number
  /** False. */
  hasLiked: boolean
}

/** The page as a draft. */
export type UnpublishPageResponse = {
  /** Page id. */
  id: string
  /** draft. */
  status: string
  /** Null. */
  publishedAt: string | null
}

/** The page without a plan. */
export type UnschedulePageResponse = {
  /** Page id. */
  id: string
  /** Status, as it was. */
  status: string
  /** Null. */
  scheduledAt: string | null
}

/** What the caller did with a page. */
export type UserInteractions = {
  /** The caller reacted to it. */
  hasLiked: boolean
  /** The caller saw it, now included. */
  hasViewed: boolean
  /** The caller marked it as a favourite. */
  isFavorite: boolean
  /** The caller bookmarked it. */
  isBookmarked: boolean
  /** The caller follows its comments. */
  isFollowing: boolean
  /** The caller's reaction: like, love, haha, wow, sad or angry. */
  reactionType: string | null
  /** The caller acknowledged it. */
  hasAcknowledged: boolean
}

/** A view as answered. */
export type View = {
  /** View id. */
  id: string
  /** Page id. */
  pageId: string
  /** Member id of the caller. */
  memberId: string
  /** Workspace id. */
  workspaceId: string
  /** Seconds of reading; null when not told. */
  duration: number | null
  /** mobile, desktop or tablet; null when not told. */
  deviceType: string | null
  /** Time of the view. */
  createdAt: string | null
}

/** An error. Programs read `error`; `message` is for people. */
export type Error = {
  statusCode: number
  error: string
  message: string
  requestId: string
}

/** Every invalid field. */
export type ValidationErrors = {
  error: FieldError[]
}

/** An invalid field: its path as the client sent it, a message for people, and the rule for programs. */
export type FieldError = {
  path: string
  message: string
  rule: string
}

/** News service. */
export type NewsOperations = {
  /** Statistics of one page. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `view_analytics` */
  getPageAnalytics(
    input: {
      /** Page id. */
      id: string
      /** Days in byDay, today included, 1 to 366; 30 when absent. */
      days?: number
    },
    options?: CallOptions,
  ): Promise<GetPageAnalyticsResponse>
  /** Statistics of a workspace.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_analytics` */
  getWorkspaceAnalytics(
    input: {
      /** Workspace id. */
      workspaceId: string
    },
    options?: CallOptions,
  ): Promise<GetWorkspaceAnalyticsResponse>
  /** Creates a category. ConflictError when the workspace has the slug. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `create_content` */
  createCategory(
    input: {
      body: CreateCategoryRequest
    },
    options?: CallOptions,
  ): Promise<Category>
  /** Lists the categories of a workspace by order, then name.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) */
  listCategories(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListCategoriesResponse>
  /** Changes the fields that the body names. NotFoundError, ConflictError on a taken slug.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content` */
  updateCategory(
    input: {
      /** Category id. */
      id: string
      body: {
        /** New name; cannot be cleared. */
        name?: string
        /** New short name; cannot be cleared. */
        slug?: string
        /** New free text. */
        description?: string | null
        /** New emoji or icon name. */
        icon?: string | null
        /** New colour as #RRGGBB or #RGB. */
        color?: string | null
        /** New place in lists. */
        order?: number | null
        /** False puts it at rest. */
        isActive?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<Category>
  /** Deletes a category softly; its pages stay, without a category. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `delete_content` */
  deleteCategory(
    input: {
      /** Category id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteCategoryResponse>
  /** Comments a page and emits comment.created. NotFoundError on an unknown page, or a parent of another page; ForbiddenError when the page takes no comments. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person · **Tenant:** the record's tenant */
  createComment(
    input: {
      body: CreateCommentRequest
    },
    options?: CallOptions,
  ): Promise<Comment>
  /** Lists the comments of a page with their replies, oldest first. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant */
  listComments(
    input: {
      /** Page id. */
      pageId: string
      /** Page of top-level comments from 1; all are answered when neither page nor limit is given. */
      page?: number
      /** Top-level comments per page, at most 100. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListCommentsResponse>
  /** Changes the text of the caller's own comment. NotFoundError, ForbiddenError on another's.
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
  /** Deletes a comment softly and emits comment.deleted; its replies stay. For its author and holders of moderate_comments. NotFoundError, ForbiddenError.
   *
   * **Callers:** person · **Tenant:** the record's tenant */
  deleteComment(
    input: {
      /** Comment id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteCommentResponse>
  /** Likes a comment; liking twice counts once. NotFoundError; ForbiddenError when the page takes no reactions.
   *
   * **Callers:** person · **Tenant:** the record's tenant */
  likeComment(
    input: {
      /** Comment id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<LikeCommentResponse>
  /** Takes the caller's like of a comment back; nothing happens when there is none. NotFoundError.
   *
   * **Callers:** person · **Tenant:** the record's tenant
   *
   * Not documented elsewhere: the counterpart of like. */
  unlikeComment(
    input: {
      /** Comment id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<UnlikeCommentResponse>
  /** Sets or replaces the caller's reaction and emits like.created. NotFoundError on an unknown page; ForbiddenError when the page takes no reactions. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person · **Tenant:** the record's tenant */
  createLike(
    input: {
      body: CreateLikeRequest
    },
    options?: CallOptions,
  ): Promise<CreateLikeResponse>
  /** Lists the reactions to a page. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant */
  listLikes(
    input: {
      /** Page id. */
      pageId: string
      /** Page of members from 1; all are answered when neither page nor limit is given. */
      page?: number
      /** Members per page, at most 100. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListLikesResponse>
  /** Takes the caller's reaction back; nothing happens when there is none. NotFoundError on an unknown page.
   *
   * **Callers:** person · **Tenant:** the record's tenant */
  deleteLike(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<DeleteLikeResponse>
  /** Lists the must-read pages that the caller has not acknowledged, soonest due first.
   *
   * **Callers:** person · **Tenant:** workspace (`workspaceId`)
   *
   * Not documented elsewhere: members see what they must read. */
  listMustReads(
    input?: {
      /** Workspace id; the caller's own when absent. */
      workspaceId?: string
      /** Page from 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent, and never more than 100 are answered. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListMustReadsResponse>
  /** Makes a published page must-read, or changes when it is due. NotFoundError, ConflictError when the page is not published.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `publish_content`
   *
   * Not documented elsewhere: safety notices must reach everybody. */
  setMustRead(
    input: {
      /** Page id. */
      pageId: string
      body: {
        /** When it must be acknowledged; no date when absent. */
        dueAt?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<MustRead>
  /** Ends the duty to read a page; acknowledgements are kept. Nothing happens when there is none. NotFoundError on an unknown page.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `publish_content`
   *
   * Not documented elsewhere: the counterpart of set. */
  removeMustRead(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<RemoveMustReadResponse>
  /** Acknowledges a must-read page; again changes nothing. NotFoundError when the page is not must-read.
   *
   * **Callers:** person · **Tenant:** the record's tenant
   *
   * Not documented elsewhere: members say that they have read. */
  acknowledgePage(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<AcknowledgePageResponse>
  /** Lists who has, or has not, acknowledged a must-read page. NotFoundError when it is not must-read.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `view_analytics`
   *
   * Not documented elsewhere: managers see who has read. */
  listReaders(
    input: {
      /** Page id. */
      pageId: string
      /** acknowledged or pending; both when absent. */
      status?: 'acknowledged' | 'pending'
      /** Page from 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent, and never more than 100 are answered. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListReadersResponse>
  /** Reminds those who have not acknowledged, at most once an hour, and emits page.reminded. NotFoundError when the page is not must-read, ConflictError when it is not published; TooManyRequestsError within the hour.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `send_notifications`
   *
   * Not documented elsewhere: managers remind those who have not. */
  remindReaders(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<RemindReadersResponse>
  /** Lists the caller's pages with a preference, latest change first.
   *
   * **Callers:** person · **Tenant:** workspace (`workspaceId`)
   *
   * Not documented elsewhere: favourites and bookmarks need a list. */
  listPagePreferences(
    input?: {
      /** Workspace id; the caller's own when absent. */
      workspaceId?: string
      /** Only favourites, or only others. */
      isFavorite?: boolean
      /** Only bookmarked pages, or only others. */
      isBookmarked?: boolean
      /** Only followed pages, or only others. */
      isFollowing?: boolean
      /** Page from 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent, and never more than 100 are answered. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListPagePreferencesResponse>
  /** The caller's preferences for a page, or the defaults. NotFoundError on an unknown page.
   *
   * **Callers:** person · **Tenant:** the record's tenant
   *
   * Not documented elsewhere: the model exists without a route. */
  getPagePreference(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<PagePreference>
  /** Changes the preferences that the body names. NotFoundError on an unknown page.
   *
   * **Callers:** person · **Tenant:** the record's tenant
   *
   * Not documented elsewhere: the model exists without a route. */
  updatePagePreference(
    input: {
      /** Page id. */
      pageId: string
      body: {
        /** Keep it as a favourite. */
        isFavorite?: boolean | null
        /** Bookmark it. */
        isBookmarked?: boolean | null
        /** Follow its comments. */
        isFollowing?: boolean | null
        /** Tell of comments. */
        notifyOnComment?: boolean | null
        /** Tell of reactions. */
        notifyOnLike?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<PagePreference>
  /** Lists the pages of a workspace; newest publication first unless told otherwise.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) */
  listPages(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page from 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent, and never more than 100 are answered. */
      limit?: number
      /** Only pages of this type. */
      pageType?: 'feed' | 'article' | 'event' | 'poll'
      /** Only pages of this category. */
      categoryId?: string
      /** Only pages in this status. */
      status?: 'draft' | 'published' | 'archived'
      /** Only pages with this text in title or excerpt, without regard to case and accents; 1 to 500 characters, taken literally. */
      search?: string
      /** Order by this field; publishedAt when absent. */
      sortBy?: 'createdAt' | 'publishedAt' | 'viewCount' | 'likeCount'
      /** asc or desc; desc when absent. */
      sortOrder?: 'asc' | 'desc'
    },
    options?: CallOptions,
  ): Promise<ListPagesResponse>
  /** Creates a page as draft or published. Publishing at once needs publish_content too and emits page.created. NotFoundError on an unknown parent or category. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Body:** at most 1,200,000 bytes instead of 100,000.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `create_content` */
  createPage(
    input: {
      body: CreatePageRequest
    },
    options?: CallOptions,
  ): Promise<Page>
  /** Creates a draft from a template, or a published page when the body says so and the caller holds publish_content; counts the use. NotFoundError. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Body:** at most 1,200,000 bytes instead of 100,000.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `create_content` */
  createPageFromTemplate(
    input: {
      /** Template id. */
      templateId: string
      body: {
        /** Title; the template's name when absent. */
        title?: string | null
        /** Editor block document; the template's when absent. */
        content?: Record<string, unknown> | null
        /** Short text, at most 2000 characters. */
        excerpt?: string | null
        /** Category of the same workspace. */
        categoryId?: string | null
        /** Page of the same workspace to stand under. */
        parentId?: string | null
        /** Pictures, films and files, at most 50. */
        medias?: MediaInput[]
        /** False refuses comments; true when absent. */
        enableComments?: boolean | null
        /** False refuses reactions; true when absent. */
        enableLikes?: boolean | null
        /** False keeps push notifications away; true when absent. */
        enableNotifications?: boolean | null
        /** draft or published; draft when absent. */
        status?: 'draft' | 'published' | null | null
        /** Workspace of the template; ValidationError when it names another one. */
        workspaceId?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<Page>
  /** Lists deleted pages that can still be restored, latest deletion first.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `delete_content`
   *
   * Not documented elsewhere: a restore needs a list to choose from. */
  listTrashedPages(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page from 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent, and never more than 100 are answered. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListTrashedPagesResponse>
  /** Answers one page with the caller's interactions and records a view. The ETag header carries the version. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant */
  getPage(
    input: {
      /** Page id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<Page>
  /** Changes the fields that the body names and emits page.updated. A status behaves as the route of that transition and needs publish_content where it publishes or unpublishes. With create_content alone somebody changes their own drafts. NotFoundError; ValidationError on a cycle; 412 when If-Match names another version.
   *
   * **Body:** at most 1,200,000 bytes instead of 100,000.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content` · **For own records:** `create_content` */
  updatePage(
    input: {
      /** Page id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
      body: {
        /** New title; cannot be cleared. */
        title?: string
        /** New editor block document; cannot be cleared. */
        content?: Record<string, unknown>
        /** New short text. */
        excerpt?: string | null
        /** New type. */
        pageType?: 'feed' | 'article' | 'event' | 'poll' | null | null
        /** New category of the same workspace. */
        categoryId?: string | null
        /** New page to stand under; null moves it to the root. */
        parentId?: string | null
        /** All pictures, films and files, at most 50. */
        medias?: MediaInput[]
        /** False refuses comments. */
        enableComments?: boolean | null
        /** False refuses reactions. */
        enableLikes?: boolean | null
        /** False keeps push notifications away. */
        enableNotifications?: boolean | null
        /** New status; published behaves as publish. */
        status?: 'draft' | 'published' | 'archived' | null | null
        /** New start, of an event page. */
        eventStartsAt?: string | null
        /** New end, of an event page; not before the start. */
        eventEndsAt?: string | null
        /** New place, of an event page. */
        eventLocation?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<Page>
  /** Deletes a page softly and emits page.deleted; its children move to the root. With create_content alone somebody deletes their own drafts. NotFoundError; 412 when If-Match names another version.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `delete_content` · **For own records:** `create_content` */
  deletePage(
    input: {
      /** Page id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
    },
    options?: CallOptions,
  ): Promise<DeletePageResponse>
  /** Archives a page: it leaves the lists of readers and keeps its counters. NotFoundError, ConflictError when it is archived; 412 when If-Match names another version. The ETag header carries the new one.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content`
   *
   * Not documented elsewhere: the status exists without a route. */
  archivePage(
    input: {
      /** Page id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
    },
    options?: CallOptions,
  ): Promise<ArchivePageResponse>
  /** Answers the way from the root to the page and the pages below it. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant */
  getPageHierarchy(
    input: {
      /** Page id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<GetPageHierarchyResponse>
  /** Publishes a draft now and emits page.created; clears scheduledAt. NotFoundError, ConflictError when it is not a draft; 412 when If-Match names another version. The ETag header carries the new one.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `publish_content` */
  publishPage(
    input: {
      /** Page id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
    },
    options?: CallOptions,
  ): Promise<PublishPageResponse>
  /** Brings a deleted page back, under its parent when that lives, else at the root. NotFoundError, ConflictError when it is not deleted.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `delete_content`
   *
   * Not documented elsewhere: a page deleted by mistake. */
  restorePage(
    input: {
      /** Page id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<Page>
  /** Sets when the scheduler publishes a draft; a past time is due at its next run. NotFoundError, ConflictError when it is not a draft; 412 when If-Match names another version. The ETag header carries the new one.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `publish_content` */
  schedulePage(
    input: {
      /** Page id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
      body: {
        /** Time to publish at. */
        scheduledAt: string
      }
    },
    options?: CallOptions,
  ): Promise<SchedulePageResponse>
  /** Brings an archived page back to what it was: published, or draft when it never was. NotFoundError, ConflictError when it is not archived; 412 when If-Match names another version. The ETag header carries the new one.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content`
   *
   * Not documented elsewhere: the counterpart of archive. */
  unarchivePage(
    input: {
      /** Page id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
    },
    options?: CallOptions,
  ): Promise<UnarchivePageResponse>
  /** Makes a published page a draft again. NotFoundError, ConflictError when it is not published; 412 when If-Match names another version. The ETag header carries the new one.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `publish_content`
   *
   * Not documented elsewhere: a page published by mistake. */
  unpublishPage(
    input: {
      /** Page id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
    },
    options?: CallOptions,
  ): Promise<UnpublishPageResponse>
  /** Takes the planned publication back; nothing happens when there is none. NotFoundError; 412 when If-Match names another version. The ETag header carries the new one.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `publish_content`
   *
   * Not documented elsewhere: the counterpart of schedule. */
  unschedulePage(
    input: {
      /** Page id. */
      id: string
      /** ETag that the record must still have; otherwise 412. */
      ifMatch?: string
    },
    options?: CallOptions,
  ): Promise<UnschedulePageResponse>
  /** Lists the revisions of a page, latest first. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content`
   *
   * Not documented elsewhere: editors see who changed what. */
  listRevisions(
    input: {
      /** Page id. */
      pageId: string
      /** Page from 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent, and never more than 100 are answered. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListRevisionsResponse>
  /** One revision with its content. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content`
   *
   * Not documented elsewhere: editors look before they restore. */
  getRevision(
    input: {
      /** Page id. */
      pageId: string
      /** Revision id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<Revision>
  /** Gives a page the title, excerpt, content and medias of a revision, as a change of its own that emits page.updated. NotFoundError; 412 when If-Match names another version. The ETag header carries the new one.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content`
   *
   * Not documented elsewhere: the way back from a bad edit. */
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
  /** Pins a page of the workspace; pinning it again changes order and expiry. NotFoundError. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `publish_content` */
  createPin(
    input: {
      body: CreatePinRequest
    },
    options?: CallOptions,
  ): Promise<Pin>
  /** Lists the live pins of a workspace by order, then latest first.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) */
  listPins(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListPinsResponse>
  /** Unpins a page; nothing happens when it is not pinned. NotFoundError on an unknown page.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `publish_content` */
  deletePin(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<DeletePinResponse>
  /** The poll of a page with its counts and the caller's choice. NotFoundError when it has none.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant
   *
   * Not documented elsewhere: the page type exists without a result. */
  getPoll(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<Poll>
  /** Sets the options of a poll page. NotFoundError; ValidationError on a page of another type; ConflictError after the first vote.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content`
   *
   * Not documented elsewhere: the page type exists without options. */
  setPoll(
    input: {
      /** Page id. */
      pageId: string
      body: {
        /** Question, at most 255 characters; the page's title says it when absent. */
        question?: string | null
        /** Texts of 2 to 20 options, each 1 to 200 characters, no two alike. */
        options: string[]
        /** True lets a member choose several; false when absent. */
        multipleChoice?: boolean | null
        /** End of the vote; it stays open when absent. */
        closesAt?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<Poll>
  /** Votes, or replaces the caller's vote. NotFoundError; ValidationError on a foreign option or more than one where one is allowed; ConflictError when the poll is closed.
   *
   * **Callers:** person · **Tenant:** the record's tenant
   *
   * Not documented elsewhere: the page type exists without votes. */
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
  /** Takes the caller's vote back; nothing happens when there is none. NotFoundError, ConflictError when the poll is closed.
   *
   * **Callers:** person · **Tenant:** the record's tenant
   *
   * Not documented elsewhere: the counterpart of vote. */
  removeVote(
    input: {
      /** Page id. */
      pageId: string
    },
    options?: CallOptions,
  ): Promise<Poll>
  /** Creates a template. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `create_content` */
  createTemplate(
    input: {
      body: CreateTemplateRequest
    },
    options?: CallOptions,
  ): Promise<Template>
  /** Lists the templates of a workspace by name.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) */
  listTemplates(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListTemplatesResponse>
  /** Changes the fields that the body names. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `edit_content`
   *
   * Not documented elsewhere: a template with a mistake must not stay for ever. */
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
        pageType?: 'article' | 'event' | 'poll' | null | null
        /** New editor block document; cannot be cleared. */
        content?: Record<string, unknown>
        /** False puts it at rest. */
        isActive?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<Template>
  /** Deletes a template softly; pages made from it stay. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `delete_content`
   *
   * Not documented elsewhere: the counterpart of creation. */
  deleteTemplate(
    input: {
      /** Template id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteTemplateResponse>
  /** Changes the caller's latest view of a page. NotFoundError when the caller has not seen it.
   *
   * **Callers:** person · **Tenant:** the record's tenant
   *
   * Not documented elsewhere: only the client knows how long a page was read. */
  updateView(
    input: {
      /** Page id. */
      pageId: string
      body: {
        /** Seconds of reading so far, 0 to 86400. */
        duration?: number | null
        /** mobile, desktop or tablet. */
        deviceType?: 'mobile' | 'desktop' | 'tablet' | null | null
      }
    },
    options?: CallOptions,
  ): Promise<View>
  /** Reads the members of a workspace anew from the member database.
   *
   * **Callers:** person, credential, service key · **Tenant:** workspace (`workspaceId`) */
  syncMembers(
    input: {
      body: SyncMembersRequest
    },
    options?: CallOptions,
  ): Promise<SyncMembersResponse>
}

export const newsRoutes: Routes<NewsOperations> = {
  getPageAnalytics: {
    verb: 'GET',
    path: '/api/v1/analytics/page/{id}',
    query: ['days'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getWorkspaceAnalytics: {
    verb: 'GET',
    path: '/api/v1/analytics/workspace/{workspaceId}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  createCategory: {
    verb: 'POST',
    path: '/api/v1/categories',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  listCategories: {
    verb: 'GET',
    path: '/api/v1/categories/workspace/{workspaceId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updateCategory: {
    verb: 'PATCH',
    path: '/api/v1/categories/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  deleteCategory: {
    verb: 'DELETE',
    path: '/api/v1/categories/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  createComment: {
    verb: 'POST',
    path: '/api/v1/comments',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  listComments: {
    verb: 'GET',
    path: '/api/v1/comments/page/{pageId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updateComment: {
    verb: 'PATCH',
    path: '/api/v1/comments/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  deleteComment: {
    verb: 'DELETE',
    path: '/api/v1/comments/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  likeComment: {
    verb: 'POST',
    path: '/api/v1/comments/{id}/like',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  unlikeComment: {
    verb: 'DELETE',
    path: '/api/v1/comments/{id}/like',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  createLike: {
    verb: 'POST',
    path: '/api/v1/likes',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  listLikes: {
    verb: 'GET',
    path: '/api/v1/likes/page/{pageId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  deleteLike: {
    verb: 'DELETE',
    path: '/api/v1/likes/{pageId}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listMustReads: {
    verb: 'GET',
    path: '/api/v1/must-read',
    query: ['workspaceId', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  setMustRead: {
    verb: 'PUT',
    path: '/api/v1/must-read/{pageId}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  removeMustRead: {
    verb: 'DELETE',
    path: '/api/v1/must-read/{pageId}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  acknowledgePage: {
    verb: 'POST',
    path: '/api/v1/must-read/{pageId}/acknowledge',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  listReaders: {
    verb: 'GET',
    path: '/api/v1/must-read/{pageId}/readers',
    query: ['status', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  remindReaders: {
    verb: 'POST',
    path: '/api/v1/must-read/{pageId}/remind',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  listPagePreferences: {
    verb: 'GET',
    path: '/api/v1/page-preferences',
    query: ['workspaceId', 'isFavorite', 'isBookmarked', 'isFollowing', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getPagePreference: {
    verb: 'GET',
    path: '/api/v1/page-preferences/{pageId}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updatePagePreference: {
    verb: 'PATCH',
    path: '/api/v1/page-preferences/{pageId}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  listPages: {
    verb: 'GET',
    path: '/api/v1/pages',
    query: ['workspaceId', 'page', 'limit', 'pageType', 'categoryId', 'status', 'search', 'sortBy', 'sortOrder'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  createPage: {
    verb: 'POST',
    path: '/api/v1/pages',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  createPageFromTemplate: {
    verb: 'POST',
    path: '/api/v1/pages/from-template/{templateId}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  listTrashedPages: {
    verb: 'GET',
    path: '/api/v1/pages/trash',
    query: ['workspaceId', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getPage: {
    verb: 'GET',
    path: '/api/v1/pages/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updatePage: {
    verb: 'PATCH',
    path: '/api/v1/pages/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  deletePage: {
    verb: 'DELETE',
    path: '/api/v1/pages/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  archivePage: {
    verb: 'POST',
    path: '/api/v1/pages/{id}/archive',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  getPageHierarchy: {
    verb: 'GET',
    path: '/api/v1/pages/{id}/hierarchy',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  publishPage: {
    verb: 'POST',
    path: '/api/v1/pages/{id}/publish',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  restorePage: {
    verb: 'POST',
    path: '/api/v1/pages/{id}/restore',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  schedulePage: {
    verb: 'POST',
    path: '/api/v1/pages/{id}/schedule',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  unarchivePage: {
    verb: 'POST',
    path: '/api/v1/pages/{id}/unarchive',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  unpublishPage: {
    verb: 'POST',
    path: '/api/v1/pages/{id}/unpublish',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  unschedulePage: {
    verb: 'POST',
    path: '/api/v1/pages/{id}/unschedule',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  listRevisions: {
    verb: 'GET',
    path: '/api/v1/pages/{pageId}/revisions',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getRevision: {
    verb: 'GET',
    path: '/api/v1/pages/{pageId}/revisions/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  restoreRevision: {
    verb: 'POST',
    path: '/api/v1/pages/{pageId}/revisions/{id}/restore',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  createPin: {
    verb: 'POST',
    path: '/api/v1/pins',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  listPins: {
    verb: 'GET',
    path: '/api/v1/pins/workspace/{workspaceId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  deletePin: {
    verb: 'DELETE',
    path: '/api/v1/pins/{pageId}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getPoll: {
    verb: 'GET',
    path: '/api/v1/polls/{pageId}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  setPoll: {
    verb: 'PUT',
    path: '/api/v1/polls/{pageId}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  vote: {
    verb: 'POST',
    path: '/api/v1/polls/{pageId}/vote',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  removeVote: {
    verb: 'DELETE',
    path: '/api/v1/polls/{pageId}/vote',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  createTemplate: {
    verb: 'POST',
    path: '/api/v1/templates',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  listTemplates: {
    verb: 'GET',
    path: '/api/v1/templates/workspace/{workspaceId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updateTemplate: {
    verb: 'PATCH',
    path: '/api/v1/templates/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  deleteTemplate: {
    verb: 'DELETE',
    path: '/api/v1/templates/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updateView: {
    verb: 'PATCH',
    path: '/api/v1/views/{pageId}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  syncMembers: {
    verb: 'POST',
    path: '/sync/members',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
}
