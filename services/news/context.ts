import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { MemberDirectory } from './members.ts'
import type { NewsTables } from './tables.ts'

/** One view of a page, and by whom. */
export type PageView = {
  workspaceId: string
  pageId: string
  memberId: string
  userAgent: string | null
  /** Time zone of the workspace; views are counted by its days. */
  timeZone: string
}

export type ViewRecorder = {
  /** Stores a view. @returns the view count of the page including this view, once committed */
  record(view: PageView): Promise<number>
}

/** How many receivers an event reaches at once, and how many when their silent hours end; undefined when unknown. */
export type CountReached = (event: {
  type: string
  channels: string[]
  memberIds: string[]
}) => Promise<{ reachedNow: number; reachedLater: number } | undefined>

/** What the handlers of this service share. */
export type Context = {
  db: Kysely<NewsTables>
  members: MemberDirectory
  views: ViewRecorder
  countReached: CountReached
  /** Workspace of each page. Entries never go stale: a page never changes workspace, not even by deletion. */
  pageWorkspaces: LRUCache<string, string>
}

export const newPageWorkspaces = (): LRUCache<string, string> => new LRUCache({ max: 50_000 })
