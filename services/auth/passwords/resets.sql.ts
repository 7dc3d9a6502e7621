import type { Insertable, Kysely, Selectable } from 'kysely'
import { newId } from '../../kernel/base/ids.ts'
import type { AuthTables, PasswordResetsTable } from '../tables.ts'

type Db = Kysely<AuthTables>
export type ResetRow = Selectable<PasswordResetsTable>
type ResetKind = ResetRow['kind']

type NewReset = Omit<Insertable<PasswordResetsTable>, 'id'> & { id?: string }

export const insertReset = (db: Db, row: NewReset) =>
  db
    .insertInto('password_resets')
    .values({ ...row, id: row.id ?? newId() })
    .execute()

/** Voids the open requests of one kind for an e-mail. */
const voidResets = (db: Db, email: string, kind: ResetKind, now: Date) =>
  db
    .updateTable('password_resets')
    .set({ is_used: 1, updated_at: now })
    .where('email', '=', email)
    .where('kind', '=', kind)
    .where('is_used', '=', 0)
    .execute()

/** Voids every open request of a user, after their password was changed in another way. */
export async function voidUserResets(db: Db, userId: string): Promise<void> {
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  if (!user?.email) return
  const now = new Date()
  for (const kind of ['modern', 'claim', 'legacy', 'create'] as const) await voidResets(db, user.email, kind, now)
}

/** The open request of a token. */
export const openReset = (
  db: Db,
  tokenDigest: string,
  kinds: ResetKind | ResetKind[],
  now: Date,
): Promise<ResetRow | undefined> =>
  db
    .selectFrom('password_resets')
    .selectAll()
    .where('token_digest', '=', tokenDigest)
    .where('kind', 'in', [kinds].flat())
    .where('is_used', '=', 0)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** The requests of an e-mail that are open at a moment, newest first. */
export const openResetsOf = (db: Db, email: string, kind: ResetKind, openAt: Date): Promise<ResetRow[]> =>
  db
    .selectFrom('password_resets')
    .selectAll()
    .where('email', '=', email)
    .where('kind', '=', kind)
    .where('is_used', '=', 0)
    .where('expires_at', '>', openAt)
    .orderBy('created_at', 'desc')
    .execute()

/** Consumes a request; false when a concurrent call has consumed it. */
export async function useReset(db: Db, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('password_resets')
    .set({ is_used: 1, updated_at: now })
    .where('id', '=', id)
    .where('is_used', '=', 0)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
