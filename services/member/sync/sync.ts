import { SyncService } from '../../../gen/platform/member/v1/sync_pb.ts'
import { tenantOf } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { invalid } from '../../kernel/base/errors.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import type { Db } from '../tables.ts'
import { type Cursor, lastId, readCursor, writeCursor } from './cursor.ts'
import { activeMembers, changedMembers, clockOf } from './sql.ts'

type Person = { id: string; first_name: string; last_name: string; email: string; photo_url: string | null }

const toSynced = (row: Person) => ({
  id: row.id,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  photoUrl: optional(row.photo_url),
})

/** Members, for the caches of other services. */
export const syncService = ({ db }: Context): Rpc =>
  implement(SyncService, {
    async syncMembers({ cursor: text, limit }, context) {
      const tenant = tenantOf(context)
      const { workspaceId } = tenant
      const { now, revision } = await clockOf(db, tenant)
      const start = { workspaceId, isFull: true, revision, issuedAt: now.getTime(), id: '' }
      const cursor = text === undefined ? start : readCursor(text, workspaceId, now.getTime())
      if (!cursor)
        throw invalid('cursor', 'belongs to another workspace or is too old: start again without it', 'cursor')
      const part = await (cursor.isFull ? fullList(db, tenant, cursor, limit) : changes(db, tenant, cursor, limit))
      const { next, ...rest } = part
      return { ...rest, syncedAt: timestamp(now), cursor: writeCursor({ ...next, issuedAt: now.getTime() }) }
    },
  })

async function fullList(db: Db, tenant: Tenant, cursor: Cursor, limit: number | undefined) {
  const rows = await activeMembers(db, tenant, cursor.id, limit ? limit + 1 : undefined)
  const page = limit ? rows.slice(0, limit) : rows
  const hasMore = rows.length > page.length
  // A change during the listing has a later revision than the one at which the list started.
  const next = hasMore ? { ...cursor, id: page.at(-1)?.id ?? '' } : { ...cursor, isFull: false, id: lastId }
  return { members: page.map(toSynced), removed: [] as string[], hasMore, next }
}

async function changes(db: Db, tenant: Tenant, cursor: Cursor, limit: number | undefined) {
  const rows = await changedMembers(db, tenant, cursor, limit ? limit + 1 : undefined)
  const page = limit ? rows.slice(0, limit) : rows
  const end = page.at(-1)
  return {
    members: page.filter(row => Number(row.is_in) === 1).map(toSynced),
    removed: page.filter(row => Number(row.is_in) !== 1).map(row => row.id),
    hasMore: rows.length > page.length,
    next: end ? { ...cursor, revision: Number(end.revision), id: end.id } : cursor,
  }
}
