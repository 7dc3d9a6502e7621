import { TooManyRequestsError } from '../../kernel/base/errors.ts'
import { digest } from '../../kernel/base/secrets.ts'
import { tellQuota } from '../../kernel/rpc/limits/quota.ts'
import type { Counter, Hits } from './counters.sql.ts'

/** A limit, and whom a hit is counted for. */
export type Counted = {
  policy: string
  subject: string
  limit: number
  seconds: number
  /** Whether what is left is told to whom it is counted for. */
  isOwn: boolean
  message?: string
}

export const tooManyLogins = 'Too many login attempts, please try again later'

/** The name of a counter. Subjects are personal data or tokens: only a digest is kept. */
export const nameOf = ({ policy, subject }: Pick<Counted, 'policy' | 'subject'>): string =>
  `${policy}:${digest(subject).slice(0, 40)}`

/** Seconds until a count that was read ends; 0 when it has ended or there is none. */
export const secondsLeft = (counter: Counter | undefined): number =>
  counter ? Math.max(0, Math.ceil((counter.ends_at.getTime() - Date.now()) / 1000)) : 0

/** Whether one more would be too many. */
export const isFull = (counter: Counter | undefined, limit: number): boolean =>
  counter !== undefined && counter.hits >= limit && secondsLeft(counter) > 0

/** Tells of a limit in the headers of the answer. TooManyRequestsError for a hit that is one too many. */
export function tell(answer: Headers, counted: Counted, { hits, resetSeconds }: Hits): void {
  const { policy, limit, seconds, isOwn, message } = counted
  const isOver = hits > limit
  const state = isOver || isOwn ? { left: Math.max(0, limit - hits), resetSeconds } : {}
  // Beside Retry-After stands the limit that refuses, alone.
  if (isOver) answer.delete('ratelimit')
  tellQuota(answer, { policy, limit, windowSeconds: seconds, ...state })
  if (isOver) throw new TooManyRequestsError(message, { retryAfterSeconds: resetSeconds })
}
