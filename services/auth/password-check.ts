import { UnauthorizedError } from '../kernel/errors.ts'
import { normalEmail } from './addresses.rules.ts'
import { assertReadable } from './hashing.ts'
import type { Client, Parts } from './parts.ts'
import type { Counter } from './limits.sql.ts'
import { userAndCounter, type UserRow } from './users.sql.ts'

/** One text for everything that can be wrong at a sign-in: it says nothing about which e-mails have accounts. */
export const badCredentials = () => new UnauthorizedError('Invalid email or password')

type Presented = { email: string; password: string; client: Client }
type Checking = Pick<Parts, 'hasher' | 'limits'>

/** What is stored for an e-mail, and the count of wrong passwords for it. */
type Stored<T> = { found: T | undefined; counted: Counter | undefined }

/**
 * What `find` knows under an e-mail if the password fits it, after the limits of address and account. Undefined, and
 * after the same time, when it knows nothing, the password is wrong or `isActive` says no.
 */
export async function checkPasswordOf<T extends { password_hash: string }>(
  { hasher, limits }: Checking,
  { email, password, client }: Presented,
  find: (email: string) => Promise<Stored<T>>,
  isActive: (found: T) => boolean = () => true,
): Promise<T | undefined> {
  assertReadable(password)
  const address = normalEmail(email)
  await limits.signIn(client.answer, client.ip)
  const { found, counted } = await find(address)
  const isCounted = limits.refuseGuessing(client.answer, counted)
  const matches = await hasher.matches(password, found?.password_hash)
  if (!matches || !found || !isActive(found)) {
    await limits.wrongPassword(address)
    return undefined
  }
  if (isCounted) await limits.rightPassword(address)
  return found
}

/** The active account of an e-mail and its password. */
export const checkPassword = (
  parts: Checking & Pick<Parts, 'db'>,
  presented: Presented,
): Promise<UserRow | undefined> =>
  checkPasswordOf(
    parts,
    presented,
    email => userAndCounter(parts.db, email, parts.limits.wrongPasswordsOf(email)),
    user => user.is_active === 1,
  )
