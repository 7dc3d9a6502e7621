import { SyncService } from '../../gen/platform/member/v1/sync_pb.ts'
import { tenantOf } from '../kernel/access.ts'
import { invalid } from '../kernel/errors.ts'
import { implement } from '../kernel/implement.ts'
import type { Rpc } from '../kernel/server.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { type Db, optional, timestamp } from './rows.ts'
import { type Cursor, overlapMs, readCursor, writeCursor } from './sync.rules.ts'
import { activeMembers, changedMembers, databaseNow } from './sync.sql.ts'

type Person = { id: string; first_name: string; last_name: string; email: string; photo_url: string | null }

const toSynced = (row: Person) => ({
  id: row.id,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  photoUrl: optional(row.photo_url),
})

/** Members for the caches of other services (document 2, "Other routes"). */
export const syncService = ({ db }: { db: Db }): Rpc =>
  implement(SyncService, {
    async syncMembers({ cursor: text, limit }, context) {
      const tenant = tenantOf(context)
      const now = (await databaseNow(db)).getTime()
      const start = { workspaceId: tenant.workspaceId, full: true, since: 0, until: now, at: 0, id: '' }
      const cursor = text === undefined ? start : readCursor(text, tenant.workspaceId, now)
      if (!cursor) throw invalid('cursor', 'is of another workspace or too old: start again without', 'cursor')
      return cursor.full ? fullList(db, tenant, cursor, limit) : changes(db, tenant, cursor, limit, now)
    },
  })

/** Where the next synchronisation starts once this one is through. */
const finished = ({ workspaceId, until }: Cursor): string =>
  writeCursor({ workspaceId, full: false, since: until, until, at: 0, id: '' })

async function fullList(db: Db, tenant: Tenant, cursor: Cursor, limit: number | undefined) {
  const rows = await activeMembers(db, tenant, cursor.id, limit ? limit + 1 : undefined)
  const page = limit ? rows.slice(0, limit) : rows
  const hasMore = rows.length > page.length
  return {
    members: page.map(toSynced),
    removed: [],
    hasMore,
    syncedAt: timestamp(new Date(cursor.until)),
    cursor: hasMore ? writeCursor({ ...cursor, id: page.at(-1)?.id ?? '' }) : finished(cursor),
  }
}

async function changes(db: Db, tenant: Tenant, last: Cursor, limit: number | undefined, now: number) {
  const isFirst = last.id === ''
  const cursor = isFirst ? { ...last, until: now } : last
  const since = new Date(Math.max(0, cursor.since - overlapMs))
  const after: [Date, string] = [new Date(cursor.at), cursor.id]
  const rows = await changedMembers(db, tenant, since, after, limit ? limit + 1 : undefined)
  const page = limit ? rows.slice(0, limit) : rows
  const hasMore = rows.length > page.length
  const end = page.at(-1)
  return {
    members: page.filter(row => Number(row.is_in) === 1).map(toSynced),
    removed: page.filter(row => Number(row.is_in) !== 1).map(row => row.id),
    hasMore,
    syncedAt: timestamp(new Date(cursor.until)),
    cursor: hasMore && end ? writeCursor({ ...cursor, at: end.changed_at.getTime(), id: end.id }) : finished(cursor),
  }
}
