/** A limit that a call was counted against, and what is left of it. */
export type Quota = {
  /** What clients know the limit by; letters, digits and hyphens. */
  policy: string
  limit: number
  windowSeconds: number
  /** Calls that are left, and seconds until there are more; absent when that is not the caller's to know. */
  left?: number
  resetSeconds?: number
}

/** Fields of an answer that tell of limits; they are true of one call alone. */
export const quotaFields: readonly string[] = ['ratelimit-policy', 'ratelimit']

/**
 * Tells the caller of a limit in `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10, lists of
 * structured fields). A call that is counted twice has two items in each.
 */
export function tellQuota(answer: Headers, { policy, limit, windowSeconds, left, resetSeconds }: Quota): void {
  answer.append('ratelimit-policy', `"${policy}";q=${limit};w=${windowSeconds}`)
  if (left !== undefined) answer.append('ratelimit', `"${policy}";r=${left};t=${resetSeconds ?? windowSeconds}`)
}

/** Copies what one answer tells of limits to another. */
export function passQuota(from: Headers, to: { set(name: string, value: string): unknown }): void {
  for (const name of quotaFields) {
    const value = from.get(name)
    if (value) to.set(name, value)
  }
}
