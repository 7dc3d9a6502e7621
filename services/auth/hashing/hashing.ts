import { availableParallelism } from 'node:os'
import { invalid } from '../../kernel/base/errors.ts'
import { newToken, normalizePassword } from '../../kernel/base/secrets.ts'
import { isCommon } from './common-passwords.ts'
import { startThreads } from './threads.ts'

/** Fixed by docs/contract.md. */
const bcryptCost = 10
const minCharacters = 8
const maxBytes = 72

declare const checked: unique symbol
/** A password that `acceptPassword` accepted. Only these can be hashed. */
export type NewPassword = string & { readonly [checked]: true }

export type Hasher = {
  /** A new password that the settings of the hasher accept. ValidationError of `path` otherwise. */
  accept(password: string, email: string, path?: string): NewPassword
  /** The bcrypt hash of a password. ServiceUnavailableError when the queue is full. */
  hash(password: NewPassword): Promise<string>
  /** Hashes a password that was accepted earlier, to renew its stored hash. */
  rehash(password: string): Promise<string>
  /**
   * Whether the password matches the hash, in its normal form or as typed, as hashes once were made. Without a
   * hash false, after the same time.
   */
  matches(password: string, hash: string | undefined): Promise<boolean>
  /** Whether the hash of a password that matches should be renewed: it has another cost or isn't of the normal form. */
  isOutdated(password: string, hash: string): Promise<boolean>
  stop(): Promise<void>
}

type Options = { concurrency?: number; queue?: number; hasBlocklist?: boolean }

/**
 * Hashes passwords on `concurrency` low-priority threads, so that cheap routes stay fast; `queue` more may wait. One
 * thread more than cores keeps every core busy while a thread fetches its next password.
 * @param hasBlocklist whether common passwords are refused
 */
export async function createHasher({
  concurrency = availableParallelism() + 1,
  queue = 64,
  hasBlocklist = false,
}: Options = {}): Promise<Hasher> {
  const threads = startThreads(concurrency, queue)
  const hash = async (password: string) =>
    String(await threads.run({ password: normalizePassword(password), cost: bcryptCost }))
  const dummyHash = await hash(newToken())
  const matchesHash = async (password: string, hash: string) => (await threads.run({ password, hash })) === true
  return {
    accept: (password, email, path = 'password') => acceptPassword(password, { email, path, hasBlocklist }),
    hash,
    rehash: hash,
    async matches(password, hash) {
      const comparedHash = hash ?? dummyHash
      const normal = normalizePassword(password)
      const isSame =
        (await matchesHash(normal, comparedHash)) ||
        (normal !== password && isReadable(password) && (await matchesHash(password, comparedHash)))
      return isSame && hash !== undefined
    },
    async isOutdated(password, hash) {
      const normal = normalizePassword(password)
      return hasOtherCost(hash) || (normal !== password && !(await matchesHash(normal, hash)))
    },
    stop: () => threads.stop(),
  }
}

/** Whether a hash has another cost than today's, as migrated ones may. */
const hasOtherCost = (hash: string): boolean => Number(/^\$2[aby]?\$(\d\d)\$/.exec(hash)?.[1]) !== bcryptCost

/** bcrypt reads only 72 bytes, so a longer password would match by its beginning. */
const isReadable = (password: string): boolean => Buffer.byteLength(password) <= maxBytes

/** ValidationError for a password of which bcrypt would read only the beginning. */
export function assertReadable(password: string, path = 'password'): void {
  if (!isReadable(normalizePassword(password)))
    throw invalid(path, `must be at most ${maxBytes} bytes`, 'string.max_bytes')
}

type NewPasswordRules = { email: string; path: string; hasBlocklist: boolean }

/** The password of an e-mail, unless it is too short, too long, or common while there is a blocklist [D161]. */
export function acceptPassword(password: string, { email, path, hasBlocklist }: NewPasswordRules): NewPassword {
  assertReadable(password, path)
  const normal = normalizePassword(password)
  if (Array.from(normal).length < minCharacters)
    throw invalid(path, `must have at least ${minCharacters} characters`, 'string.min_len')
  if (hasBlocklist && isCommon(normal, email)) throw invalid(path, 'is too common', 'password.common')
  return password as NewPassword
}
