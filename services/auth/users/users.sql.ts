import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import { isId } from '../../kernel/base/ids.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { countRows } from '../../kernel/database/rows.ts'
import { likePattern, type Paging } from '../../kernel/rpc/paging.ts'
import type { AuthTables, UsersTable } from '../tables.ts'

export type UserRow = Selectable<UsersTable>

/** The account of a normalised e-mail address. Deleted accounts have no address. */
export const userByEmail = (db: Kysely<AuthTables>, email: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

export const userById = (db: Kysely<AuthTables>, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()

/** Accounts with a text in their address or name, or the one with this id. */
const foundUsers = (db: Kysely<AuthTables>, search: string) =>
  db
    .selectFrom('users')
    .where('deleted_at', 'is', null)
    .where('email', 'is not', null)
    .$if(isId(search), query => query.where('id', '=', search))
    .$if(search !== '' && !isId(search), query =>
      query.where(({ eb, or }) =>
        or([
          eb('email', 'like', likePattern(normalizeEmail(search))),
          eb(sql`concat_ws(' ', first_name, last_name)`, 'like', likePattern(search)),
        ]),
      ),
    )

/** A page of accounts by address. */
export const listUsers = (db: Kysely<AuthTables>, search: string, { limit, offset }: Paging): Promise<UserRow[]> =>
  foundUsers(db, search).selectAll().orderBy('email').limit(limit).offset(offset).execute()

export const countUsers = (db: Kysely<AuthTables>, search: string): Promise<number> => countRows(foundUsers(db, search))

/** An account with the state of a session that may belong to it. */
export type UserAndSession = UserRow & { session_active: number | null; session_app_type: string | null }

/**
 * An account, which is inactive if deleted, with whether one of its sessions is live; null for a session of another
 * account.
 */
export const userAndSession = (
  db: Kysely<AuthTables>,
  id: string,
  sessionId: string | null | undefined,
): Promise<UserAndSession | undefined> =>
  db
    .selectFrom('users')
    .leftJoin('sessions', join =>
      join.onRef('sessions.user_id', '=', 'users.id').on('sessions.id', '=', sessionId ?? ''),
    )
    .selectAll('users')
    .select(['sessions.is_active as session_active', 'sessions.app_type as session_app_type'])
    .where('users.id', '=', id)
    .executeTakeFirst()

/** Locks a session until the transaction ends, so that nothing ends it meanwhile. */
export const lockSession = (trx: Transaction<AuthTables>, id: string) =>
  trx.selectFrom('sessions').select('id').where('id', '=', id).forUpdate().execute()

export const insertUser = (db: Kysely<AuthTables>, row: Insertable<UsersTable>) =>
  db.insertInto('users').values(row).execute()

export const updateUser = (db: Kysely<AuthTables>, id: string, change: Updateable<UsersTable>) =>
  updateUsers(db, [id], change)

export const updateUsers = (db: Kysely<AuthTables>, ids: string[], change: Updateable<UsersTable>) =>
  db
    .updateTable('users')
    .set({ updated_at: new Date(), ...change })
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()

/**
 * Changes an account whose password was checked. False when password or account changed since: the caller must then not
 * go on.
 */
export async function changeChecked(
  db: Kysely<AuthTables>,
  { id, password_hash }: Pick<UserRow, 'id' | 'password_hash'>,
  change: Updateable<UsersTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ updated_at: new Date(), ...change })
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .where('is_active', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Activates or deactivates accounts.
 * @returns the ids that changed
 */
export async function setUsersActive(
  db: Kysely<AuthTables>,
  ids: string[],
  isActive: boolean,
  now: Date,
): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', ids)
    .where('is_active', '=', isActive ? 0 : 1)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  const switchedIds = rows.map(row => row.id)
  if (switchedIds.length === 0) return []
  await db
    .updateTable('users')
    .set({ is_active: isActive ? 1 : 0, updated_at: now })
    .where('id', 'in', switchedIds)
    .execute()
  return switchedIds
}

/**
 * Soft-deletes accounts: frees their addresses and invalidates their passwords.
 * @returns how many there were
 */
export async function softDeleteUsers(db: Kysely<AuthTables>, ids: string[], now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set(({ ref }) => ({
      // MySQL assigns from left to right: former_email reads email before it is cleared.
      former_email: ref('email'),
      email: null,
      password_hash: '',
      is_active: 0,
      deleted_at: now,
      updated_at: now,
    }))
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Deletes the account of an unfinished sign-up; false when it has been finished. */
export async function deleteUnfinished(db: Kysely<AuthTables>, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('users')
    .where('id', '=', id)
    .where('sign_up_pending', '=', 1)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Takes over an unfinished sign-up with a new password; false when a concurrent call was first. */
export async function takeOverSignUp(
  db: Kysely<AuthTables>,
  row: { id: string; updated_at: Date },
  passwordHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: passwordHash, updated_at: new Date() })
    .where('id', '=', row.id)
    .where('sign_up_pending', '=', 1)
    .where('updated_at', '=', row.updated_at)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
