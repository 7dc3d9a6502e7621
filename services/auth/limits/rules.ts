import { TooManyRequestsError } from '../../kernel/base/errors.ts'
import { digest } from '../../kernel/base/secrets.ts'
import { reportQuota } from '../../kernel/rpc/limits/quota.ts'
import type { Counter, Hits } from './counters.sql.ts'

/** A limit and the subject that a hit counts for. */
export type Counted = {
  policy: string
  subject: string
  limit: number
  seconds: number
  /** Whether the remaining quota is reported to the caller. */
  isOwn: boolean
  message?: string
}

export const tooManyLogins = 'Too many login attempts, please try again later'

/** Name of a counter. Subjects are personal data or tokens, so only a digest is stored. */
export const nameOf = ({ policy, subject }: Pick<Counted, 'policy' | 'subject'>): string =>
  `${policy}:${digest(subject).slice(0, 40)}`

/** Seconds until a counter expires; 0 when it has expired or is missing. */
export const secondsLeft = (counter: Counter | undefined): number =>
  counter ? Math.max(0, Math.ceil((counter.ends_at.getTime() - Date.now()) / 1000)) : 0

/** Whether one more hit would exceed the limit. */
export const isFull = (counter: Counter | undefined, limit: number): boolean =>
  counter !== undefined && counter.hits >= limit && secondsLeft(counter) > 0

/** Reports a limit in the response headers. TooManyRequestsError for a hit beyond it. */
export function reportLimit(answer: Headers, counted: Counted, { hits, resetSeconds }: Hits): void {
  const { policy, limit, seconds, isOwn, message } = counted
  const isOver = hits > limit
  const state = isOver || isOwn ? { left: Math.max(0, limit - hits), resetSeconds } : {}
  // A refusal reports only the limit that caused it, beside Retry-After.
  if (isOver) answer.delete('ratelimit')
  reportQuota(answer, { policy, limit, windowSeconds: seconds, ...state })
  if (isOver) throw new TooManyRequestsError(message, { retryAfterSeconds: resetSeconds })
}
