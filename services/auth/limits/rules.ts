import { addressKey } from '../../kernel/base/client-address.ts'
import { TooManyRequestsError } from '../../kernel/base/errors.ts'
import { digest } from '../../kernel/base/secrets.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { reportQuota } from '../../kernel/rpc/limits/quota.ts'
import type { Counter, Hits } from './counters.sql.ts'

/** A limit and the subject that a hit counts for. */
export type RateLimit = {
  policy: string
  subject: string
  limit: number
  seconds: number
  /** Whether the remaining quota is reported to the caller. */
  reportsRemaining: boolean
  message?: string
}

/** The subject of a method's limit option. */
export type LimitSubject = {
  policy: string
  value: string
  /** 0 selects the documented limit of the /auth paths. */
  perHour?: number
  /** Whether the subject is the caller's own, such as a token, and not one that anybody can name, such as an e-mail. */
  isCallersOwn: boolean
}

export type LimitSettings = Record<
  'SIGN_IN_LIMIT' | 'SIGN_IN_SUBJECT_LIMIT' | 'SIGN_IN_WINDOW_SECONDS' | 'ANONYMOUS_LIMIT',
  number
>

export const tooManyLogins = 'Too many login attempts, please try again later'

/** Right sign-ins of one address, and refreshes of one page's session, in a window. */
const crowdLimit = 600
const hour = 3600

/** Everything that the service counts: what for, and how often in a window. The only place of these figures. */
export function limitRules(settings: LimitSettings) {
  const { SIGN_IN_LIMIT, SIGN_IN_SUBJECT_LIMIT, SIGN_IN_WINDOW_SECONDS: seconds, ANONYMOUS_LIMIT } = settings
  const login = { seconds, reportsRemaining: true, message: tooManyLogins }
  return {
    /** Each sign-in with an e-mail from an address, right and wrong alike. */
    signIn: (email: string, address: string | null): RateLimit => ({
      ...login,
      policy: 'sign-in',
      subject: `${normalizeEmail(email)} ${addressKey(address)}`,
      limit: SIGN_IN_LIMIT,
    }),
    /** Wrong sign-ins from an address, with any e-mail. Unreadable ones count as wrong. */
    wrongSignIn: (address: string | null): RateLimit => ({
      ...login,
      policy: 'sign-in',
      subject: `wrong ${addressKey(address)}`,
      limit: SIGN_IN_LIMIT,
    }),
    /** Right sign-ins from an address: a shift signs in behind one. */
    rightSignIn: (address: string | null): RateLimit => ({
      ...login,
      policy: 'sign-in',
      subject: `right ${addressKey(address)}`,
      limit: crowdLimit,
    }),
    /** Wrong passwords for an e-mail from addresses that its account never signed in from. Never reported. */
    wrongPassword: (email: string): RateLimit => ({
      ...login,
      reportsRemaining: false,
      policy: 'wrong-password',
      subject: normalizeEmail(email),
      limit: SIGN_IN_SUBJECT_LIMIT,
    }),
    /** Wrong passwords of a signed-in user who must repeat it. */
    wrongProof: (email: string): RateLimit => ({
      ...login,
      reportsRemaining: false,
      policy: 'wrong-proof',
      subject: normalizeEmail(email),
      limit: SIGN_IN_SUBJECT_LIMIT,
    }),
    /** Wrong codes of a legacy reset for an e-mail, with an account or without. */
    wrongCode: (email: string): RateLimit => ({
      policy: 'wrong-code',
      subject: normalizeEmail(email),
      limit: 10,
      seconds: hour,
      reportsRemaining: false,
    }),
    /** Unreadable requests below /auth that aren't sign-ins. */
    unreadable: (address: string | null): RateLimit => ({
      ...login,
      policy: 'unreadable',
      subject: addressKey(address),
      limit: SIGN_IN_LIMIT,
    }),
    /** Anonymous writes, and unknown tokens. */
    anonymous: (address: string | null): RateLimit => ({
      policy: 'anonymous',
      subject: addressKey(address),
      limit: ANONYMOUS_LIMIT,
      seconds,
      reportsRemaining: true,
    }),
    /** The other paths of /auth have the documented limit and its message; other limits have the default one. */
    subject: ({ policy, value, perHour = 0, isCallersOwn }: LimitSubject): RateLimit => ({
      policy,
      subject: isCallersOwn ? value : normalizeEmail(value),
      reportsRemaining: isCallersOwn,
      ...(perHour > 0
        ? { limit: perHour, seconds: hour }
        : { limit: SIGN_IN_SUBJECT_LIMIT, seconds, message: tooManyLogins }),
    }),
    /** Refreshes and sign-outs of a page's session. */
    pageSession: (sessionId: string): RateLimit => ({
      policy: 'page-session',
      subject: sessionId,
      limit: crowdLimit,
      seconds,
      reportsRemaining: true,
    }),
    /** Unknown tokens in the cookies of pages, per address. */
    unknownPageSession: (address: string | null): RateLimit => ({
      policy: 'page-session',
      subject: `unknown ${addressKey(address)}`,
      limit: SIGN_IN_LIMIT,
      seconds,
      reportsRemaining: true,
    }),
  }
}

export type LimitRules = ReturnType<typeof limitRules>

/** Name of a counter. Subjects are personal data or tokens, so only a digest is stored. */
export const nameOf = ({ policy, subject }: Pick<RateLimit, 'policy' | 'subject'>): string =>
  `${policy}:${digest(subject).slice(0, 40)}`

/** Seconds until a counter expires; 0 when it has expired or is missing. */
export const secondsLeft = (counter: Counter | undefined): number =>
  counter ? Math.max(0, Math.ceil((counter.ends_at.getTime() - Date.now()) / 1000)) : 0

/** Whether one more hit would exceed the limit. */
export const isFull = (counter: Counter | undefined, limit: number): boolean =>
  counter !== undefined && counter.hits >= limit && secondsLeft(counter) > 0

/** Reports a limit in the response headers. TooManyRequestsError for a hit beyond it. */
export function reportLimit(responseHeaders: Headers, rateLimit: RateLimit, { hits, resetSeconds }: Hits): void {
  const { policy, limit, seconds, reportsRemaining, message } = rateLimit
  const isOver = hits > limit
  const state = isOver || reportsRemaining ? { remaining: Math.max(0, limit - hits), resetSeconds } : {}
  // A refusal reports only the limit that caused it, beside Retry-After.
  if (isOver) responseHeaders.delete('ratelimit')
  reportQuota(responseHeaders, { policy, limit, windowSeconds: seconds, ...state })
  if (isOver) throw new TooManyRequestsError(message, { retryAfterSeconds: resetSeconds })
}
