/**
 * Why a call to a provider failed: timeout — no answer in time; unreachable — no connection; lost — the connection
 * broke; unreadable — an unreadable answer; status — 408, 429 or 5xx; resting — not called, after too many failures;
 * busy — not called, too many calls wait.
 */
export type FailureKind = 'timeout' | 'unreachable' | 'lost' | 'unreadable' | 'status' | 'resting' | 'busy'

type FailureDetails<Answer> = { answer?: Answer; status?: number; retryAfterMs?: number; cause?: unknown }

/** A provider call that failed for a transient reason. A refusal of the request is an answer, not a failure. */
export class ProviderFailure<Answer = unknown> extends Error {
  override name = 'ProviderFailure'
  readonly kind: FailureKind
  /** The provider's status and answer, if any. */
  readonly status: number | undefined
  readonly answer: Answer | undefined
  /** Wait before a retry, in ms: what the provider asks for, or the rest of its rest period. */
  readonly retryAfterMs: number

  constructor(kind: FailureKind, { answer, status, retryAfterMs = 0, cause }: FailureDetails<Answer> = {}) {
    super(status === undefined ? kind : `${kind} ${status}`, { cause })
    this.kind = kind
    this.status = status
    this.answer = answer
    this.retryAfterMs = retryAfterMs
  }

  /** Whether the request certainly had no effect, so that a retry is always safe. */
  get hadNoEffect(): boolean {
    return this.kind === 'unreachable' || this.status === 429 || this.kind === 'resting' || this.kind === 'busy'
  }
}

/** Never connected, so nothing was sent. */
const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** The failure that a network error means. */
export function networkFailure(thrown: unknown): ProviderFailure {
  if (thrown instanceof ProviderFailure) return thrown
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if (error.name === 'TimeoutError') return new ProviderFailure('timeout', { cause: thrown })
    const { code } = error as Error & { code?: unknown }
    if (typeof code === 'string' && unsent.has(code)) return new ProviderFailure('unreachable', { cause: thrown })
  }
  return new ProviderFailure('lost', { cause: thrown })
}

const passing = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** The failure that a status means; undefined for a status that is an answer. */
export const statusFailure = <A>(
  status: number,
  retryAfter: string | null,
  answer: A,
): ProviderFailure<A> | undefined =>
  passing(status)
    ? new ProviderFailure('status', { status, answer, retryAfterMs: retryAfterMs(retryAfter) })
    : undefined

/** Retry-After in ms, from seconds or a date. */
export function retryAfterMs(header: string | null | undefined): number {
  if (!header) return 0
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}
