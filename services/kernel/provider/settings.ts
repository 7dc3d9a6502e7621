import { z } from 'zod'
import { type Environment, integer, readSettings } from '../process/config.ts'

/** Settings of the calls to outside providers, the same for all. */
export type ProviderSettings = {
  /** Time limit of one answer, in ms. */
  timeoutMs: number
  /** Pauses before retries, in ms; the length is the number of retries. */
  retryDelays: readonly number[]
  /** Longest Retry-After that is waited for, in ms; a longer one ends the call. */
  retryAfterMs: number
  /** Concurrent calls; 64 more wait. */
  concurrency: number
  /** Failures in a row that open the circuit breaker. */
  failures: number
  /** How long the circuit breaker stays open, in ms. */
  restMs: number
}

/** Settings of provider calls, read as PREFIX_NAME first, then as NAME. */
export function providerSettings(env: Environment, prefix: string): ProviderSettings {
  const read = readSettings(env, prefix, {
    PROVIDER_TIMEOUT_MS: integer(1, 60_000).default(5_000),
    PROVIDER_RETRY_DELAYS_MS: z
      .string()
      .regex(/^(\d{1,6}(,\d{1,6})*)?$/, 'must be milliseconds, separated by commas')
      .default('1000,2000,4000'),
    PROVIDER_RETRY_AFTER_MS: integer(0, 60_000).default(10_000),
    PROVIDER_CONCURRENCY: integer(1, 10_000).default(16),
    PROVIDER_FAILURES: integer(1, 1_000_000).default(5),
    PROVIDER_REST_MS: integer(1, 600_000).default(10_000),
  })
  return {
    timeoutMs: read.PROVIDER_TIMEOUT_MS,
    retryDelays: read.PROVIDER_RETRY_DELAYS_MS.split(',').filter(Boolean).map(Number),
    retryAfterMs: read.PROVIDER_RETRY_AFTER_MS,
    concurrency: read.PROVIDER_CONCURRENCY,
    failures: read.PROVIDER_FAILURES,
    restMs: read.PROVIDER_REST_MS,
  }
}
