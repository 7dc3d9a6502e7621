import type { Kysely } from 'kysely'
import { newId } from '../../kernel/base/ids.ts'
import { permissionCatalogue } from '../rights/catalogue.ts'
import type { Tables } from '../tables.ts'

/** Brings the built-in permissions into the table: at every start, from any number of processes at once. */
export async function seedPermissions(db: Kysely<Tables>): Promise<void> {
  await db
    .insertInto('permissions')
    .ignore()
    .values(permissionCatalogue.map(one => ({ ...one, id: newId(), description: null })))
    .execute()
}
