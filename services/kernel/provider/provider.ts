import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhen,
  type IRetryBackoffContext,
  retry,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel'
import type { Log } from '../process/log.ts'
import { ProviderFailure } from './failure.ts'
import { providerMetrics, type Registry } from './metrics.ts'
import type { ProviderSettings } from './settings.ts'

/** One call to a provider. */
export type ProviderCall = {
  /** The operation's name in metrics: a word, never a value. */
  operation: string
  /** Whether a repetition has no second effect: the call only reads, or carries an idempotency key. */
  isRepeatable: boolean
  /** False leaves retries to the caller, such as a queue. */
  retries?: boolean
}

/** An outside provider. */
export type Provider = {
  name: string
  /**
   * Runs a call within the time limit and the `concurrency` limit, and retries it after its pauses when the failure is
   * transient and a retry is safe. After too many failures in a row, calls fail at once for a while.
   * @param attempt throws a ProviderFailure for a transient failure; any other error passes through and doesn't count
   */
  call<T>(call: ProviderCall, attempt: (signal: AbortSignal) => Promise<T>): Promise<T>
}

/** Maximum of waiting calls. */
const maxWaiting = 64

type Surroundings = { log: Log; registry?: Registry | undefined }

/** The common way to call a provider, whatever its protocol. */
export function createProvider(name: string, settings: ProviderSettings, { log, registry }: Surroundings): Provider {
  const { timeoutMs, retryDelays, retryAfterMs, concurrency, failures, restMs } = settings
  const metrics = providerMetrics(name, registry)
  let openUntil = 0

  // 429 means that the provider works; it doesn't count for the circuit breaker.
  const breaker = circuitBreaker(
    handleWhen(error => error instanceof ProviderFailure && error.status !== 429),
    { halfOpenAfter: restMs, breaker: new ConsecutiveBreaker(failures) },
  )
  breaker.onStateChange(state => {
    const rests = state === CircuitState.Open
    if (rests) openUntil = Date.now() + restMs
    metrics.resting(rests)
    if (rests) log.warn({ provider: name, restMs }, 'provider keeps failing; circuit breaker opened')
  })
  const limited = timeout(timeoutMs, { strategy: TimeoutStrategy.Aggressive, abortOnReturn: false })
  const guardPolicy = wrap(bulkhead(concurrency, maxWaiting), breaker)

  const throwTimeout = (thrown: unknown): never => {
    throw thrown instanceof TaskCancelledError ? new ProviderFailure('timeout', { cause: thrown }) : thrown
  }
  const failureOf = (thrown: unknown): unknown => {
    if (thrown instanceof BrokenCircuitError)
      return new ProviderFailure('resting', { retryAfterMs: Math.max(1, openUntil - Date.now()) })
    if (thrown instanceof BulkheadRejectedError) return new ProviderFailure('busy')
    return thrown
  }

  const tryOnce = async <T>(operation: string, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const began = performance.now()
    const observe = (result: string) => metrics.observe(operation, result, performance.now() - began)
    try {
      const result = await guardPolicy.execute(() =>
        limited.execute(({ signal }) => attempt(signal)).catch(throwTimeout),
      )
      observe('ok')
      return result
    } catch (thrown) {
      const failure = failureOf(thrown)
      observe(failure instanceof ProviderFailure ? failure.kind : 'refused')
      throw failure
    }
  }

  const pause = ({ attempt, result }: IRetryBackoffContext<unknown>): number => {
    const requested = 'error' in result && result.error instanceof ProviderFailure ? result.error.retryAfterMs : 0
    return Math.max(retryDelays[attempt - 1] ?? 0, requested)
  }

  return {
    name,
    call({ operation, isRepeatable, retries = true }, attempt) {
      const isWorthRetrying = (error: unknown): boolean =>
        error instanceof ProviderFailure &&
        error.kind !== 'resting' &&
        error.kind !== 'busy' &&
        error.retryAfterMs <= retryAfterMs &&
        (isRepeatable || error.hadNoEffect)
      const maxAttempts = retries ? retryDelays.length : 0
      const policy = retry(handleWhen(isWorthRetrying), { maxAttempts, backoff: new DelegateBackoff(pause) })
      return policy.execute(() => tryOnce(operation, attempt))
    },
  }
}
