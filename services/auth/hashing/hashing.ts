import { availableParallelism } from 'node:os'
import { invalid } from '../../kernel/base/errors.ts'
import { newToken } from '../../kernel/base/secrets.ts'
import { isCommon } from './common-passwords.ts'
import { startThreads } from './threads.ts'

/** Fixed by docs/contract.md. */
const bcryptCost = 10
const minCharacters = 8
const maxBytes = 72

declare const checked: unique symbol
/** A password that `assertAcceptable` accepted. Only these can be hashed. */
export type NewPassword = string & { readonly [checked]: true }

export type Hasher = {
  /** The bcrypt hash of a password. ServiceUnavailableError when the queue is full. */
  hash(password: NewPassword): Promise<string>
  /** Hashes a password at today's cost, for one whose stored hash has another cost. */
  rehash(password: string): Promise<string>
  /** Whether the password matches the hash. Without a hash false, after the same time. */
  matches(password: string, hash: string | undefined): Promise<boolean>
  stop(): Promise<void>
}

type Options = { concurrency?: number; queue?: number }

/**
 * Hashes passwords on `concurrency` low-priority threads, so that cheap routes stay fast; `queue` more may wait. One
 * thread more than cores keeps every core busy while a thread fetches its next password.
 */
export async function createHasher({
  concurrency = availableParallelism() + 1,
  queue = 64,
}: Options = {}): Promise<Hasher> {
  const threads = startThreads(concurrency, queue)
  const hash = async (password: string) => String(await threads.run({ password, cost: bcryptCost }))
  const dummy = await hash(newToken())
  return {
    hash,
    rehash: hash,
    async matches(password, hash) {
      const same = await threads.run({ password, hash: hash ?? dummy })
      return same === true && hash !== undefined
    },
    stop: () => threads.stop(),
  }
}

/** Whether a hash has another cost than today's, as migrated ones may. */
export const isOutdated = (hash: string): boolean => Number(/^\$2[aby]?\$(\d\d)\$/.exec(hash)?.[1]) !== bcryptCost

/** bcrypt reads only 72 bytes, so a longer password would match by its beginning. ValidationError. */
export function assertReadable(password: string, path = 'password'): void {
  if (Buffer.byteLength(password) > maxBytes)
    throw invalid(path, `must be at most ${maxBytes} bytes`, 'string.max_bytes')
}

/** ValidationError for a new password that is too short, too long or too common. */
export function assertAcceptable(password: string, email: string, path = 'password'): asserts password is NewPassword {
  assertReadable(password, path)
  if (Array.from(password).length < minCharacters)
    throw invalid(path, `must have at least ${minCharacters} characters`, 'string.min_len')
  if (isCommon(password, email)) throw invalid(path, 'is too common', 'password.common')
}
