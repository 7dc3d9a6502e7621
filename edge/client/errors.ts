/** One invalid field of a request. */
export type FieldViolation = { path: string; message: string; rule: string }

/** All three error forms: by class, by field, and the legacy version's. */
type Body = { error?: string | FieldViolation[]; message?: string; msg?: string }

/** A refusal or failure of the platform, in any of the three error forms. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
  /** HTTP status. */
  readonly status: number
  /**
   * Class of the error, such as NotFoundError; ValidationError for invalid fields; the MSG code of the legacy version.
   */
  readonly kind: string
  /** Invalid fields; empty unless the request was invalid. */
  readonly violations: FieldViolation[]
  /** The request id in the platform's log. */
  readonly requestId: string | null
  /** Seconds until a retry makes sense. */
  readonly retryAfterSeconds: number | undefined

  constructor(response: Response, body: unknown) {
    const { error, message, msg } = (typeof body === 'object' && body ? body : {}) as Body
    const violations = Array.isArray(error) ? error : []
    const text = violations.map(one => `${one.path}: ${one.message}`).join('; ')
    super(text || (message ?? msg ?? response.statusText))
    this.status = response.status
    this.kind = violations.length > 0 ? 'ValidationError' : ((typeof error === 'string' ? error : msg) ?? 'Error')
    this.violations = violations
    this.requestId = response.headers.get('x-request-id')
    this.retryAfterSeconds = retryAfterSeconds(response)
  }
}

/** Retry-After in seconds, from seconds or a date. */
function retryAfterSeconds(response: Response): number | undefined {
  const value = response.headers.get('retry-after')
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}
