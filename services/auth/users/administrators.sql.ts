import type { Insertable, Kysely, Selectable } from 'kysely'
import type { AdministratorsTable, Tables } from '../tables.ts'

type Db = Kysely<Tables>
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

/** Adds the administrator of a new account; an existing one with this e-mail is linked to the account. */
export const addAdministrator = (db: Db, row: Insertable<AdministratorsTable>) =>
  db
    .insertInto('administrators')
    .values(row)
    .onDuplicateKeyUpdate({ user_id: row.user_id ?? null, updated_at: row.updated_at })
    .execute()

/** Gives an administrator the new address of their account. */
export const moveAdministrator = (db: Db, userId: string, email: string) =>
  db.updateTable('administrators').set({ email, updated_at: new Date() }).where('user_id', '=', userId).execute()
