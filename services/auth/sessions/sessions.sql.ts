import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import { countRows } from '../../kernel/database/rows.ts'
import { likePattern, maxWhole, type Paging } from '../../kernel/rpc/paging.ts'
import type { AuthTables, SessionsTable } from '../tables.ts'
import { administratorsOf } from '../users/administrators.sql.ts'
import { deviceOf } from './device.ts'

export type SessionRow = Selectable<SessionsTable>
type Db = Kysely<AuthTables>

/** The user or administrator of a session's tokens; null for a session recorded by another service. */
export const ownerOf = (row: Pick<SessionRow, 'user_id' | 'administrator_id'>): string | null =>
  row.user_id ?? row.administrator_id

const liveSessions = (db: Db, now: Date) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('is_active', '=', 1)
    .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))

/** Session use is always measured by the database's clock. */
const databaseTime = sql<Date>`now(3)`

type NewSession = Omit<Insertable<SessionsTable>, 'last_activity' | 'device' | 'os' | 'created_at' | 'updated_at'>

export const insertSession = (db: Db, row: NewSession, now: Date) =>
  db
    .insertInto('sessions')
    .values({ ...row, ...deviceOf(row.user_agent), created_at: now, updated_at: now, last_activity: databaseTime })
    .execute()

/** Records the use of a session and extends it at least to `until`. */
export const extendSession = (db: Db, id: string, until: Date, now: Date) =>
  db
    .updateTable('sessions')
    .set({
      last_activity: databaseTime,
      expires_at: sql<Date>`greatest(coalesce(expires_at, ${until}), ${until})`,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()

export const sessionById = (db: Db, id: string): Promise<SessionRow | undefined> =>
  db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()

/** A user's live sessions, most recently used first. */
export const listLiveSessions = (db: Db, userId: string, now: Date): Promise<SessionRow[]> =>
  liveSessions(db, now)
    .where('user_id', '=', userId)
    .orderBy('last_activity', 'desc')
    .orderBy('id', 'desc')
    .limit(maxWhole)
    .execute()

/** Whether a session of the user that began at this time or before is live. */
export async function hasLiveSessionFrom(db: Db, userId: string, time: Date, now: Date): Promise<boolean> {
  const sessions = liveSessions(db, now).where('user_id', '=', userId).where('created_at', '<=', time)
  return (await sessions.limit(1).execute()).length > 0
}

/** The live ones of these sessions. */
export async function findLiveSessions(db: Db, ids: readonly string[], now: Date): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await liveSessions(db, now).clearSelect().select('id').where('id', 'in', ids).execute()
  return rows.map(({ id }) => id)
}

/** Records the use of a live session, at most once in `seconds`. */
export const touchSession = (db: Db, id: string, seconds: number) =>
  db
    .updateTable('sessions')
    .set({ last_activity: databaseTime })
    .where('id', '=', id)
    .where('is_active', '=', 1)
    .where('last_activity', '<', sql<Date>`date_sub(now(3), interval ${seconds} second)`)
    .execute()

/** The sessions to end. `userIds` also selects the sessions of administrators that were created with the accounts. */
type SessionSelection =
  | { userIds: string[]; except?: string | undefined }
  | { administratorId: string }
  | { sessionIds: string[] }

/**
 * Ends sessions and revokes their refresh tokens.
 * @returns how many of each were live
 */
export async function endSessions(
  db: Db,
  selection: SessionSelection,
  now: Date,
): Promise<{ sessions: number; tokens: number }> {
  const ids = await lockSessions(db, selection)
  if (ids.length === 0) return { sessions: 0, tokens: 0 }
  const tokens = await db
    .updateTable('refresh_tokens')
    .set({ is_revoked: 1, updated_at: now })
    .where('session_id', 'in', ids)
    .where('is_revoked', '=', 0)
    .executeTakeFirst()
  const sessions = await db
    .updateTable('sessions')
    .set({ is_active: 0, updated_at: now })
    .where('id', 'in', ids)
    .where('is_active', '=', 1)
    .executeTakeFirst()
  return { sessions: Number(sessions.numUpdatedRows), tokens: Number(tokens.numUpdatedRows) }
}

/** Ids of the selected sessions, locked until the transaction ends. */
async function lockSessions(db: Db, selection: SessionSelection): Promise<string[]> {
  const lockIdsBy = async (column: 'id' | 'user_id' | 'administrator_id', values: string[]): Promise<string[]> => {
    if (values.length === 0) return []
    const rows = db.selectFrom('sessions').select('id').where(column, 'in', values).orderBy('id').forUpdate()
    return (await rows.execute()).map(row => row.id)
  }
  if ('sessionIds' in selection) return lockIdsBy('id', selection.sessionIds)
  if ('administratorId' in selection) return lockIdsBy('administrator_id', [selection.administratorId])
  const administrators = await administratorsOf(db, selection.userIds)
  const ids = [
    ...(await lockIdsBy('user_id', selection.userIds)),
    ...(await lockIdsBy('administrator_id', administrators)),
  ]
  return ids.filter(id => id !== selection.except)
}

/**
 * Deletes users' sessions with their refresh tokens.
 * @returns how many sessions there were
 */
export async function deleteSessionsOf(db: Db, userIds: string[]): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('sessions').where('user_id', 'in', userIds).executeTakeFirst()
  return Number(numDeletedRows)
}

type Filter = {
  userId?: string | undefined
  isActive?: boolean | undefined
  /** Part of the account's e-mail address. */
  email?: string | undefined
}

/** A page of all users' sessions, most recently used first, with their total. */
export async function listSessions(db: Db, filter: Filter, { limit, offset }: Paging) {
  let query = db.selectFrom('sessions')
  if (filter.userId !== undefined) query = query.where('user_id', '=', filter.userId)
  if (filter.isActive !== undefined) query = query.where('is_active', '=', filter.isActive ? 1 : 0)
  if (filter.email !== undefined) {
    const part = likePattern(filter.email.toLowerCase())
    query = query.where(({ eb, or, selectFrom }) =>
      or([
        eb('user_id', 'in', selectFrom('users').select('id').where('email', 'like', part)),
        eb('administrator_id', 'in', selectFrom('administrators').select('id').where('email', 'like', part)),
      ]),
    )
  }
  const rows = await query
    .selectAll()
    .orderBy('last_activity', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(query) }
}

/** E-mail addresses of the accounts of sessions, by session. */
export async function loadEmails(db: Db, sessions: readonly SessionRow[]): Promise<ReadonlyMap<string, string>> {
  const addressOf = new Map<string, string | null>()
  for (const [table, column] of [
    ['users', 'user_id'],
    ['administrators', 'administrator_id'],
  ] as const) {
    const ids = sessions.flatMap(row => row[column] ?? [])
    if (ids.length === 0) continue
    for (const { id, email } of await db.selectFrom(table).select(['id', 'email']).where('id', 'in', ids).execute())
      addressOf.set(id, email)
  }
  return new Map(
    sessions.flatMap(row => {
      const email = addressOf.get(row.user_id ?? row.administrator_id ?? '')
      return email ? [[row.id, email] as const] : []
    }),
  )
}

type SignIns = { sessions: number; addresses: string[] }

/** How many live sessions users have, and the client addresses of all that are stored, by user. */
export async function loadSignIns(db: Db, userIds: string[]): Promise<Map<string, SignIns>> {
  const signIns = new Map<string, SignIns>()
  if (userIds.length === 0) return signIns
  const rows = await db
    .selectFrom('sessions')
    .select(['user_id', 'ip'])
    .select(sql<number>`sum(is_active = 1 and (expires_at is null or expires_at > now(3)))`.as('live'))
    .where('user_id', 'in', userIds)
    .groupBy(['user_id', 'ip'])
    .execute()
  for (const { user_id: userId, ip, live } of rows) {
    const { sessions = 0, addresses = [] } = signIns.get(userId ?? '') ?? {}
    signIns.set(userId ?? '', { sessions: sessions + Number(live), addresses: ip ? [...addresses, ip] : addresses })
  }
  return signIns
}
