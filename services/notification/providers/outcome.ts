import type { JsonObject } from '@bufbuild/protobuf'

/** What became of one try. */
export type Outcome = Success | Failure

export type Success = { ok: true; provider: string; providerId: string | null; response: JsonObject | null }

export type Failure = {
  ok: false
  provider: string
  /** For a person; never a secret. */
  error: string
  code: string | null
  response: JsonObject | null
  /** No other try can succeed. */
  isFinal: boolean
  /** The device's token is dead. */
  isStale: boolean
  /** What the provider asked for before another try. */
  retryAfterMs: number
}

export const success = (provider: string, providerId: string | null, response: JsonObject | null = null): Success => ({
  ok: true,
  provider,
  providerId,
  response,
})

/** A try of which nobody knows what became: its process died. */
export const interrupted = (provider: string): Failure =>
  failure(provider, 'The process ended before it knew what became of it', { code: 'INTERRUPTED', isFinal: true })

type More = Partial<Omit<Failure, 'ok' | 'provider' | 'error'>>

/** A failed try; another one may succeed unless `isFinal` says otherwise. */
export const failure = (provider: string, error: string, more: More = {}): Failure => ({
  ok: false,
  provider,
  error,
  code: null,
  response: null,
  isFinal: false,
  isStale: false,
  retryAfterMs: 0,
  ...more,
})

/** A mail beyond MAIL_LIMIT_PER_HOUR; whoever asked for it was answered as if it was sent. */
export const tooMany: Failure = failure('limit', 'The address had as many mails of this kind within the hour', {
  code: 'MAIL_LIMIT',
  isFinal: true,
})

/** Sends and says what became of each, in the same order. Never throws. */
export type Sender<Job> = (jobs: readonly Job[]) => Promise<Outcome[]>
