import { invalid, UnauthorizedError } from '../../kernel/base/errors.ts'
import type { Client, Context } from '../context.ts'
import { normalEmail } from '../email.ts'
import { assertReadable } from '../hashing/hashing.ts'
import type { Attempt } from '../limits/attempts.ts'
import type { Counter } from '../limits/counters.sql.ts'
import { userAndCounters, type UserRow } from '../users/users.sql.ts'

/** One text for everything that can be wrong at a sign-in: it says nothing about which e-mails have accounts. */
export const badCredentials = () => new UnauthorizedError('Invalid email or password')

type Presented = { email: string; password: string; client: Client }
type Checking = Pick<Context, 'hasher' | 'limits'>

/** What is stored for an e-mail, with the counts of wrong passwords for it and of sign-ins of the address. */
type Stored<T> = { found: T | undefined; wrong: Counter | undefined; tried: Counter | undefined }

/** The names of those counts. */
export type CounterNames = { wrong: string; tried: string }

/**
 * Lets in who has the password of what `find` knows under an e-mail, after the limits of address and account. Undefined,
 * and after the same time, when it knows nothing, the password is wrong or `isActive` says no.
 * @param letIn counts the attempt in the transaction that opens a session
 */
export async function withPasswordOf<T extends { password_hash: string }, R>(
  { hasher, limits }: Checking,
  { email, password, client }: Presented,
  find: (email: string, names: CounterNames) => Promise<Stored<T>>,
  isActive: (found: T) => boolean,
  letIn: (found: T, attempt: Attempt) => Promise<R>,
): Promise<R | undefined> {
  assertReadable(password)
  const address = normalEmail(email)
  const names = { wrong: limits.wrongPasswordsOf(address), tried: limits.signInsOf(client.ip) }
  const { found, wrong, tried } = await find(address, names)
  return limits.signIn(client, tried, async attempt => {
    if (limits.isGuessed(wrong)) {
      await attempt.count()
      throw limits.guessed(client.answer, wrong)
    }
    const matches = await hasher.matches(password, found?.password_hash)
    if (!matches || !found || !isActive(found)) {
      await attempt.count()
      await limits.wrongPassword(address)
      return undefined
    }
    if (wrong) await limits.rightPassword(address)
    return letIn(found, attempt)
  })
}

/** The same for the active account of an e-mail. */
export const withPassword = <R>(
  parts: Checking & Pick<Context, 'db'>,
  presented: Presented,
  letIn: (user: UserRow, attempt: Attempt) => Promise<R>,
): Promise<R | undefined> =>
  withPasswordOf(
    parts,
    presented,
    (email, names) => userAndCounters(parts.db, email, names),
    user => user.is_active === 1,
    letIn,
  )

/** The refusal of a password that somebody who is signed in gives once more; `path` names it in the request. */
export const wrongPassword = (path: string) => invalid(path, 'is wrong', 'password.matches')

/**
 * Checks the password of somebody who is signed in, for a step that takes more than a token. ValidationError of its
 * field when it is wrong, TooManyRequestsError after too many wrong ones.
 * @param given the password, under the name of its field
 */
export async function provePassword(
  { hasher, limits }: Checking,
  user: Pick<UserRow, 'email' | 'password_hash'>,
  given: Record<string, string>,
): Promise<void> {
  const [[path, password] = ['password', '']] = Object.entries(given)
  assertReadable(password, path)
  const email = user.email ?? ''
  await limits.account(email)
  if (await hasher.matches(password, user.password_hash)) return
  await limits.wrongPassword(email)
  throw wrongPassword(path)
}

/** What a sign-in of either version says of the password that it took. */
export function passwordFlags(user: Pick<UserRow, 'is_tmp_password' | 'is_first_login' | 'is_forced'>) {
  const { is_tmp_password, is_first_login, is_forced } = user
  return {
    isTmpPassword: is_tmp_password === 1,
    isFirstLogin: is_first_login === 1,
    requirePasswordChange: [is_tmp_password, is_first_login, is_forced].includes(1),
  }
}
