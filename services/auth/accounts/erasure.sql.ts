import type { Kysely } from 'kysely'
import type { AuthTables } from '../tables.ts'
import { erasedEmail } from '../users/administrators.sql.ts'
import type { UserRow } from '../users/users.sql.ts'

type Db = Kysely<AuthTables>

/** Accounts, deleted ones included, locked until the transaction ends. */
export const lockAccounts = (trx: Db, ids: string[]): Promise<UserRow[]> =>
  trx.selectFrom('users').selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute()

/** Removes personal data from ended accounts and their records. The rows keep their ids. */
export async function eraseOwners(trx: Db, users: UserRow[], now: Date): Promise<void> {
  const ids = users.map(user => user.id)
  const addresses = users.flatMap(({ email, former_email }) => [email, former_email].filter(one => one !== null))
  await trx
    .updateTable('users')
    .set({ former_email: null, first_name: null, last_name: null, photo_url: null, updated_at: now })
    .where('id', 'in', ids)
    .execute()
  // Deleting a session also deletes its refresh tokens.
  await trx.deleteFrom('sessions').where('user_id', 'in', ids).execute()
  const administratorIds = trx.selectFrom('administrators').select('id').where('user_id', 'in', ids)
  await trx.deleteFrom('sessions').where('administrator_id', 'in', administratorIds).execute()
  await trx.deleteFrom('email_verifications').where('user_id', 'in', ids).execute()
  await trx.deleteFrom('password_resets').where('user_id', 'in', ids).execute()
  await trx
    .updateTable('administrators')
    .set({ email: erasedEmail, updated_at: now })
    .where('user_id', 'in', ids)
    .execute()
  if (addresses.length === 0) return
  // Requests of an account that has the address now stay.
  await trx.deleteFrom('password_resets').where('email', 'in', addresses).where('user_id', 'is', null).execute()
}
