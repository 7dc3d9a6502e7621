import type { Kysely, Transaction } from 'kysely'
import { TooManyRequestsError } from '../../kernel/base/errors.ts'
import { afterCommit } from '../../kernel/database/database.ts'
import { quotaFields } from '../../kernel/rpc/limits/quota.ts'
import type { Tables } from '../tables.ts'
import { type Counter, clearCounter, countersOf, countHit, type Hits } from './counters.sql.ts'
import { hasSignedInFrom } from './former-addresses.sql.ts'
import { type Counted, isFull, type LimitRules, nameOf, reportLimit, secondsLeft, tooManyLogins } from './rules.ts'

/**
 * A sign-in whose password is being checked. TooManyRequestsError when concurrent ones have exhausted a limit, for a
 * right password and a wrong one alike.
 */
export type Attempt = {
  /** Counts a wrong password. */
  countWrong(): Promise<void>
  /** Accepts a right password, unless wrong ones have reached a limit meanwhile. */
  acceptRight(): Promise<void>
  /** Counts a right password in the transaction that opens the session, which saves a commit. */
  countIn(trx: Transaction<Tables>): Promise<void>
}

export type Attempts = {
  /**
   * Runs `work` as one sign-in with an e-mail from a client address, within the limits of both. It is counted
   * before its outcome is known to the client.
   */
  signIn<T>(
    client: { answer: Headers; ip: string | null },
    email: string,
    work: (attempt: Attempt) => Promise<T>,
  ): Promise<T>
}

/** Counts sign-ins in the service's database, so that all processes share the counts. */
export function createAttempts(db: Kysely<Tables>, rules: LimitRules): Attempts {
  /** Sign-ins in progress in this process, by counter, which may not contain them yet. */
  const underway = new Map<string, number>()
  const add = (name: string, change: 1 | -1) => {
    const count = (underway.get(name) ?? 0) + change
    if (count > 0) underway.set(name, count)
    else underway.delete(name)
  }
  const refuse = (answer: Headers, counted: Counted, resetSeconds: number) =>
    reportLimit(answer, counted, { hits: counted.limit + 1, resetSeconds: resetSeconds || counted.seconds })

  return {
    async signIn({ answer, ip }, email, work) {
      const [each, wrong, right] = [rules.signIn(email, ip), rules.wrongSignIn(ip), rules.rightSignIn(ip)]
      const lock = rules.wrongPassword(email)
      const name = nameOf(each)
      const counters = await countersOf(db, [each, wrong, right, lock].map(nameOf))
      // Refuses before the password is hashed, even when all attempts arrive at once.
      for (const counted of [each, wrong, right]) {
        const counter = counters.get(nameOf(counted))
        if (isFull(counter, counted.limit)) refuse(answer, counted, secondsLeft(counter))
      }
      if ((underway.get(name) ?? 0) >= each.limit) refuse(answer, each, 0)

      let isCounted = false
      /** Counts, and reports the limit with the fewest attempts left. A retried transaction reports again. */
      const count = async (to: Kysely<Tables>, all: readonly Counted[]) => {
        const results: [Counted, Hits][] = []
        for (const counted of all)
          results.push([counted, await countHit(to, nameOf(counted), new Date(), counted.seconds)])
        const [tightest] = results.toSorted(([a, { hits }], [b, others]) => a.limit - hits - (b.limit - others.hits))
        for (const field of quotaFields) answer.delete(field)
        if (tightest) reportLimit(answer, ...tightest)
      }
      const refuseLocked = async (retryAfterSeconds: number) => {
        isCounted = true
        await count(db, [each, wrong])
        // The response reports neither this limit nor any other.
        answer.delete('ratelimit')
        throw new TooManyRequestsError(tooManyLogins, { retryAfterSeconds })
      }
      const assertUnlocked = async (counter: Counter | undefined) => {
        if (isFull(counter, lock.limit) && !(await hasSignedInFrom(db, lock.subject, ip)))
          await refuseLocked(secondsLeft(counter))
      }
      const attempt: Attempt = {
        async countWrong() {
          isCounted = true
          if (!(await hasSignedInFrom(db, lock.subject, ip))) {
            const { hits, resetSeconds } = await countHit(db, nameOf(lock), new Date(), lock.seconds)
            if (hits > lock.limit) await refuseLocked(resetSeconds)
          }
          await count(db, [each, wrong])
        },
        async acceptRight() {
          const now = await countersOf(db, [wrong, lock].map(nameOf))
          const counter = now.get(nameOf(wrong))
          if (isFull(counter, wrong.limit)) refuse(answer, wrong, secondsLeft(counter))
          await assertUnlocked(now.get(nameOf(lock)))
          await clearCounter(db, nameOf(lock))
        },
        async countIn(trx) {
          await count(trx, [each, right])
          afterCommit(trx, () => {
            isCounted = true
          })
        },
      }
      add(name, 1)
      try {
        await assertUnlocked(counters.get(nameOf(lock)))
        return await work(attempt)
      } finally {
        const counting = isCounted ? Promise.resolve() : count(db, [each])
        await counting.finally(() => add(name, -1))
      }
    },
  }
}
