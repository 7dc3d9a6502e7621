import { z } from 'zod'
import { type Environment, integer, settings } from '../process/config.ts'

/** How calls to outside providers behave; all of them alike. */
export type ProviderSettings = {
  /** Longest wait for one answer. */
  timeoutMs: number
  /** Pauses before a call is tried again, in ms; the length is the number of retries. */
  retryDelays: readonly number[]
  /** Longest pause that a provider may ask for with Retry-After; beyond it the call is given up. */
  retryAfterMs: number
  /** Calls under way at once; 64 more wait. */
  concurrency: number
  /** Failures in a row after which a provider is left alone. */
  failures: number
  /** For how long. */
  restMs: number
}

/** Settings of the calls to providers, read for a service as PREFIX_NAME first, then as NAME. */
export function providerSettings(env: Environment, prefix: string): ProviderSettings {
  const read = settings(env, prefix, {
    PROVIDER_TIMEOUT_MS: integer(1, 60_000).default(5_000),
    PROVIDER_RETRY_DELAYS_MS: z
      .string()
      .regex(/^(\d{1,6}(,\d{1,6})*)?$/, 'must be milliseconds with commas between')
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

/** The longest that one call can take with all its retries, in ms, without a Retry-After. */
export const longestProviderCall = ({ timeoutMs, retryDelays }: ProviderSettings): number =>
  (retryDelays.length + 1) * timeoutMs + retryDelays.reduce((sum, each) => sum + each, 0)
