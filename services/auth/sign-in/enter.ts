import { inTransaction } from '../../kernel/database/database.ts'
import type { Context } from '../context.ts'
import type { Attempt } from '../limits/attempts.ts'
import type { Opening } from '../sessions/pairs.ts'
import { insertRefreshToken } from '../sessions/refresh-tokens.sql.ts'
import { insertSession } from '../sessions/sessions.sql.ts'
import { changeChecked, type UserRow } from '../users/users.sql.ts'

type Entry = {
  /** The account whose hash matched the password. */
  checked: UserRow
  opening: Opening
  attempt: Attempt
  now: Date
}

/**
 * Stores a modern sign-in, all or nothing: the session, the time on the account and the counted attempt. Also clears
 * the legacy first-sign-in flag. False when password or account changed since the check.
 */
export async function storeSignIn(
  { db }: Pick<Context, 'db'>,
  { checked, opening: { session, token }, attempt, now }: Entry,
): Promise<boolean> {
  return inTransaction(db, async trx => {
    const change = { last_login_at: now, sign_up_pending: 0, is_first_login: 0, updated_at: now }
    if (!(await changeChecked(trx, checked, change))) return false
    await insertSession(trx, session)
    await insertRefreshToken(trx, token)
    await attempt.countIn(trx)
    return true
  })
}
