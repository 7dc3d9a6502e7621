import type { Kysely } from 'kysely'
import { TooManyRequestsError } from '../../kernel/base/errors.ts'
import { addressKey } from '../../kernel/base/client-address.ts'
import { normalEmail } from '../email.ts'
import type { Tables } from '../tables.ts'
import { type Attempts, createAttempts } from './attempts.ts'
import { clearCounter, type Counter, counterOf, countHit } from './counters.sql.ts'
import { type Counted, isFull, nameOf, secondsLeft, tell, tooManyLogins } from './rules.ts'

/**
 * Every limit is told of in the headers of the answer (`kernel/rpc/limits/quota.ts`). How much is left is told of what is the
 * caller's own, an address or a token; of an e-mail or an account that a request names only when nothing is left, for
 * anybody could watch what others do there.
 */
export type Limits = Attempts & {
  /** One anonymous call of a client address. */
  anonymous(answer: Headers, address: string | null): Promise<void>
  /** One call by a subject: what it names, or the token that it presents. */
  subject(answer: Headers, subject: Subject): Promise<void>
  /** One request that could not be read: a sign-in like any other, or else counted apart from those that could. */
  broken(client: { answer: Headers; ip: string | null }, isSignIn: boolean): Promise<void>
  /** Refuses an account that has seen too many wrong passwords in the window, wherever they came from. */
  account(email: string): Promise<void>
  /** Whether a count that was read is of such an account. */
  isGuessed(wrong: Counter | undefined): boolean
  /** What is thrown then. The answer tells nothing of this limit, nor of another one beside it. */
  guessed(answer: Headers, wrong: Counter | undefined): Error
  /** What the wrong passwords of an account are counted under. */
  wrongPasswordsOf(email: string): string
  /** One wrong password for an account. */
  wrongPassword(email: string): Promise<void>
  /** A right password: the account's count starts anew. */
  rightPassword(email: string): Promise<void>
}

/** As the limit option of a method describes it; `perHour` 0 is the documented limit of the /auth paths. */
export type Subject = { policy: string; value: string; perHour?: number; own: boolean }

type Settings = Record<'SIGN_IN_LIMIT' | 'SIGN_IN_SUBJECT_LIMIT' | 'SIGN_IN_WINDOW_SECONDS' | 'ANONYMOUS_LIMIT', number>

const hour = 3600

/** Limits whose counters live in the service's database, so that all processes count together. */
export function createLimits(db: Kysely<Tables>, settings: Settings): Limits {
  const { SIGN_IN_LIMIT, SIGN_IN_SUBJECT_LIMIT, SIGN_IN_WINDOW_SECONDS, ANONYMOUS_LIMIT } = settings
  const wrongPasswordsOf = (email: string) => nameOf({ policy: 'wrong-password', subject: normalEmail(email) })

  const isGuessed = (wrong: Counter | undefined) => isFull(wrong, SIGN_IN_SUBJECT_LIMIT)
  const guessed = (answer: Headers, wrong: Counter | undefined) => {
    answer.delete('ratelimit')
    return new TooManyRequestsError(tooManyLogins, { retryAfterSeconds: secondsLeft(wrong) })
  }
  const count = async (answer: Headers, counted: Counted) =>
    tell(answer, counted, await countHit(db, nameOf(counted), new Date(), counted.seconds))

  const attempts = createAttempts(db, SIGN_IN_LIMIT, SIGN_IN_WINDOW_SECONDS)
  const unreadable = (address: string | null) => ({
    policy: 'unreadable',
    subject: addressKey(address),
    limit: SIGN_IN_LIMIT,
    seconds: SIGN_IN_WINDOW_SECONDS,
    isOwn: true,
    message: tooManyLogins,
  })

  return {
    ...attempts,
    anonymous: (answer, address) =>
      count(answer, {
        policy: 'anonymous',
        subject: addressKey(address),
        limit: ANONYMOUS_LIMIT,
        seconds: SIGN_IN_WINDOW_SECONDS,
        isOwn: true,
      }),
    subject: (answer, { policy, value, perHour = 0, own }) =>
      count(answer, {
        policy,
        subject: own ? value : normalEmail(value),
        isOwn: own,
        // The documented limit of the /auth prefix has the text of sign-ins; others have none of their own.
        ...(perHour > 0
          ? { limit: perHour, seconds: hour }
          : { limit: SIGN_IN_SUBJECT_LIMIT, seconds: SIGN_IN_WINDOW_SECONDS, message: tooManyLogins }),
      }),
    async broken(client, isSignIn) {
      const { answer, ip } = client
      if (isSignIn) {
        const tried = await counterOf(db, attempts.signInsOf(ip))
        return attempts.signIn(client, tried, async attempt => attempt.count())
      }
      const counted = unreadable(ip)
      const present = await counterOf(db, nameOf(counted))
      // Whoever goes on for ever is told so, and nothing is written any more.
      if (isFull(present, SIGN_IN_LIMIT))
        tell(answer, counted, { hits: SIGN_IN_LIMIT + 1, resetSeconds: secondsLeft(present) })
      await count(answer, counted)
    },
    async account(email) {
      const wrong = await counterOf(db, wrongPasswordsOf(email))
      if (isGuessed(wrong)) throw guessed(new Headers(), wrong)
    },
    isGuessed,
    guessed,
    wrongPasswordsOf,
    async wrongPassword(email) {
      await countHit(db, wrongPasswordsOf(email), new Date(), SIGN_IN_WINDOW_SECONDS)
    },
    async rightPassword(email) {
      await clearCounter(db, wrongPasswordsOf(email))
    },
  }
}
