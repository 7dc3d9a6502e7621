import type { JsonObject } from '@bufbuild/protobuf'

/** Result of one attempt. */
export type DeliveryOutcome = Success | DeliveryFailure

type Success = { ok: true; provider: string; providerId: string | null; response: JsonObject | null }

export type DeliveryFailure = {
  ok: false
  provider: string
  /** For people to read; never contains a secret. */
  error: string
  code: string | null
  response: JsonObject | null
  /** A retry can't succeed. */
  isFinal: boolean
  /** The device's token is dead. */
  isStale: boolean
  /** Delay that the provider asked for. */
  retryAfterMs: number
}

export const success = (provider: string, providerId: string | null, response: JsonObject | null = null): Success => ({
  ok: true,
  provider,
  providerId,
  response,
})

/** An attempt with an unknown result: its process died. */
export const interruptedFailure = (provider: string): DeliveryFailure =>
  failure(provider, 'The process ended before the result was known', { code: 'INTERRUPTED', isFinal: true })

type FailureDetails = Partial<Omit<DeliveryFailure, 'ok' | 'provider' | 'error'>>

/** A failed attempt, to be retried unless `isFinal`. */
export const failure = (provider: string, error: string, details: FailureDetails = {}): DeliveryFailure => ({
  ok: false,
  provider,
  error,
  code: null,
  response: null,
  isFinal: false,
  isStale: false,
  retryAfterMs: 0,
  ...details,
})

/** A mail beyond MAIL_LIMIT_PER_HOUR; its caller got the same answer as for a sent one. */
export const tooMany: DeliveryFailure = failure('limit', 'The hourly limit of such mails to this address is reached', {
  code: 'MAIL_LIMIT',
  isFinal: true,
})

/** Sends jobs and gives their results in the same order. Never throws. */
export type Sender<Job> = (jobs: readonly Job[]) => Promise<DeliveryOutcome[]>
