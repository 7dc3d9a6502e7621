import { invalid, UnauthorizedError } from '../../kernel/base/errors.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import type { ClientInfo, Context } from '../context.ts'
import { assertReadable } from '../hashing/hashing.ts'
import type { SignInAttempt } from '../limits/attempts.ts'
import { changeChecked, type UserRow, userByEmail, userById } from '../users/users.sql.ts'

/** One message for every failed sign-in, so that it doesn't reveal which e-mails have accounts. */
export const badCredentials = () => new UnauthorizedError('Invalid email or password')

type PresentedCredentials = { email: string; password: string; client: ClientInfo }
type PasswordCheckContext = Pick<Context, 'hasher' | 'limits'>

/**
 * Calls `openSession` if the password matches the record that `find` returns, within the limits of address and account.
 * Returns undefined, after the same time, when there is no record, the password is wrong or `isActive` is false.
 * @param openSession counts the attempt in the transaction that opens a session
 */
export async function withPasswordOf<T extends { password_hash: string }, R>(
  { hasher, limits }: PasswordCheckContext,
  { email, password, client }: PresentedCredentials,
  find: (email: string) => Promise<T | undefined>,
  isActive: (row: T) => boolean,
  openSession: (row: T, attempt: SignInAttempt) => Promise<R>,
): Promise<R | undefined> {
  assertReadable(password)
  const address = normalizeEmail(email)
  return limits.signIn(client, address, async attempt => {
    const row = await find(address)
    const isMatch = await hasher.matches(password, row?.password_hash)
    if (!isMatch || !row || !isActive(row)) {
      await attempt.countWrong()
      return undefined
    }
    await attempt.acceptRight()
    return openSession(row, attempt)
  })
}

/** Like `withPasswordOf`, for the active account of an e-mail; renews an outdated hash. */
export const withPassword = <R>(
  parts: PasswordCheckContext & Pick<Context, 'db'>,
  credentials: PresentedCredentials,
  openSession: (user: UserRow, attempt: SignInAttempt) => Promise<R>,
): Promise<R | undefined> =>
  withPasswordOf(
    parts,
    credentials,
    email => userByEmail(parts.db, email),
    user => user.is_active === 1,
    async (user, attempt) => openSession(await renewHash(parts, user, credentials.password), attempt),
  )

/** The account with an up-to-date hash of the password that matched. */
async function renewHash({ db, hasher }: Pick<Context, 'db' | 'hasher'>, user: UserRow, password: string) {
  if (!(await hasher.isOutdated(password, user.password_hash))) return user
  const renewedUser = { ...user, password_hash: await hasher.rehash(password) }
  if (await changeChecked(db, user, { password_hash: renewedUser.password_hash })) return renewedUser
  // A concurrent sign-in may have renewed the same hash.
  const reread = await userById(db, user.id)
  return reread && (await hasher.matches(password, reread.password_hash)) ? reread : user
}

/** The refusal of a signed-in user's wrong password; `path` is its field in the request. */
export const wrongPassword = (path: string) => invalid(path, 'is wrong', 'password.matches')

/**
 * Checks a signed-in user's password for a step that a token alone doesn't allow: changing or deleting what the
 * account is. ValidationError of its field when it is missing or wrong, TooManyRequestsError after too many wrong ones.
 * @param fields the password, under the name of its field
 * @param purpose completes the message for a missing password
 */
export async function provePassword(
  { hasher, limits }: PasswordCheckContext,
  user: Pick<UserRow, 'email' | 'password_hash'>,
  fields: Record<string, string | undefined>,
  purpose: string,
): Promise<void> {
  const [[path, password] = ['password', undefined]] = Object.entries(fields)
  if (password === undefined) throw invalid(path, `is required to ${purpose}`, 'required')
  assertReadable(password, path)
  const isRight = await limits.checkPassword(user.email ?? '', () => hasher.matches(password, user.password_hash))
  if (!isRight) throw wrongPassword(path)
}

/** The password flags in the sign-in response of both versions. */
export function passwordFlags(user: Pick<UserRow, 'is_tmp_password' | 'is_first_login' | 'is_forced'>) {
  const { is_tmp_password, is_first_login, is_forced } = user
  return {
    isTmpPassword: is_tmp_password === 1,
    isFirstLogin: is_first_login === 1,
    requirePasswordChange: [is_tmp_password, is_first_login, is_forced].includes(1),
  }
}
