import type { Kysely } from 'kysely'
import { TooManyRequestsError } from '../../kernel/base/errors.ts'
import type { AuthTables } from '../tables.ts'
import { createAttempts } from './attempts.ts'
import { clearCounter, counterOf, countHit, uncountHit } from './counters.sql.ts'
import { createLocks } from './locks.ts'
import {
  isFull,
  type LimitSettings,
  type LimitSubject,
  limitRules,
  nameOf,
  type RateLimit,
  reportLimit,
  secondsLeft,
} from './rules.ts'

export type AuthLimits = ReturnType<typeof createLimits>
type Caller = { responseHeaders: Headers; ip: string | null }

/**
 * Limits whose counters live in the service's database, so that all processes share them. Every limit is reported in the
 * response headers (`kernel/rpc/limits/quota.ts`). The remaining quota is reported only for the caller's own address or
 * token. For an e-mail or account named in the request it is reported only once exhausted, since others could otherwise
 * observe its use.
 */
export function createLimits(db: Kysely<AuthTables>, settings: LimitSettings) {
  const rules = limitRules(settings)
  const count = async (responseHeaders: Headers, limit: RateLimit) =>
    reportLimit(responseHeaders, limit, await countHit(db, nameOf(limit), new Date(), limit.seconds))
  const countUnlessRight = async <Result>(limit: RateLimit, prove: () => Promise<Result>): Promise<Result> => {
    const { hits, resetSeconds } = await countHit(db, nameOf(limit), new Date(), limit.seconds)
    if (hits > limit.limit) throw new TooManyRequestsError(limit.message, { retryAfterSeconds: resetSeconds })
    let isWrong = false
    try {
      const result = await prove()
      isWrong = !result
      return result
    } finally {
      if (!isWrong) await uncountHit(db, nameOf(limit))
    }
  }

  return {
    ...createAttempts(db, rules),
    ...createLocks(db, rules),
    /** Counts an anonymous call of a client address. */
    countAnonymous: (responseHeaders: Headers, address: string | null) =>
      count(responseHeaders, rules.anonymous(address)),
    /** Counts a call by its subject: the e-mail or account that it names, or the token that it presents. */
    countSubject: (responseHeaders: Headers, subject: LimitSubject) => count(responseHeaders, rules.subject(subject)),
    /** Counts a call of a page for its session; for an unknown token by the client address. */
    countPageSession: ({ responseHeaders, ip }: Caller, sessionId: string | undefined) =>
      count(responseHeaders, sessionId === undefined ? rules.unknownPageSession(ip) : rules.pageSession(sessionId)),
    /** Counts an unreadable request: as a wrong sign-in, or else separately from readable ones. */
    async countUnreadable({ responseHeaders, ip }: Caller, isSignIn: boolean) {
      const limit = isSignIn ? rules.wrongSignIn(ip) : rules.unreadable(ip)
      const counter = await counterOf(db, nameOf(limit))
      // Once the limit is exceeded, refuses without writing to the database.
      if (isFull(counter, limit.limit))
        reportLimit(responseHeaders, limit, { hits: limit.limit + 1, resetSeconds: secondsLeft(counter) })
      await count(responseHeaders, limit)
    },
    /**
     * Compares a signed-in user's password, counted as wrong until it is right, so that concurrent guesses are counted
     * too. TooManyRequestsError after too many wrong ones in the window.
     */
    checkPassword: (email: string, compare: () => Promise<boolean>) =>
      countUnlessRight(rules.wrongProof(email), compare),
    /** Finds the request of a reset code, within the limit of wrong codes; undefined for a wrong code. */
    findByCode: <Request>(email: string, find: () => Promise<Request | undefined>) =>
      countUnlessRight(rules.wrongCode(email), find),
    /** Resets the counters of an account whose password was replaced. */
    async resetAccount(email: string) {
      for (const limit of [rules.wrongPassword(email), rules.wrongProof(email)]) await clearCounter(db, nameOf(limit))
    },
  }
}
