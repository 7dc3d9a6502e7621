import type { Kysely } from 'kysely'
import { TooManyRequestsError } from '../kernel/errors.ts'
import { digest } from '../kernel/secrets.ts'
import { addressKey, normalEmail } from './addresses.rules.ts'
import { clearCounter, type Counter, counterOf, countHit } from './limits.sql.ts'
import type { Tables } from './tables.ts'

export type Limits = {
  /** One sign-in attempt of a client address; 20 per window (document 1, "Limits"; decision 17). */
  signIn(address: string | null): Promise<void>
  /** One new account of a client address: five times as many as sign-ins, since a hotel signs up behind one address. */
  newcomer(address: string | null): Promise<void>
  /** One request of another /auth path, by the subject it presents. */
  subject(path: string, subject: string): Promise<void>
  /** One request of its own sort: `limit` of them in `seconds`. */
  of(path: string, subject: string, limit: number, seconds: number): Promise<void>
  /**
   * Refuses an account that has seen too many wrong passwords in the window, wherever they came from.
   * @returns whether any are counted, which a right password would forgive
   */
  account(email: string): Promise<boolean>
  /** The same by a count that was read already. */
  refuseGuessing(counted: Counter | undefined): boolean
  /** What the wrong passwords of an account are counted under. */
  wrongPasswordsOf(email: string): string
  /** One wrong password for an account. */
  wrongPassword(email: string): Promise<void>
  /** A right password: the account's count starts anew. */
  rightPassword(email: string): Promise<void>
}

type Settings = { SIGN_IN_LIMIT: number; SIGN_IN_SUBJECT_LIMIT: number; SIGN_IN_WINDOW_SECONDS: number }

const newcomersPerSignIn = 5
const tooManyLogins = 'Too many login attempts, please try again later'

/** Limits whose counters live in the service's database, so that all processes count together. */
export function createLimits(db: Kysely<Tables>, settings: Settings): Limits {
  const windowSeconds = settings.SIGN_IN_WINDOW_SECONDS
  // Subjects are personal data or tokens: only a digest is kept.
  const nameOf = (path: string, subject: string) => `${path}:${digest(subject).slice(0, 40)}`
  const accountName = (email: string) => nameOf('wrong-password', normalEmail(email))

  const refuse = (counter: Counter | undefined, now: Date, message?: string): never => {
    const left = counter ? counter.ends_at.getTime() - now.getTime() : 0
    throw new TooManyRequestsError(message, { retryAfterSeconds: Math.max(1, Math.ceil(left / 1000)) })
  }
  const refuseGuessing = (counted: Counter | undefined): boolean => {
    const now = new Date()
    if (counted && counted.ends_at > now && counted.hits >= settings.SIGN_IN_SUBJECT_LIMIT)
      refuse(counted, now, tooManyLogins)
    return counted !== undefined
  }
  const count = async (name: string, limit: number, seconds: number, message?: string): Promise<void> => {
    const now = new Date()
    if ((await countHit(db, name, now, seconds * 1000)) > limit) refuse(await counterOf(db, name), now, message)
  }

  return {
    signIn: address =>
      count(nameOf('sign-in', addressKey(address)), settings.SIGN_IN_LIMIT, windowSeconds, tooManyLogins),
    newcomer: address =>
      count(nameOf('newcomer', addressKey(address)), newcomersPerSignIn * settings.SIGN_IN_LIMIT, windowSeconds),
    subject: (path, subject) => count(nameOf(path, subject), settings.SIGN_IN_SUBJECT_LIMIT, windowSeconds),
    of: (path, subject, limit, seconds) => count(nameOf(path, subject), limit, seconds),
    account: async email => refuseGuessing(await counterOf(db, accountName(email))),
    refuseGuessing,
    wrongPasswordsOf: accountName,
    async wrongPassword(email) {
      await countHit(db, accountName(email), new Date(), windowSeconds * 1000)
    },
    async rightPassword(email) {
      await clearCounter(db, accountName(email))
    },
  }
}
