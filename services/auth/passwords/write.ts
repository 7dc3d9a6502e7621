import type { Transaction, Updateable } from 'kysely'
import { endSessions } from '../sessions/sessions.sql.ts'
import type { Tables, UsersTable } from '../tables.ts'
import { tellRevoked } from '../users/events.ts'
import { updateUser } from '../users/users.sql.ts'
import { voidUserResets } from './resets.sql.ts'

/** A new password ends what the legacy flags ask for, and a sign-up that broke off cannot be taken over any more. */
export const settledFlags = { is_tmp_password: 0, is_first_login: 0, is_forced: 0, sign_up_pending: 0 }

/**
 * Writes a password that was not asked for by a signed-in person: every session and every token of before ends, and
 * so does every open request for another one, of whatever version.
 */
export async function replacePassword(
  trx: Transaction<Tables>,
  userId: string,
  change: Updateable<UsersTable> & { password_hash: string },
): Promise<void> {
  const now = new Date()
  await updateUser(trx, userId, { ...change, tokens_valid_from: now })
  await endSessions(trx, { userIds: [userId] }, now)
  await voidUserResets(trx, userId)
  await tellRevoked(trx, userId)
}
