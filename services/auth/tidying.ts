import type { Kysely } from 'kysely'
import { type Hasher, isOutdated } from './hashing.ts'
import type { Tables } from './tables.ts'
import { updateChecked, type UserRow, userById } from './users.sql.ts'

/**
 * Notes a modern sign-in and tidies up what the legacy version left: its flag of the first sign-in, and a hash of
 * another cost. False when password or account changed since they were checked.
 * @param checked the account whose hash the password fitted
 */
export async function noteAndTidy(
  { db, hasher }: { db: Kysely<Tables>; hasher: Hasher },
  checked: UserRow,
  password: string,
  now: Date,
): Promise<boolean> {
  // Whoever has signed in needs no sign-up to be taken up again.
  const noted = { last_login_at: now, sign_up_pending: 0, is_first_login: 0 }
  if (!isOutdated(checked.password_hash)) return updateChecked(db, checked, noted)
  const password_hash = await hasher.rehash(password)
  if (await updateChecked(db, checked, { ...noted, password_hash })) return true
  // Another sign-in of theirs may have replaced the same hash just now.
  const again = await userById(db, checked.id)
  if (!again || !(await hasher.matches(password, again.password_hash))) return false
  return updateChecked(db, again, noted)
}
