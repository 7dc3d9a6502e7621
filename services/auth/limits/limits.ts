import type { Kysely } from 'kysely'
import { TooManyRequestsError } from '../../kernel/base/errors.ts'
import type { Tables } from '../tables.ts'
import { type Attempts, createAttempts } from './attempts.ts'
import { clearCounter, counterOf, countHit, uncountHit } from './counters.sql.ts'
import {
  type Counted,
  isFull,
  type LimitSettings,
  limitRules,
  nameOf,
  reportLimit,
  type Subject,
  secondsLeft,
} from './rules.ts'

/**
 * Every limit is reported in the response headers (`kernel/rpc/limits/quota.ts`). The remaining quota is reported only
 * for the caller's own address or token. For an e-mail or account named in the request it is reported only once
 * exhausted, since others could otherwise observe its use.
 */
export type Limits = Attempts & {
  /** Counts an anonymous call of a client address. */
  anonymous(answer: Headers, address: string | null): Promise<void>
  /** Counts a call by its subject: the e-mail or account it names, or the token it presents. */
  subject(answer: Headers, subject: Subject): Promise<void>
  /** Counts a call of a page for its session; for an unknown token by the client address. */
  pageSession(client: { answer: Headers; ip: string | null }, sessionId: string | undefined): Promise<void>
  /** Counts an unreadable request: as a wrong sign-in, or else separately from readable ones. */
  broken(client: { answer: Headers; ip: string | null }, isSignIn: boolean): Promise<void>
  /**
   * Compares a signed-in user's password, counted as wrong until it is right, so that concurrent guesses are counted
   * too. TooManyRequestsError after too many wrong ones in the window.
   */
  proves(email: string, compare: () => Promise<boolean>): Promise<boolean>
  /** The same for a code of a reset: looks up its request, undefined for a wrong code. */
  findByCode<Request>(email: string, find: () => Promise<Request | undefined>): Promise<Request | undefined>
  /** Resets the counters of an account whose password was replaced. */
  resetAccount(email: string): Promise<void>
}

/** Limits whose counters live in the service's database, so that all processes share them. */
export function createLimits(db: Kysely<Tables>, settings: LimitSettings): Limits {
  const rules = limitRules(settings)
  const count = async (answer: Headers, counted: Counted) =>
    reportLimit(answer, counted, await countHit(db, nameOf(counted), new Date(), counted.seconds))
  const countUnlessRight = async <Result>(counted: Counted, prove: () => Promise<Result>): Promise<Result> => {
    const { hits, resetSeconds } = await countHit(db, nameOf(counted), new Date(), counted.seconds)
    if (hits > counted.limit) throw new TooManyRequestsError(counted.message, { retryAfterSeconds: resetSeconds })
    let isWrong = false
    try {
      const result = await prove()
      isWrong = !result
      return result
    } finally {
      if (!isWrong) await uncountHit(db, nameOf(counted))
    }
  }

  return {
    ...createAttempts(db, rules),
    anonymous: (answer, address) => count(answer, rules.anonymous(address)),
    subject: (answer, subject) => count(answer, rules.subject(subject)),
    pageSession: ({ answer, ip }, sessionId) =>
      count(answer, sessionId === undefined ? rules.unknownPageSession(ip) : rules.pageSession(sessionId)),
    async broken({ answer, ip }, isSignIn) {
      const counted = isSignIn ? rules.wrongSignIn(ip) : rules.unreadable(ip)
      const present = await counterOf(db, nameOf(counted))
      // Once the limit is exceeded, refuses without writing to the database.
      if (isFull(present, counted.limit))
        reportLimit(answer, counted, { hits: counted.limit + 1, resetSeconds: secondsLeft(present) })
      await count(answer, counted)
    },
    proves: (email, compare) => countUnlessRight(rules.wrongProof(email), compare),
    findByCode: (email, find) => countUnlessRight(rules.wrongCode(email), find),
    async resetAccount(email) {
      for (const counted of [rules.wrongPassword(email), rules.wrongProof(email)])
        await clearCounter(db, nameOf(counted))
    },
  }
}
