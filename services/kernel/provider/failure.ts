/**
 * Why a call to a provider gave nothing:
 * timeout — no answer in time; unreachable — no connection; lost — the connection broke; unreadable — an answer that
 * nobody can read; status — 408, 429 or 5xx; resting — not asked, after too many failures; busy — not asked, too many
 * calls wait.
 */
export type FailureKind = 'timeout' | 'unreachable' | 'lost' | 'unreadable' | 'status' | 'resting' | 'busy'

type More<Answer> = { answer?: Answer; status?: number; retryAfterMs?: number; cause?: unknown }

/** A call to a provider that failed for a reason that passes. A refusal of the request itself is no failure but an answer. */
export class ProviderFailure<Answer = unknown> extends Error {
  override name = 'ProviderFailure'
  readonly kind: FailureKind
  /** The provider's status and answer, when there was one. */
  readonly status: number | undefined
  readonly answer: Answer | undefined
  /** What to wait before another try, in ms: the provider's wish, or the rest of its rest. */
  readonly retryAfterMs: number

  constructor(kind: FailureKind, { answer, status, retryAfterMs = 0, cause }: More<Answer> = {}) {
    super(status === undefined ? kind : `${kind} ${status}`, { cause })
    this.kind = kind
    this.status = status
    this.answer = answer
    this.retryAfterMs = retryAfterMs
  }

  /** Whether the request certainly had no effect: a second one is safe whatever it does. */
  get hadNoEffect(): boolean {
    return this.kind === 'unreachable' || this.status === 429 || this.kind === 'resting' || this.kind === 'busy'
  }
}

/** Never connected: nothing was sent. */
const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** What a network error means. */
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

/** The failure that a status means; undefined for one that is an answer. */
export const statusFailure = <A>(
  status: number,
  retryAfter: string | null,
  answer: A,
): ProviderFailure<A> | undefined =>
  passing(status)
    ? new ProviderFailure('status', { status, answer, retryAfterMs: retryAfterMs(retryAfter) })
    : undefined

/** Retry-After in ms: seconds, or a date. */
export function retryAfterMs(header: string | null | undefined): number {
  if (!header) return 0
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}
