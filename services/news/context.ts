import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Members } from './members.ts'
import type { Tables } from './tables.ts'

/** Who has read a page, and where. */
export type Seen = {
  workspaceId: string
  pageId: string
  memberId: string
  userAgent: string | null
  /** The workspace's own, in which days are counted. */
  timeZone: string
}

export type ViewRecorder = {
  /** Stores a view. @returns the views of the page, this one included, once it is committed */
  record(seen: Seen): Promise<number>
}

/** What the handlers of this service use. */
export type Context = {
  db: Kysely<Tables>
  members: Members
  views: ViewRecorder
  /** Workspace of each page: it never changes, not even by deletion. */
  pageWorkspaces: LRUCache<string, string>
}

export const newPageWorkspaces = (): LRUCache<string, string> => new LRUCache({ max: 50_000 })
