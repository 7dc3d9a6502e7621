import { retryAfterField } from '../../base/errors.ts'

/** A limit that a call was counted against, and the calls that remain. */
export type Quota = {
  /** The limit's name for clients; letters, digits and hyphens. */
  policy: string
  limit: number
  windowSeconds: number
  /** Remaining calls, and seconds until the reset; absent when the caller must not know. */
  remaining?: number
  resetSeconds?: number
}

/** Response headers about limits; they hold for one call only. */
export const quotaFields: readonly string[] = ['ratelimit-policy', 'ratelimit']

/**
 * Reports a limit in `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10, lists of structured
 * fields). A call counted twice has two items in each.
 */
export function reportQuota(headers: Headers, { policy, limit, windowSeconds, remaining, resetSeconds }: Quota): void {
  headers.append('ratelimit-policy', `"${policy}";q=${limit};w=${windowSeconds}`)
  if (remaining !== undefined)
    headers.append('ratelimit', `"${policy}";r=${remaining};t=${resetSeconds ?? windowSeconds}`)
}

/** Copies the limit headers of one response to another, and when to try again. */
export function copyLimitHeaders(from: Headers, to: { set(name: string, value: string): unknown }): void {
  for (const name of [...quotaFields, retryAfterField]) {
    const value = from.get(name)
    if (value) to.set(name, value)
  }
}
