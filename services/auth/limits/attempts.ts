import type { Kysely, Transaction } from 'kysely'
import { TooManyRequestsError } from '../../kernel/base/errors.ts'
import { afterCommit } from '../../kernel/database/database.ts'
import { quotaFields } from '../../kernel/rpc/limits/quota.ts'
import type { AuthTables } from '../tables.ts'
import { type Counter, clearCounter, countersOf, countHit, type Hits, hasSignedInFrom } from './counters.sql.ts'
import { isFull, type LimitRules, nameOf, type RateLimit, reportLimit, secondsLeft, tooManyLogins } from './rules.ts'

/**
 * A sign-in whose password is being checked. TooManyRequestsError when concurrent ones have exhausted a limit, for a
 * right password and a wrong one alike.
 */
export type SignInAttempt = {
  /** Counts a wrong password. */
  countWrong(): Promise<void>
  /** Accepts a right password, unless wrong ones have reached a limit meanwhile. */
  acceptRight(): Promise<void>
  /** Counts a right password in the transaction that opens the session, which saves a commit. */
  countIn(trx: Transaction<AuthTables>): Promise<void>
}

/** Counts sign-ins in the service's database, so that all processes share the counts. */
export function createAttempts(db: Kysely<AuthTables>, rules: LimitRules) {
  /** Sign-ins in progress in this process, by counter, which may not contain them yet. */
  const attemptsInProgress = new Map<string, number>()
  const add = (name: string, change: 1 | -1) => {
    const count = (attemptsInProgress.get(name) ?? 0) + change
    if (count > 0) attemptsInProgress.set(name, count)
    else attemptsInProgress.delete(name)
  }
  const refuse = (responseHeaders: Headers, limit: RateLimit, resetSeconds: number) =>
    reportLimit(responseHeaders, limit, { hits: limit.limit + 1, resetSeconds: resetSeconds || limit.seconds })

  return {
    /**
     * Runs `checkAttempt` as one sign-in with an e-mail from a client address, within the limits of both. It is counted
     * before its outcome is known to the client.
     */
    async signIn<T>(
      { responseHeaders, ip }: { responseHeaders: Headers; ip: string | null },
      email: string,
      checkAttempt: (attempt: SignInAttempt) => Promise<T>,
    ): Promise<T> {
      const [addressLimit, wrongLimit, rightLimit] = [
        rules.signIn(email, ip),
        rules.wrongSignIn(ip),
        rules.rightSignIn(ip),
      ]
      const lock = rules.wrongPassword(email)
      const name = nameOf(addressLimit)
      const counters = await countersOf(db, [addressLimit, wrongLimit, rightLimit, lock].map(nameOf))
      // Refuses before the password is hashed, even when all attempts arrive at once.
      for (const limit of [addressLimit, wrongLimit, rightLimit]) {
        const counter = counters.get(nameOf(limit))
        if (isFull(counter, limit.limit)) refuse(responseHeaders, limit, secondsLeft(counter))
      }
      if ((attemptsInProgress.get(name) ?? 0) >= addressLimit.limit) refuse(responseHeaders, addressLimit, 0)

      let isCounted = false
      /** Counts, and reports the limit with the fewest attempts left. A retried transaction reports again. */
      const count = async (to: Kysely<AuthTables>, limits: readonly RateLimit[]) => {
        const results: [RateLimit, Hits][] = []
        for (const limit of limits) results.push([limit, await countHit(to, nameOf(limit), new Date(), limit.seconds)])
        const [tightestResult] = results.toSorted(
          ([a, { hits }], [b, { hits: otherHits }]) => a.limit - hits - (b.limit - otherHits),
        )
        for (const field of quotaFields) responseHeaders.delete(field)
        if (tightestResult) reportLimit(responseHeaders, ...tightestResult)
      }
      const refuseLocked = async (retryAfterSeconds: number) => {
        isCounted = true
        await count(db, [addressLimit, wrongLimit])
        // The response reports neither this limit nor any other.
        responseHeaders.delete('ratelimit')
        throw new TooManyRequestsError(tooManyLogins, { retryAfterSeconds })
      }
      const assertUnlocked = async (counter: Counter | undefined) => {
        if (isFull(counter, lock.limit) && !(await hasSignedInFrom(db, lock.subject, ip)))
          await refuseLocked(secondsLeft(counter))
      }
      const attempt: SignInAttempt = {
        async countWrong() {
          isCounted = true
          if (!(await hasSignedInFrom(db, lock.subject, ip))) {
            const { hits, resetSeconds } = await countHit(db, nameOf(lock), new Date(), lock.seconds)
            if (hits > lock.limit) await refuseLocked(resetSeconds)
          }
          await count(db, [addressLimit, wrongLimit])
        },
        async acceptRight() {
          const current = await countersOf(db, [wrongLimit, lock].map(nameOf))
          const counter = current.get(nameOf(wrongLimit))
          if (isFull(counter, wrongLimit.limit)) refuse(responseHeaders, wrongLimit, secondsLeft(counter))
          await assertUnlocked(current.get(nameOf(lock)))
          await clearCounter(db, nameOf(lock))
        },
        async countIn(trx) {
          await count(trx, [addressLimit, rightLimit])
          afterCommit(trx, () => {
            isCounted = true
          })
        },
      }
      add(name, 1)
      try {
        await assertUnlocked(counters.get(nameOf(lock)))
        return await checkAttempt(attempt)
      } finally {
        const counting = isCounted ? Promise.resolve() : count(db, [addressLimit])
        await counting.finally(() => add(name, -1))
      }
    },
  }
}
