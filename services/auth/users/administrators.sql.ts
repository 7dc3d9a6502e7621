import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { AdministratorsTable, AuthTables } from '../tables.ts'

type Db = Kysely<AuthTables>
export type AdministratorRow = Selectable<AdministratorsTable>

export const administratorByEmail = (db: Db, email: string): Promise<AdministratorRow | undefined> =>
  db.selectFrom('administrators').selectAll().where('email', '=', email).executeTakeFirst()

export const administratorById = (db: Db, id: string): Promise<AdministratorRow | undefined> =>
  db.selectFrom('administrators').selectAll().where('id', '=', id).executeTakeFirst()

/** The administrators created with these accounts. */
export async function administratorsOf(db: Db, userIds: string[]): Promise<string[]> {
  const rows = await db.selectFrom('administrators').select('id').where('user_id', 'in', userIds).execute()
  return rows.map(row => row.id)
}

/** Adds the administrator of an account; an existing one with this e-mail is linked to the account. */
export const addAdministrator = (db: Db, row: Insertable<AdministratorsTable>) =>
  db
    .insertInto('administrators')
    .values(row)
    .onDuplicateKeyUpdate({ user_id: row.user_id ?? null, updated_at: row.updated_at })
    .execute()

/** In place of the address of an administrator who is no more. */
export const erasedEmail = sql<string>`concat(id, '@erased.invalid')`

/** Gives an administrator the new address of their account. The administrator of a deleted account gives it up. */
export async function moveAdministrator(trx: Db, userId: string, email: string): Promise<void> {
  const updated_at = new Date()
  await trx
    .updateTable('administrators')
    .set({ email: erasedEmail, updated_at })
    .where('email', '=', email)
    .where('user_id', 'in', eb => eb.selectFrom('users').select('id').where('deleted_at', 'is not', null))
    .execute()
  await trx.updateTable('administrators').set({ email, updated_at }).where('user_id', '=', userId).execute()
}

/**
 * Ends the platform's rights of an account. An administrator with its address is linked to it and so loses them too
 * [D133].
 * @returns whether the account had them
 */
export async function endAdministration(trx: Db, userId: string): Promise<boolean> {
  const now = new Date()
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ is_admin: 0, updated_at: now })
    .where('id', '=', userId)
    .where('is_admin', '=', 1)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await trx
    .updateTable('administrators')
    .set({ user_id: userId, updated_at: now })
    .where('user_id', 'is', null)
    .where('email', 'in', eb => eb.selectFrom('users').select('email').where('id', '=', userId).$castTo<string>())
    .execute()
  return true
}
