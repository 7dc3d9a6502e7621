import type { Kysely, Transaction } from 'kysely'
import { afterCommit } from '../../kernel/database/database.ts'
import { addressKey } from '../../kernel/base/client-address.ts'
import { quotaFields } from '../../kernel/rpc/limits/quota.ts'
import type { Tables } from '../tables.ts'
import { type Counter, countHit, type Hits } from './counters.sql.ts'
import { isFull, nameOf, secondsLeft, tell, tooManyLogins } from './rules.ts'

/** Counts a sign-in attempt. TooManyRequestsError when others were faster and it is one too many. */
export type Attempt = {
  /** Together with what the transaction does, which spares a commit. */
  countIn(trx: Transaction<Tables>): Promise<void>
  /** By itself. */
  count(): Promise<void>
}

export type Attempts = {
  /**
   * Does `work` as one sign-in attempt of a client address; 20 per window (document 1, "Limits"; decision 17). It is
   * counted before anything of its outcome is told: in the transaction that lets somebody in, or else by itself.
   * @param tried the count of `signInsOf` the address, as it was read
   */
  signIn<T>(
    client: { answer: Headers; ip: string | null },
    tried: Counter | undefined,
    work: (attempt: Attempt) => Promise<T>,
  ): Promise<T>
  /** What the sign-in attempts of a client address are counted under. */
  signInsOf(address: string | null): string
}

/** Counts sign-in attempts in the service's database, so that all processes count together. */
export function createAttempts(db: Kysely<Tables>, limit: number, seconds: number): Attempts {
  /** How many are being made here, by counter, which may not hold them yet. */
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
    async signIn({ answer, ip }, tried, work) {
      const counted = of(ip)
      const name = nameOf(counted)
      // What is one too many is refused before its password is hashed, also when all of them come at once.
      if (isFull(tried, limit) || (underway.get(name) ?? 0) >= limit)
        tell(answer, counted, { hits: limit + 1, resetSeconds: secondsLeft(tried) || seconds })

      let isCounted = false
      // A transaction may run more than once, and only its last run counts.
      const tellAnew = (hits: Hits) => {
        for (const field of quotaFields) answer.delete(field)
        tell(answer, counted, hits)
      }
      const attempt: Attempt = {
        async countIn(trx) {
          const hits = await countHit(trx, name, new Date(), seconds)
          afterCommit(trx, () => (isCounted = true))
          tellAnew(hits)
        },
        async count() {
          const hits = await countHit(db, name, new Date(), seconds)
          isCounted = true
          tellAnew(hits)
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
    signInsOf: address => nameOf(of(address)),
  }
}
