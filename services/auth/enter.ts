import type { Updateable } from 'kysely'
import { writeTogether } from '../kernel/database.together.ts'
import type { Attempt } from './attempts.ts'
import { isOutdated } from './hashing.ts'
import type { Opening } from './pairs.ts'
import type { Parts } from './parts.ts'
import { tokenInsertion } from './refresh-tokens.sql.ts'
import { sessionInsertion } from './sessions.sql.ts'
import type { UsersTable } from './tables.ts'
import { checkedChange, type UserRow, userById } from './users.sql.ts'

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
export async function enter(
  { db, batches, hasher }: Pick<Parts, 'db' | 'batches' | 'hasher'>,
  { checked, password, opening, attempt, now }: Entry,
): Promise<boolean> {
  // Whoever has signed in needs no sign-up to be taken up again.
  const noted = { last_login_at: now, sign_up_pending: 0, is_first_login: 0 }
  const store = (account: UserRow, change: Updateable<UsersTable>) =>
    attempt.countAmong((hit, check) => {
      const note = checkedChange(batches, account, change)
      const session = sessionInsertion(batches, opening.session)
      const token = tokenInsertion(batches, opening.token)
      return writeTogether(batches, [note, session, token, hit], ([found, , , counted]) => {
        if (found?.affectedRows !== 1) return false
        check(counted)
        return true
      })
    })
  if (!isOutdated(checked.password_hash)) return store(checked, noted)
  const password_hash = await hasher.rehash(password)
  if (await store(checked, { ...noted, password_hash })) return true
  // Another sign-in of theirs may have replaced the same hash just now.
  const again = await userById(db, checked.id)
  if (!again || !(await hasher.matches(password, again.password_hash))) return false
  return store(again, noted)
}
