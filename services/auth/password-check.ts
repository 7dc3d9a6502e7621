import { UnauthorizedError } from '../kernel/errors.ts'
import { normalEmail } from './addresses.rules.ts'
import { assertReadable } from './hashing.ts'
import type { Client, Parts } from './parts.ts'
import { type UserRow, userByEmail } from './users.sql.ts'

/** One text for everything that can be wrong at a sign-in: it says nothing about which e-mails have accounts. */
export const badCredentials = () => new UnauthorizedError('Invalid email or password')

/**
 * The account of an e-mail and its password, after the limits of address and account. An unknown e-mail, a wrong
 * password and a deactivated account give undefined after the same time.
 */
export async function checkPassword(
  { db, hasher, limits }: Pick<Parts, 'db' | 'hasher' | 'limits'>,
  { email, password, client }: { email: string; password: string; client: Client },
): Promise<UserRow | undefined> {
  assertReadable(password)
  const address = normalEmail(email)
  await limits.signIn(client.ip)
  await limits.account(address)
  const user = await userByEmail(db, address)
  const matches = await hasher.matches(password, user?.password_hash)
  if (!matches || !user?.is_active) {
    await limits.wrongPassword(address)
    return undefined
  }
  await limits.rightPassword(address)
  return user
}
