import { type Kysely, sql, type Transaction } from 'kysely'
import { lockAccounts } from '../accounts/erasure.sql.ts'
import type { AuthTables } from '../tables.ts'
import type { UserRow } from '../users/users.sql.ts'

/** Live accounts, locked until the transaction ends. */
export const lockUsers = async (trx: Transaction<AuthTables>, ids: string[]): Promise<UserRow[]> =>
  (await lockAccounts(trx, ids)).filter(user => user.deleted_at === null)

export const lockUser = async (trx: Transaction<AuthTables>, id: string): Promise<UserRow | undefined> =>
  (await lockUsers(trx, [id]))[0]

/** Sessions of a user's apps that were used within the last minutes, by the database's clock. */
export const appsInUse = (db: Kysely<AuthTables>, userId: string, minutes: number) =>
  db
    .selectFrom('sessions')
    .select(['id', 'user_agent'])
    .where('user_id', '=', userId)
    .where('is_active', '=', 1)
    .where('app_type', 'is not', null)
    .where('last_activity', '>', sql<Date>`date_sub(now(3), interval ${minutes} minute)`)
    .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now(3)`)]))
    .execute()
