import type { Transaction, Updateable } from 'kysely'
import { endSessions } from '../sessions/sessions.sql.ts'
import type { AuthTables, UsersTable } from '../tables.ts'
import { publishRevoked } from '../users/events.ts'
import { updateUser } from '../users/users.sql.ts'
import { voidUserResets } from './resets.sql.ts'

/** A new password clears the legacy flags, and an abandoned sign-up can no longer be taken over. */
export const settledFlags = { is_tmp_password: 0, is_first_login: 0, is_forced: 0, sign_up_pending: 0 }

/**
 * Stores a password set without a signed-in session: all sessions, earlier tokens and open reset requests of both
 * versions end.
 */
export async function replacePassword(
  trx: Transaction<AuthTables>,
  userId: string,
  change: Updateable<UsersTable> & { password_hash: string },
): Promise<void> {
  const now = new Date()
  await updateUser(trx, userId, { ...change, tokens_valid_from: now })
  await endSessions(trx, { userIds: [userId] }, now)
  await voidUserResets(trx, userId)
  await publishRevoked(trx, userId)
}
