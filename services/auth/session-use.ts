import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { touchUsed } from './sessions.sql.ts'
import type { Tables } from './tables.ts'

const everyMs = 60_000

/** Notes which sessions are in use, each once a minute at most. A note that fails is no matter: the next one comes. */
export function noteUses(db: Kysely<Tables>): (sessionId: string) => Promise<void> {
  const noted = new LRUCache<string, true>({ max: 10_000, ttl: everyMs })
  return async sessionId => {
    if (noted.has(sessionId)) return
    noted.set(sessionId, true)
    await touchUsed(db, sessionId, everyMs / 1000).catch(() => undefined)
  }
}
