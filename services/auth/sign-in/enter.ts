import { inTransaction } from '../../kernel/database/database.ts'
import type { Context } from '../context.ts'
import { isOutdated } from '../hashing/hashing.ts'
import type { Attempt } from '../limits/attempts.ts'
import type { Opening } from '../sessions/pairs.ts'
import { insertRefreshToken } from '../sessions/refresh-tokens.sql.ts'
import { insertSession } from '../sessions/sessions.sql.ts'
import { changeChecked, type UserRow, userById } from '../users/users.sql.ts'

type Entry = {
  /** The account whose hash matched the password. */
  checked: UserRow
  password: string
  opening: Opening
  attempt: Attempt
  now: Date
}

/**
 * Stores a modern sign-in, all or nothing: the session, the time on the account and the counted attempt. Also clears
 * the legacy first-sign-in flag and replaces a hash of another cost. False when password or account changed since the
 * check.
 */
export async function storeSignIn(
  { db, hasher }: Pick<Context, 'db' | 'hasher'>,
  { checked, password, opening: { session, token }, attempt, now }: Entry,
): Promise<boolean> {
  const store = (account: UserRow, newHash?: string) =>
    inTransaction(db, async trx => {
      const change = { last_login_at: now, sign_up_pending: 0, is_first_login: 0, updated_at: now }
      const isUnchanged = await changeChecked(trx, account, newHash ? { ...change, password_hash: newHash } : change)
      if (!isUnchanged) return false
      await insertSession(trx, session)
      await insertRefreshToken(trx, token)
      await attempt.countIn(trx)
      return true
    })
  if (!isOutdated(checked.password_hash)) return store(checked)
  const newHash = await hasher.rehash(password)
  if (await store(checked, newHash)) return true
  // A concurrent sign-in may have replaced the same hash.
  const reread = await userById(db, checked.id)
  if (!reread || !(await hasher.matches(password, reread.password_hash))) return false
  return store(reread)
}
