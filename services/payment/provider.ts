import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import { ConflictError, ExternalServiceError } from '../kernel/errors.ts'

/** Longest wait for one answer; a call that failed is tried once more by the SDK, under the same idempotency key. */
const defaultTimeLimitMs = 5_000
const retries = 1

type Address = { baseUrl: string; secretKey: string; timeLimitMs?: number }

/** The provider's SDK against its own address or that of the sandbox. */
export function connectProvider({ baseUrl, secretKey, timeLimitMs = defaultTimeLimitMs }: Address): Stripe {
  const { protocol, hostname, port } = new URL(baseUrl)
  return new Stripe(secretKey, {
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
    timeout: timeLimitMs,
    maxNetworkRetries: retries,
    telemetry: false,
  })
}

/** What the provider answers; its failures become ours, and their text stays in the log. */
export async function upstream<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (cause) {
    if (cause instanceof Stripe.errors.StripeIdempotencyError)
      throw new ConflictError('This idempotency key was used for another request', { cause })
    throw new ExternalServiceError('The payment provider failed', { cause })
  }
}

/** The same, with undefined when the provider says that there is no such record. */
export function upstreamOrMissing<T>(call: Promise<T>): Promise<T | undefined> {
  const missing = (error: unknown) => {
    if (error instanceof Stripe.errors.StripeError && error.code === 'resource_missing') return undefined
    throw error
  }
  return upstream(call.catch(missing))
}

/**
 * Options that make a repeated call have one effect. The provider wants different keys for different operations, so the
 * caller's key is told apart by the operation. Without one the SDK makes a key for its own retries.
 */
export function once(operation: string, key: string | undefined): { idempotencyKey?: string } {
  if (key === undefined) return {}
  const named = `${operation}:${key}`
  return { idempotencyKey: named.length <= 255 ? named : createHash('sha256').update(named).digest('hex') }
}
