/** One field at fault of a request. */
export type Violation = { path: string; message: string; rule: string }

/** The three shapes at once: by class, by field, and the legacy version's. */
type Body = { error?: string | Violation[]; message?: string; msg?: string }

/** A refusal or failure of the platform, whichever of the three shapes its body had. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
  /** HTTP status. */
  readonly status: number
  /** Class of the error such as NotFoundError; ValidationError when fields are at fault; the MSG code of the legacy version. */
  readonly kind: string
  /** Fields at fault; empty unless the request was invalid. */
  readonly violations: Violation[]
  /** Id under which the platform logged the request. */
  readonly requestId: string | null
  /** Seconds after which it may be tried again. */
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

/** What Retry-After says, in seconds, given as seconds or as a date. */
function retryAfterSeconds(response: Response): number | undefined {
  const value = response.headers.get('retry-after')
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}
