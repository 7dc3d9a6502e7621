import type { Insertable, Kysely, Selectable } from 'kysely'
import type { AdministratorsTable, Tables } from './tables.ts'

export type AdministratorRow = Selectable<AdministratorsTable>

export const administratorByEmail = (db: Kysely<Tables>, email: string): Promise<AdministratorRow | undefined> =>
  db.selectFrom('administrators').selectAll().where('email', '=', email).executeTakeFirst()

export const administratorById = (db: Kysely<Tables>, id: string): Promise<AdministratorRow | undefined> =>
  db.selectFrom('administrators').selectAll().where('id', '=', id).executeTakeFirst()

/** Adds an administrator; one with this e-mail stays as they are. */
export const addAdministrator = (db: Kysely<Tables>, row: Insertable<AdministratorsTable>) =>
  db.insertInto('administrators').ignore().values(row).execute()
