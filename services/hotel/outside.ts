import type { CallOptions } from '@connectrpc/connect'
import { ExternalServiceError, toPlatformError } from '../kernel/errors.ts'

/** Longest wait for an answer from outside, in ms. */
export const patience = 5_000

const passedOn = new Set([400, 409, 422])

/**
 * Calls another service of the platform, five seconds at most. Its failure is an ExternalServiceError (DECISIONS 64).
 * @param what names the other side for people
 * @param passOn lets refusals of the caller's own input through as they are
 */
export async function ask<T>(what: string, call: (options: CallOptions) => Promise<T>, passOn = false): Promise<T> {
  const signal = AbortSignal.timeout(patience)
  const tooLate = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`${what} did not answer in time`)), { once: true })
  })
  try {
    return await Promise.race([call({ signal, timeoutMs: patience }), tooLate])
  } catch (error) {
    const known = toPlatformError(error)
    if (passOn && passedOn.has(known.info.status)) throw known
    throw new ExternalServiceError(`${what} failed`, { cause: error })
  }
}

/** An answer over HTTP with its body as JSON; undefined stands for what is none. */
export type Answer = { status: number; body: unknown }

/** One call to a provider over HTTP, five seconds at most. A lost or unreadable answer is an ExternalServiceError. */
export async function fetchJson(what: string, url: URL, init: RequestInit = {}): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(patience) })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  } catch (error) {
    throw new ExternalServiceError(`${what} failed`, { cause: error })
  }
}
