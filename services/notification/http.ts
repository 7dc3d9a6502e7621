import type { JsonObject } from '@bufbuild/protobuf'
import { failure, type Failure } from './outcome.ts'

/** A provider's answer. */
export type Answer = {
  status: number
  /** Empty when the body was no JSON object. */
  json: JsonObject
  /** False for a body that should have been JSON and is not. */
  isReadable: boolean
  header(name: string): string | null
}

export type Post = { url: string; headers: Record<string, string>; body: string; timeoutMs: number }

const maxAnswer = 64_000
const longestWaitMs = 60_000

/** Posts to a provider. Throws when there is no answer in time. */
export async function post({ url, headers, body, timeoutMs }: Post): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = (await response.text()).slice(0, maxAnswer)
  const json = objectIn(text)
  return {
    status: response.status,
    json: json ?? {},
    isReadable: json !== undefined || text.trim() === '',
    header: name => response.headers.get(name),
  }
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

/** An answer that is no success. Too many requests and the provider's own faults pass, the rest stays. */
export function refused(provider: string, answer: Answer, error: string, code: string | null = null): Failure {
  const passing = answer.status === 429 || answer.status >= 500 || answer.status === 401 || answer.status === 408
  return failure(provider, `${answer.status} ${error}`.trim().slice(0, 1000), {
    code: code ?? String(answer.status),
    response: answer.json,
    isFinal: !passing,
    retryAfterMs: waitOf(answer.header('retry-after')),
  })
}

/** No answer at all: the network's words name hosts, so only the kind is kept. */
export function unanswered(provider: string, thrown: unknown): Failure {
  const isTimeout = thrown instanceof Error && thrown.name === 'TimeoutError'
  return failure(provider, isTimeout ? 'No answer in time' : 'The provider cannot be reached', {
    code: isTimeout ? 'TIMEOUT' : 'UNREACHABLE',
  })
}

/** A success that cannot be read is none. */
export const unreadable = (provider: string): Failure =>
  failure(provider, 'The answer of the provider cannot be read', { code: 'UNREADABLE' })

function waitOf(retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? 0)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, longestWaitMs) : 0
}
