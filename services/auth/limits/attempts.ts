import type { Kysely, Transaction } from 'kysely'
import { addressKey } from '../../kernel/base/client-address.ts'
import { afterCommit } from '../../kernel/database/database.ts'
import { quotaFields } from '../../kernel/rpc/limits/quota.ts'
import type { Tables } from '../tables.ts'
import { counterOf, countHit, type Hits } from './counters.sql.ts'
import { isFull, nameOf, reportLimit, secondsLeft, tooManyLogins } from './rules.ts'

/** Counts a sign-in attempt. TooManyRequestsError when concurrent attempts have exhausted the limit. */
export type Attempt = {
  /** Within the caller's transaction, which saves a commit. */
  countIn(trx: Transaction<Tables>): Promise<void>
  /** Separately. */
  count(): Promise<void>
}

export type Attempts = {
  /**
   * Runs `work` as one sign-in attempt of a client address, limited per window [D17]. The attempt is counted before its
   * outcome is known to the client: in the transaction that opens the session, or else separately.
   */
  signIn<T>(client: { answer: Headers; ip: string | null }, work: (attempt: Attempt) => Promise<T>): Promise<T>
}

/** Counts sign-in attempts in the service's database, so that all processes share the counts. */
export function createAttempts(db: Kysely<Tables>, limit: number, seconds: number): Attempts {
  /** Attempts in progress in this process, by counter, which may not contain them yet. */
  const underway = new Map<string, number>()
  const add = (name: string, change: 1 | -1) => {
    const count = (underway.get(name) ?? 0) + change
    if (count > 0) underway.set(name, count)
    else underway.delete(name)
  }
  const of = (address: string | null) => ({
    policy: 'sign-in',
    subject: addressKey(address),
    limit,
    seconds,
    isOwn: true,
    message: tooManyLogins,
  })

  return {
    async signIn({ answer, ip }, work) {
      const counted = of(ip)
      const name = nameOf(counted)
      const tried = await counterOf(db, name)
      // Refuses before the password is hashed, even when all attempts arrive at once.
      if (isFull(tried, limit) || (underway.get(name) ?? 0) >= limit)
        reportLimit(answer, counted, { hits: limit + 1, resetSeconds: secondsLeft(tried) || seconds })

      let isCounted = false
      // A retried transaction reports again, and only its last run counts.
      const replaceReport = (hits: Hits) => {
        for (const field of quotaFields) answer.delete(field)
        reportLimit(answer, counted, hits)
      }
      const attempt: Attempt = {
        async countIn(trx) {
          const hits = await countHit(trx, name, new Date(), seconds)
          afterCommit(trx, () => (isCounted = true))
          replaceReport(hits)
        },
        async count() {
          const hits = await countHit(db, name, new Date(), seconds)
          isCounted = true
          replaceReport(hits)
        },
      }
      add(name, 1)
      try {
        return await work(attempt)
      } finally {
        const counting = isCounted ? Promise.resolve() : attempt.count()
        await counting.finally(() => add(name, -1))
      }
    },
  }
}
