import type { JsonObject } from '@bufbuild/protobuf'
import { type FailureKind, ProviderFailure, retryAfterMs } from '../../kernel/provider/failure.ts'
import { callHttp, type HttpAnswer } from '../../kernel/provider/http.ts'
import type { Provider } from '../../kernel/provider/provider.ts'
import { type DeliveryFailure, failure } from './outcome.ts'

/** A provider's response. */
export type ProviderAnswer = {
  status: number
  /** Empty unless the body was a JSON object. */
  json: JsonObject
  header(name: string): string | null
}

type Post = { operation: string; url: string; headers: Record<string, string>; body: string | Buffer }

const longestWaitMs = 60_000

/**
 * Posts to a provider without retries: the delivery's row schedules those.
 * @returns the response, whatever its status. Throws ProviderFailure when there is no readable response
 */
export async function post(provider: Provider, { operation, url, headers, body }: Post): Promise<ProviderAnswer> {
  const allHeaders = { 'content-type': 'application/json', ...headers }
  const call = {
    operation,
    isRepeatable: false,
    retries: false,
    url,
    method: 'POST' as const,
    headers: allHeaders,
    body,
  }
  const {
    status,
    body: read,
    header,
  } = await callHttp(provider, call).catch((error: unknown) => {
    if (error instanceof ProviderFailure && error.kind === 'status') return error.answer as HttpAnswer
    throw error
  })
  return { status, json: isObject(read) ? read : {}, header }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Failure for an unsuccessful response: 401, 408, 429 and 5xx are retried, others are final. */
export function toRefusal(
  provider: string,
  answer: ProviderAnswer,
  error: string,
  code: string | null = null,
): DeliveryFailure {
  const isTransient = answer.status === 429 || answer.status >= 500 || answer.status === 401 || answer.status === 408
  return failure(provider, `${answer.status} ${error}`.trim().slice(0, 1000), {
    code: code ?? String(answer.status),
    response: answer.json,
    isFinal: !isTransient,
    retryAfterMs: Math.min(requestedWaitMs(answer), longestWaitMs),
  })
}

/** From Retry-After, or from the mail provider's only hint, the second at which its rate limit resets. */
function requestedWaitMs({ status, header }: ProviderAnswer): number {
  const resetInMs = status === 429 ? Number(header('x-ratelimit-reset') ?? 0) * 1_000 - Date.now() : 0
  return Math.max(0, retryAfterMs(header('retry-after')), Number.isFinite(resetInMs) ? resetInMs : 0)
}

const words: Record<FailureKind, readonly [code: string, error: string]> = {
  timeout: ['TIMEOUT', 'The provider did not respond in time'],
  unreachable: ['UNREACHABLE', 'The provider cannot be reached'],
  lost: ['UNREACHABLE', 'The provider cannot be reached'],
  unreadable: ['UNREADABLE', 'The response of the provider is unreadable'],
  status: ['UNAVAILABLE', 'The provider is temporarily unavailable'],
  resting: ['RESTING', 'Calls to the provider are suspended after too many failures'],
  busy: ['BUSY', 'Too many calls to the provider are pending'],
}

/** No response. Network errors name hosts, so only their kind is kept. */
export function toUnanswered(provider: string, thrown: unknown): DeliveryFailure {
  const { kind, retryAfterMs: wait } = thrown instanceof ProviderFailure ? thrown : new ProviderFailure('lost')
  const [code, error] = words[kind]
  return failure(provider, error, { code, retryAfterMs: wait })
}

/** A success that can't be read counts as no response. */
export const unreadableAnswer = (provider: string): DeliveryFailure =>
  toUnanswered(provider, new ProviderFailure('unreadable'))
