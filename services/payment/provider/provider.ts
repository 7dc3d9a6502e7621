import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { ExternalServiceError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { networkFailure, ProviderFailure, statusFailure } from '../../kernel/provider/failure.ts'
import type { Provider } from '../../kernel/provider/provider.ts'
import { isStripeError, refusalOf } from './refusals.ts'

type Address = { baseUrl: string; secretKey: string }

type Call<T> = (stripe: Stripe) => Promise<T>

/** The payment provider: its SDK and the wrappers for calls. */
export type PaymentProvider = {
  sdk(): Promise<Stripe>
  /** Makes one call. It may be retried, so it must read, delete or carry an idempotency key. */
  ask<T>(operation: string, call: Call<T>): Promise<T>
  /** Like `ask`, but undefined when the provider has no such record. */
  askOrMissing<T>(operation: string, call: Call<T>): Promise<T | undefined>
}

/** Longer than the limit of each call, so that that limit applies first. */
const sdkTimeoutMs = 90_000

async function loadSdk({ baseUrl, secretKey }: Address): Promise<Stripe> {
  const { Stripe } = await import('stripe')
  const { protocol, hostname, port } = new URL(baseUrl)
  return new Stripe(secretKey, {
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
    timeout: sdkTimeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
  })
}

/** Connects to the provider, or to the sandbox. The SDK's 220 modules load when it is first used. */
export function connectProvider(address: Address, provider: Provider): PaymentProvider {
  let loadingStripe: Promise<Stripe> | undefined
  const sdk = () => (loadingStripe ??= loadSdk(address))
  const attempt = async <T>(operation: string, call: Call<T>): Promise<T> => {
    const stripe = await sdk()
    return provider.call({ operation, isRepeatable: true }, () =>
      call(stripe).catch((thrown: unknown) => {
        throw failureOf(thrown) ?? thrown
      }),
    )
  }
  return {
    sdk,
    ask: (operation, call) => attempt(operation, call).catch(refuse),
    askOrMissing: (operation, call) =>
      attempt(operation, call).catch((error: unknown) => (isMissing(error) ? undefined : refuse(error))),
  }
}

/**
 * Throws the caller's own fault as such, and everything else as a provider error, whose message goes to the log only.
 */
function refuse(cause: unknown): never {
  throw refusalOf(cause) ?? new ExternalServiceError('The payment provider failed', { cause })
}

const isMissing = (error: unknown): boolean => isStripeError(error) && error.code === 'resource_missing'

/** Temporary failures: no answer, an unreadable one, too many requests, a fault of the provider. */
function failureOf(thrown: unknown): ProviderFailure | undefined {
  if (isStripeError(thrown, 'StripeConnectionError')) return networkFailure(thrown.detail ?? thrown)
  if (!isStripeError(thrown)) return undefined
  const { statusCode = 0, headers = {}, code } = thrown
  // Another call with the same key is in progress.
  if (code === 'idempotency_key_in_use') return new ProviderFailure('status', { status: 409, cause: thrown })
  const failure = statusFailure(statusCode, headers['retry-after'] ?? null, undefined)
  if (failure) {
    // The provider stores answers by key, failures too, and marks those that a retry would only repeat.
    const isKept = headers['stripe-should-retry'] === 'false'
    return isKept
      ? new ProviderFailure('status', { status: statusCode, retryAfterMs: Infinity, cause: thrown })
      : failure
  }
  return statusCode < 400 ? new ProviderFailure('unreadable', { cause: thrown }) : undefined
}

/**
 * Options that make repeated calls take effect once. The provider requires different keys for different operations, so
 * the operation becomes part of the key. Without a caller's key, a new one serves the retries of this call.
 */
export function idempotencyOptions(operation: string, key: string = newId()): { idempotencyKey: string } {
  const operationKey = `${operation}:${key}`
  return {
    idempotencyKey: operationKey.length <= 255 ? operationKey : createHash('sha256').update(operationKey).digest('hex'),
  }
}
