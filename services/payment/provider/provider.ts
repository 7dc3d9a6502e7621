import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import { ExternalServiceError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { networkFailure, ProviderFailure, statusFailure } from '../../kernel/provider/failure.ts'
import type { Provider } from '../../kernel/provider/provider.ts'
import { refusalOf } from './refusals.ts'

type Address = { baseUrl: string; secretKey: string }

/** The payment provider: its SDK, and the way its calls are made. */
export type PaymentProvider = {
  stripe: Stripe
  /** Makes one call, which may be repeated: it reads, deletes, or carries an idempotency key. */
  ask<T>(operation: string, call: () => Promise<T>): Promise<T>
  /** The same, with undefined when the provider says that there is no such record. */
  askOrMissing<T>(operation: string, call: () => Promise<T>): Promise<T | undefined>
}

/** A longer wait than the call's own time limit, which is the one that counts. */
const sdkTimeoutMs = 90_000

/** The provider's SDK against its own address or that of the sandbox. */
export function connectProvider({ baseUrl, secretKey }: Address, provider: Provider): PaymentProvider {
  const { protocol, hostname, port } = new URL(baseUrl)
  const stripe = new Stripe(secretKey, {
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
    timeout: sdkTimeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
  })
  const attempt = <T>(operation: string, call: () => Promise<T>): Promise<T> =>
    provider.call({ operation, repeatable: true }, () =>
      call().catch((thrown: unknown) => {
        throw failureOf(thrown) ?? thrown
      }),
    )
  return {
    stripe,
    ask: (operation, call) => attempt(operation, call).catch(told),
    askOrMissing: (operation, call) =>
      attempt(operation, call).catch((error: unknown) => (isMissing(error) ? undefined : told(error))),
  }
}

/** What the caller is told: the request's own fault as such, everything else as the provider's, whose words stay in the log. */
function told(cause: unknown): never {
  throw refusalOf(cause) ?? new ExternalServiceError('The payment provider failed', { cause })
}

const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === 'resource_missing'

/** What may pass: no answer, an unreadable one, too many requests, the provider's own trouble. */
function failureOf(thrown: unknown): ProviderFailure | undefined {
  if (thrown instanceof Stripe.errors.StripeConnectionError) return networkFailure(thrown.detail ?? thrown)
  if (!(thrown instanceof Stripe.errors.StripeError)) return undefined
  const { statusCode = 0, headers = {}, code } = thrown
  // Another call under the same key is under way.
  if (code === 'idempotency_key_in_use') return new ProviderFailure('status', { status: 409, cause: thrown })
  const failure = statusFailure(statusCode, headers['retry-after'] ?? null, undefined)
  if (failure) {
    // The provider keeps an answer under its key, failures too, and says when another try would only repeat it.
    const isKept = headers['stripe-should-retry'] === 'false'
    return isKept
      ? new ProviderFailure('status', { status: statusCode, retryAfterMs: Infinity, cause: thrown })
      : failure
  }
  return statusCode < 400 ? new ProviderFailure('unreadable', { cause: thrown }) : undefined
}

/**
 * Options that make a repeated call have one effect. The provider wants different keys for different operations, so the
 * caller's key is told apart by the operation. Without one, a new key serves the retries of this very call.
 */
export function idempotencyFor(operation: string, key: string = newId()): { idempotencyKey: string } {
  const named = `${operation}:${key}`
  return { idempotencyKey: named.length <= 255 ? named : createHash('sha256').update(named).digest('hex') }
}
