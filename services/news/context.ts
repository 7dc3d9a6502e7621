import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Members } from './members.ts'
import type { Tables } from './tables.ts'
import type { ViewRecorder } from './reading/view-recorder.ts'

/** What the handlers of this service use. */
export type News = {
  db: Kysely<Tables>
  members: Members
  views: ViewRecorder
  /** Workspace of each page: it never changes, not even by deletion. */
  places: LRUCache<string, string>
}

export const newPlaces = (): LRUCache<string, string> => new LRUCache({ max: 50_000 })
