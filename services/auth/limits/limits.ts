import type { Kysely } from 'kysely'
import { addressKey } from '../../kernel/base/client-address.ts'
import { TooManyRequestsError } from '../../kernel/base/errors.ts'
import { normalEmail } from '../../kernel/base/text.ts'
import type { Tables } from '../tables.ts'
import { type Attempts, createAttempts } from './attempts.ts'
import { clearCounter, counterOf, countHit } from './counters.sql.ts'
import { type Counted, isFull, nameOf, reportLimit, secondsLeft, tooManyLogins } from './rules.ts'

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
  /** Counts an unreadable request: as a sign-in attempt, or else separately from readable ones. */
  broken(client: { answer: Headers; ip: string | null }, isSignIn: boolean): Promise<void>
  /** Refuses an account with too many wrong passwords in the window, from any address. */
  account(email: string): Promise<void>
  /** The error for such an account; undefined for others. */
  refusalOf(email: string): Promise<Error | undefined>
  /** Counts a wrong password of an account. */
  wrongPassword(email: string): Promise<void>
  /** Resets the account's counter after a correct password. */
  rightPassword(email: string): Promise<void>
}

/** Corresponds to the limit option of a method; `perHour` 0 selects the documented limit of the /auth paths. */
export type Subject = { policy: string; value: string; perHour?: number; own: boolean }

type Settings = Record<'SIGN_IN_LIMIT' | 'SIGN_IN_SUBJECT_LIMIT' | 'SIGN_IN_WINDOW_SECONDS' | 'ANONYMOUS_LIMIT', number>

const hour = 3600

/** Limits whose counters live in the service's database, so that all processes share them. */
export function createLimits(db: Kysely<Tables>, settings: Settings): Limits {
  const { SIGN_IN_LIMIT, SIGN_IN_SUBJECT_LIMIT, SIGN_IN_WINDOW_SECONDS, ANONYMOUS_LIMIT } = settings
  const wrongPasswordsOf = (email: string) => nameOf({ policy: 'wrong-password', subject: normalEmail(email) })

  const refusalOf = async (email: string) => {
    const wrong = await counterOf(db, wrongPasswordsOf(email))
    if (!isFull(wrong, SIGN_IN_SUBJECT_LIMIT)) return undefined
    return new TooManyRequestsError(tooManyLogins, { retryAfterSeconds: secondsLeft(wrong) })
  }
  const count = async (answer: Headers, counted: Counted) =>
    reportLimit(answer, counted, await countHit(db, nameOf(counted), new Date(), counted.seconds))

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
        // The documented limit of the /auth paths uses the message of sign-ins; other limits have the default one.
        ...(perHour > 0
          ? { limit: perHour, seconds: hour }
          : { limit: SIGN_IN_SUBJECT_LIMIT, seconds: SIGN_IN_WINDOW_SECONDS, message: tooManyLogins }),
      }),
    async broken(client, isSignIn) {
      const { answer, ip } = client
      if (isSignIn) return attempts.signIn(client, async attempt => attempt.count())
      const counted = unreadable(ip)
      const present = await counterOf(db, nameOf(counted))
      // Once the limit is exceeded, refuses without writing to the database.
      if (isFull(present, SIGN_IN_LIMIT))
        reportLimit(answer, counted, { hits: SIGN_IN_LIMIT + 1, resetSeconds: secondsLeft(present) })
      await count(answer, counted)
    },
    async account(email) {
      const refusal = await refusalOf(email)
      if (refusal) throw refusal
    },
    refusalOf,
    async wrongPassword(email) {
      await countHit(db, wrongPasswordsOf(email), new Date(), SIGN_IN_WINDOW_SECONDS)
    },
    async rightPassword(email) {
      await clearCounter(db, wrongPasswordsOf(email))
    },
  }
}
