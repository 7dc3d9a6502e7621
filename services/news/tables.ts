import type { Generated, Kysely, Selectable, Transaction } from 'kysely'
import type { TenantTablesOf } from '../kernel/database/tenant-guard.ts'

export type PageStatus = 'draft' | 'published' | 'archived'

type PageTable = {
  id: string
  workspace_id: string
  title: string
  excerpt: string | null
  parent_id: string | null
  page_type: string
  category_id: string | null
  created_by_id: string
  updated_by_id: string | null
  /** JSON text. */
  medias: string
  status: PageStatus
  published_at: Date | null
  scheduled_at: Date | null
  /** JSON of the Asker who set the schedule; null for schedules of older versions. */
  scheduled_by: string | null
  /** Why the scheduled publication was refused. */
  schedule_refusal: string | null
  publish_failures: Generated<number>
  publish_retry_at: Date | null
  view_count: Generated<number>
  like_count: Generated<number>
  comment_count: Generated<number>
  timed_views: Generated<number>
  timed_seconds: Generated<number>
  enable_comments: Generated<number>
  enable_likes: Generated<number>
  enable_notifications: Generated<number>
  /** End of the live pin; the year 9999 for a pin that doesn't expire. */
  pinned_until: Date | null
  event_starts_at: Date | null
  event_ends_at: Date | null
  event_location: string | null
  is_must_read: Generated<number>
  /** 1 for a page that appears without notifying anybody. */
  is_silent: Generated<number>
  version: Generated<number>
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}

type CategoryTable = {
  id: string
  workspace_id: string
  name: string
  slug: string
  live_slug: string | null
  description: string | null
  icon: string | null
  color: string | null
  sort_order: number
  is_active: Generated<number>
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}

type CommentTable = {
  id: string
  workspace_id: string
  page_id: string
  parent_id: string | null
  member_id: string
  content: string
  like_count: Generated<number>
  is_edited: Generated<number>
  edited_at: Date | null
  created_at: Date
  deleted_at: Date | null
}

type LikeTable = {
  id: string
  workspace_id: string
  page_id: string
  member_id: string
  reaction_type: string
  created_at: Date
  updated_at: Date
}

type TemplateTable = {
  id: string
  workspace_id: string
  name: string
  description: string | null
  /** JSON text. */
  content: string
  page_type: string
  usage_count: Generated<number>
  is_active: Generated<number>
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}

type PinTable = {
  id: string
  workspace_id: string
  page_id: string
  pinned_by: string
  sort_order: number
  expires_at: Date | null
  created_at: Date
  updated_at: Date
}

type ViewTable = {
  id: string
  workspace_id: string
  page_id: string
  member_id: string
  duration: number | null
  device_type: string | null
  user_agent: string | null
  created_at: Date
}

type PreferenceTable = {
  page_id: string
  member_id: string
  workspace_id: string
  is_favorite: number
  is_bookmarked: number
  is_following: number
  notify_on_comment: number
  notify_on_like: number | null
  updated_at: Date
}

type RevisionTable = {
  id: string
  workspace_id: string
  page_id: string
  version: number
  title: string
  excerpt: string | null
  /** JSON text, like medias and changed_fields. */
  content: string
  medias: string
  changed_fields: string
  created_by_id: string | null
  /** API credential through which the author made it. */
  credential_id: string | null
  created_at: Date
}

type PollTable = {
  page_id: string
  workspace_id: string
  question: string | null
  /** JSON text: [{id, label}] in order. */
  options: string
  multiple_choice: number
  closes_at: Date | null
  voters_count: Generated<number>
  updated_at: Date
}

type MustReadTable = {
  page_id: string
  workspace_id: string
  due_at: Date | null
  due_order: Date
  /** When the deadline was set. */
  due_set_at: Date | null
  /** The latest reminder of this deadline: 1 for that of the day before, 2 for that of the day. */
  due_reminder: Generated<number>
  reminded_at: Date | null
  created_at: Date
}

export type NewsTables = {
  pages: PageTable
  page_bodies: { page_id: string; workspace_id: string; content: string }
  page_counters: {
    workspace_id: string
    page_type: string
    category_id: string
    author_id: string
    status: PageStatus
    total: number
  }
  page_texts: {
    workspace_id: string
    page_id: string
    status: PageStatus
    page_type: string
    category_id: string | null
    created_by_id: string
    /** UTF-8 of the folded title, a line break and the folded excerpt. */
    body: Buffer
  }
  categories: CategoryTable
  comments: CommentTable
  comment_likes: { comment_id: string; member_id: string; page_id: string; workspace_id: string; created_at: Date }
  likes: LikeTable
  templates: TemplateTable
  pins: PinTable
  page_views: ViewTable
  page_viewers: { page_id: string; member_id: string; workspace_id: string }
  page_days: { page_id: string; day: string; workspace_id: string; views: number }
  page_preferences: PreferenceTable
  acknowledgements: { page_id: string; member_id: string; workspace_id: string; created_at: Date }
  page_revisions: RevisionTable
  must_reads: MustReadTable
  polls: PollTable
  poll_votes: { page_id: string; member_id: string; option_id: string; workspace_id: string; created_at: Date }
}

export type PageRow = Selectable<PageTable>
export type CategoryRow = Selectable<CategoryTable>
export type CommentRow = Selectable<CommentTable>
export type PageTemplateRow = Selectable<TemplateTable>
export type ViewRow = Selectable<ViewTable>
export type ReadingPreferenceRow = Selectable<PreferenceTable>

export type PollRow = Selectable<PollTable>
export type RevisionRow = Selectable<RevisionTable>

export type NewsDb = Kysely<NewsTables>
export type NewsTrx = Transaction<NewsTables>

const tenant = 'workspace_id'
const owner = 'member_id'

/** For the tenant guard: every row of these tables belongs to one workspace. */
export const tenantTables: TenantTablesOf<NewsTables> = {
  pages: { tenant, softDelete: true },
  page_bodies: { tenant },
  page_counters: { tenant },
  page_texts: { tenant },
  categories: { tenant, softDelete: true },
  comments: { tenant, softDelete: true, owner },
  comment_likes: { tenant, owner },
  likes: { tenant, owner },
  templates: { tenant, softDelete: true },
  pins: { tenant },
  page_views: { tenant, owner },
  page_viewers: { tenant, owner },
  page_days: { tenant },
  page_preferences: { tenant, owner },
  acknowledgements: { tenant, owner },
  page_revisions: { tenant },
  must_reads: { tenant },
  polls: { tenant },
  poll_votes: { tenant, owner },
}
