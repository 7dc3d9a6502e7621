import type { Kysely } from 'kysely'
import type { AuthTables } from '../tables.ts'
import { clearCounter, countersOf } from './counters.sql.ts'
import { isFull, type LimitRules, nameOf, type RateLimit } from './rules.ts'

/** An account, and the client addresses that it signed in from. */
export type LockSubject = { email: string; addresses: readonly string[] }

/**
 * The limits that keep an account from signing in with the right password. Of client addresses only those that it
 * signed in from are known, because counters have no readable subject.
 */
export function createLocks(db: Kysely<AuthTables>, rules: LimitRules) {
  const limitsOf = ({ email, addresses }: LockSubject): RateLimit[] => [
    rules.wrongPassword(email),
    ...addresses.flatMap(address => [rules.signIn(email, address), rules.wrongSignIn(address)]),
  ]
  return {
    /** Until when each account is locked; undefined for one that isn't. */
    async lockEnds(subjects: readonly LockSubject[]): Promise<(Date | undefined)[]> {
      const counters = await countersOf(db, ['', ...subjects.flatMap(limitsOf).map(nameOf)])
      return subjects.map(subject => {
        const ends = limitsOf(subject).flatMap(limit => {
          const counter = counters.get(nameOf(limit))
          return counter && isFull(counter, limit.limit) ? [counter.ends_at.getTime()] : []
        })
        return ends.length > 0 ? new Date(Math.max(...ends)) : undefined
      })
    },
    /** Forgets wrong passwords and codes of an account, and the sign-ins from its addresses. */
    async unlock(trx: Kysely<AuthTables>, subject: LockSubject): Promise<void> {
      const { email } = subject
      for (const limit of [...limitsOf(subject), rules.wrongProof(email), rules.wrongCode(email)])
        await clearCounter(trx, nameOf(limit))
    },
  }
}
