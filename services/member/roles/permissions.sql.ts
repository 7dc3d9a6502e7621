import { newId } from '../../kernel/base/ids.ts'
import type { Db, Trx } from '../tables.ts'

/** Every permission by category and slug. */
export const allPermissions = (db: Db) =>
  db.selectFrom('permissions').selectAll().orderBy('category').orderBy('slug').execute()

export type NewPermission = {
  slug: string
  name: string
  description: string | null
  category: string
  resource: string
  action: string
  level: 'ecosystem' | 'workspace'
}

/** Inserts a permission and reads it back. Fails with a duplicate key on permissions_slug for a taken slug. */
export async function insertPermission(trx: Trx, permission: NewPermission) {
  const id = newId()
  await trx
    .insertInto('permissions')
    .values({ ...permission, id })
    .execute()
  return trx.selectFrom('permissions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
