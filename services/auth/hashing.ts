import bcrypt from 'bcrypt'
import { invalid, ServiceUnavailableError } from '../kernel/errors.ts'
import { newToken } from '../kernel/secrets.ts'
import { commonPasswords } from './common-passwords.ts'

/** Fixed by document 1, "Limits". */
export const bcryptCost = 10
const maxBytes = 72

export type Hasher = {
  /** The bcrypt hash of a password. ServiceUnavailableError when too many are waiting. */
  hash(password: string): Promise<string>
  /** Whether the password is the hash's; without a hash false, after the same time. */
  matches(password: string, hash: string | undefined): Promise<boolean>
}

/**
 * Hashes passwords on the thread pool, `concurrency` at once, so that it never takes all its threads and cheap
 * routes stay fast; `queue` more may wait.
 */
export async function createHasher({ concurrency = 2, queue = 64 } = {}): Promise<Hasher> {
  const dummy = await bcrypt.hash(newToken(), bcryptCost)
  const waiting: (() => void)[] = []
  let running = 0

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= concurrency) {
      if (waiting.length >= queue) throw new ServiceUnavailableError(undefined, { retryAfterSeconds: 2 })
      await new Promise<void>(resolve => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      // The place goes straight to the next in line, so that nobody overtakes.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return {
    hash: password => inTurn(() => bcrypt.hash(password, bcryptCost)),
    async matches(password, hash) {
      const same = await inTurn(() => bcrypt.compare(password, hash ?? dummy))
      return same && hash !== undefined
    },
  }
}

/** bcrypt reads 72 bytes and no more: a longer password would be accepted by its beginning. ValidationError. */
export function assertReadable(password: string, path = 'password'): void {
  if (Buffer.byteLength(password) > maxBytes)
    throw invalid(path, `must be at most ${maxBytes} bytes`, 'string.max_bytes')
}

/** ValidationError for a new password that is among the first an attacker tries. */
export function assertUncommon(password: string, email: string, path = 'password'): void {
  assertReadable(password, path)
  const plain = password.toLowerCase()
  const [mailbox = ''] = email.toLowerCase().split('@')
  const letters = new Set(plain)
  if (commonPasswords.has(plain) || plain === email.toLowerCase() || plain === mailbox || letters.size < 3)
    throw invalid(path, 'is too common', 'password.common')
}
