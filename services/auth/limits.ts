import type { Kysely } from 'kysely'
import { TooManyRequestsError } from '../kernel/errors.ts'
import { tellQuota } from '../kernel/quota.ts'
import { digest } from '../kernel/secrets.ts'
import { addressKey, normalEmail } from './addresses.rules.ts'
import { clearCounter, type Counter, counterOf, countHit } from './limits.sql.ts'
import type { Tables } from './tables.ts'

/**
 * Every limit is told of in the headers of the answer (`kernel/quota.ts`). How much is left is told of what is the
 * caller's own, an address or a token; of an e-mail or an account that a request names only when nothing is left, for
 * anybody could watch what others do there.
 */
export type Limits = {
  /** One sign-in attempt of a client address; 20 per window (document 1, "Limits"; decision 17). */
  signIn(answer: Headers, address: string | null): Promise<void>
  /** One new account of a client address: five times as many as sign-ins, since a hotel signs up behind one address. */
  newcomer(answer: Headers, address: string | null): Promise<void>
  /** One request of another /auth path, by the token it presents. */
  presented(answer: Headers, path: string, token: string): Promise<void>
  /** One request by whom it names; `limit` of them in `seconds`, as many as sign-ins of an account where not given. */
  named(answer: Headers, path: string, subject: string, limit?: number, seconds?: number): Promise<void>
  /**
   * Refuses an account that has seen too many wrong passwords in the window, wherever they came from.
   * @returns whether any are counted, which a right password would forgive
   */
  account(email: string): Promise<boolean>
  /** The same by a count that was read already. The answer tells nothing of this limit, nor of another one beside it. */
  refuseGuessing(answer: Headers, counted: Counter | undefined): boolean
  /** What the wrong passwords of an account are counted under. */
  wrongPasswordsOf(email: string): string
  /** One wrong password for an account. */
  wrongPassword(email: string): Promise<void>
  /** A right password: the account's count starts anew. */
  rightPassword(email: string): Promise<void>
}

type Settings = { SIGN_IN_LIMIT: number; SIGN_IN_SUBJECT_LIMIT: number; SIGN_IN_WINDOW_SECONDS: number }
type Counted = { policy: string; subject: string; limit: number; seconds: number; isOwn: boolean; message?: string }

const newcomersPerSignIn = 5
const tooManyLogins = 'Too many login attempts, please try again later'

/** Limits whose counters live in the service's database, so that all processes count together. */
export function createLimits(db: Kysely<Tables>, settings: Settings): Limits {
  const { SIGN_IN_LIMIT, SIGN_IN_SUBJECT_LIMIT, SIGN_IN_WINDOW_SECONDS } = settings
  // Subjects are personal data or tokens: only a digest is kept.
  const nameOf = (path: string, subject: string) => `${path}:${digest(subject).slice(0, 40)}`
  const accountName = (email: string) => nameOf('wrong-password', normalEmail(email))

  const refuseGuessing = (answer: Headers, counted: Counter | undefined): boolean => {
    const leftMs = counted ? counted.ends_at.getTime() - Date.now() : 0
    if (counted && leftMs > 0 && counted.hits >= SIGN_IN_SUBJECT_LIMIT) {
      answer.delete('ratelimit')
      throw new TooManyRequestsError(tooManyLogins, { retryAfterSeconds: Math.ceil(leftMs / 1000) })
    }
    return counted !== undefined
  }
  const count = async (answer: Headers, { policy, subject, limit, seconds, isOwn, message }: Counted) => {
    const { hits, resetSeconds } = await countHit(db, nameOf(policy, subject), new Date(), seconds)
    const isOver = hits > limit
    const state = isOver || isOwn ? { left: Math.max(0, limit - hits), resetSeconds } : {}
    // Beside Retry-After stands the limit that refuses, alone.
    if (isOver) answer.delete('ratelimit')
    tellQuota(answer, { policy, limit, windowSeconds: seconds, ...state })
    if (isOver) throw new TooManyRequestsError(message, { retryAfterSeconds: resetSeconds })
  }
  const ofAddress = (policy: string, address: string | null, limit: number) => ({
    policy,
    subject: addressKey(address),
    limit,
    seconds: SIGN_IN_WINDOW_SECONDS,
    isOwn: true,
  })

  return {
    signIn: (answer, address) =>
      count(answer, { ...ofAddress('sign-in', address, SIGN_IN_LIMIT), message: tooManyLogins }),
    newcomer: (answer, address) => count(answer, ofAddress('newcomer', address, newcomersPerSignIn * SIGN_IN_LIMIT)),
    presented: (answer, policy, subject) =>
      count(answer, {
        policy,
        subject,
        limit: SIGN_IN_SUBJECT_LIMIT,
        seconds: SIGN_IN_WINDOW_SECONDS,
        isOwn: true,
      }),
    named: (answer, policy, subject, limit = SIGN_IN_SUBJECT_LIMIT, seconds = SIGN_IN_WINDOW_SECONDS) =>
      count(answer, { policy, subject, limit, seconds, isOwn: false }),
    account: async email => refuseGuessing(new Headers(), await counterOf(db, accountName(email))),
    refuseGuessing,
    wrongPasswordsOf: accountName,
    async wrongPassword(email) {
      await countHit(db, accountName(email), new Date(), SIGN_IN_WINDOW_SECONDS)
    },
    async rightPassword(email) {
      await clearCounter(db, accountName(email))
    },
  }
}
