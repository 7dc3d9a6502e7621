import { newId } from '../kernel/ids.ts'
import type { Attempt } from './attempts.ts'
import { isOutdated } from './hashing.ts'
import type { Opening } from './pairs.ts'
import type { Parts } from './parts.ts'
import { storeEntry } from './routines.sql.ts'
import { type UserRow, userById } from './users.sql.ts'

type Entry = {
  /** The account whose hash the password fitted. */
  checked: UserRow
  password: string
  opening: Opening
  attempt: Attempt
  now: Date
}

/**
 * Stores what a modern sign-in leaves, all or nothing: its session, the note on the account, the counted attempt. It
 * tidies up what the legacy version left: its flag of the first sign-in, and a hash of another cost. False when password
 * or account changed since they were checked.
 */
export async function storeSignIn(
  { db, hasher }: Pick<Parts, 'db' | 'hasher'>,
  { checked, password, opening: { session, token }, attempt, now }: Entry,
): Promise<boolean> {
  const store = (account: UserRow, newHash: string | null) =>
    attempt.countAmong(async hit => {
      const { is_kept, carried } = await storeEntry(db, {
        user_id: account.id,
        password_hash: account.password_hash,
        new_hash: newHash,
        session_id: session.id,
        member_id: session.member_id ?? null,
        user_agent: session.user_agent ?? null,
        ip: session.ip ?? null,
        device: session.device ?? null,
        os: session.os ?? null,
        token_id: newId(),
        token_digest: token.digest,
        expires_at: token.expiresAt,
        ...hit,
        now,
      })
      return { isKept: is_kept === 1, carried }
    })
  if (!isOutdated(checked.password_hash)) return store(checked, null)
  const newHash = await hasher.rehash(password)
  if (await store(checked, newHash)) return true
  // Another sign-in of theirs may have replaced the same hash just now.
  const again = await userById(db, checked.id)
  if (!again || !(await hasher.matches(password, again.password_hash))) return false
  return store(again, null)
}
