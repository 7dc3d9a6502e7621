import { create } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { type ErrorInfo, ErrorInfoSchema } from '../../../gen/platform/common/v1/common_pb.ts'
import { isContention, isUnavailable } from './database-errors.ts'

/** An invalid field: its path as the client wrote it, a sentence, and the rule's name. */
export type Violation = { path: string; message: string; rule: string }

type ErrorDetails = {
  violations?: Violation[]
  msg?: string
  retryAfterSeconds?: number
  /** Why a credential is refused. */
  reason?: string
  /** The permission that is missing. */
  permission?: string
  cause?: unknown
}

export const retryAfterField = 'retry-after'

/**
 * The one error type that handlers throw. It travels between processes as a Connect error with an ErrorInfo detail, and
 * the edge turns it into the documented body (docs/contract.md).
 */
export class RpcError extends ConnectError {
  readonly info: ErrorInfo

  /** An error that says when to try again has a Retry-After header on every surface. */
  constructor(className: string, status: number, code: Code, message: string, extra: ErrorDetails = {}) {
    const info = create(ErrorInfoSchema, {
      class: className,
      status,
      violations: extra.violations ?? [],
      msg: extra.msg ?? '',
      retryAfterSeconds: extra.retryAfterSeconds ?? 0,
      reason: extra.reason ?? '',
      permission: extra.permission ?? '',
    })
    const retryAfter = info.retryAfterSeconds || (status === 503 ? 1 : 0)
    const headers = retryAfter > 0 ? { [retryAfterField]: String(retryAfter) } : undefined
    super(message, code, headers, [{ desc: ErrorInfoSchema, value: info }], extra.cause)
    this.info = info
  }

  /** Connect recognises its errors by shape, which would make each of them an instance of every class here. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Object.prototype.isPrototypeOf.call(this.prototype, Object(value))
  }
}

/** Declares an error class: its documented name, HTTP status and Connect code. */
function errorClass(className: string, status: number, code: Code, defaultMessage: string) {
  return class extends RpcError {
    constructor(message: string = defaultMessage, extra: ErrorDetails = {}) {
      super(className, status, code, message, extra)
    }
  }
}

export const UnauthorizedError = errorClass('UnauthorizedError', 401, Code.Unauthenticated, 'Unauthorized')
export const ForbiddenError = errorClass('ForbiddenError', 403, Code.PermissionDenied, 'Permission denied')
export const NotFoundError = errorClass('NotFoundError', 404, Code.NotFound, 'Not found')
export const ConflictError = errorClass('ConflictError', 409, Code.AlreadyExists, 'Conflict')
export const TooManyRequestsError = errorClass(
  'TooManyRequestsError',
  429,
  Code.ResourceExhausted,
  'Too many requests, try again later',
)
export const InternalServerError = errorClass('InternalServerError', 500, Code.Internal, 'Internal server error')
export const ServiceUnavailableError = errorClass(
  'ServiceUnavailableError',
  503,
  Code.Unavailable,
  'Service unavailable, try again',
)
export const DatabaseError = errorClass('DatabaseError', 500, Code.Internal, 'Database error')
export const ExternalServiceError = errorClass('ExternalServiceError', 502, Code.Unavailable, 'Upstream service failed')

// Beyond the ten documented classes: statuses that HTTP clients act upon.
export const GoneError = errorClass('GoneError', 410, Code.FailedPrecondition, 'No longer available')
export const PreconditionFailedError = errorClass(
  'PreconditionFailedError',
  412,
  Code.FailedPrecondition,
  'The record has changed since it was read',
)
export const PayloadTooLargeError = errorClass('PayloadTooLargeError', 413, Code.ResourceExhausted, 'Payload too large')
export const UnsupportedMediaTypeError = errorClass(
  'UnsupportedMediaTypeError',
  415,
  Code.InvalidArgument,
  'Unsupported media type',
)
export const UnprocessableError = errorClass('UnprocessableError', 422, Code.InvalidArgument, 'Cannot be processed')

/** Maximum of violations in one answer: a small request must not cause a large answer. */
export const maxViolations = 20

/** Maximum length of a path repeated to a client: the client chooses the keys of a body. */
const maxPathLength = 200

const withShortPath = (violation: Violation): Violation =>
  violation.path.length <= maxPathLength
    ? violation
    : { ...violation, path: `${violation.path.slice(0, maxPathLength)}…` }

/** 400 with at most `maxViolations` violations: the body is {error: [{path, message, rule}]}. */
export class ValidationError extends RpcError {
  constructor(violations: Violation[] | Violation) {
    const list = [violations].flat().slice(0, maxViolations).map(withShortPath)
    const text = list.map(v => `${v.path}: ${v.message}`).join('; ')
    super('ValidationError', 400, Code.InvalidArgument, text, { violations: list })
  }
}

/** A ValidationError for one field. */
export const invalid = (path: string, message: string, rule: string): ValidationError =>
  new ValidationError({ path, message, rule })

/** Classes of Connect errors from elsewhere. Every other code is an internal error. */
const classByCode = new Map<Code, [className: string, status: number]>([
  [Code.InvalidArgument, ['ValidationError', 400]],
  [Code.FailedPrecondition, ['ConflictError', 409]],
  [Code.OutOfRange, ['ValidationError', 400]],
  [Code.Unauthenticated, ['UnauthorizedError', 401]],
  [Code.PermissionDenied, ['ForbiddenError', 403]],
  [Code.NotFound, ['NotFoundError', 404]],
  [Code.AlreadyExists, ['ConflictError', 409]],
  // The platform never throws this itself: a stream between processes broke off.
  [Code.Aborted, ['ServiceUnavailableError', 503]],
  // ResourceExhausted without an ErrorInfo is a message above the limit between processes: an internal fault.
  [Code.Unavailable, ['ServiceUnavailableError', 503]],
  [Code.DeadlineExceeded, ['ServiceUnavailableError', 503]],
])

/**
 * Converts any thrown value to a RpcError. A database or disk that can't take work is a 503. The text of an unknown
 * error never gets through: it becomes an InternalServerError, with the original as its cause for the log.
 */
export function toRpcError(thrown: unknown): RpcError {
  if (thrown instanceof RpcError) return thrown
  const isBusy = isContention(thrown)
  if (isBusy || isUnavailable(thrown))
    return new ServiceUnavailableError(undefined, { cause: thrown, retryAfterSeconds: isBusy ? 1 : 0 })
  if (!(thrown instanceof ConnectError)) return new InternalServerError(undefined, { cause: thrown })
  const info = thrown.findDetails(ErrorInfoSchema)[0]
  if (info) {
    const { class: className, status, ...details } = info
    return new RpcError(className, status, thrown.code, thrown.rawMessage, { ...details, cause: thrown })
  }
  if (thrown.code === Code.Unimplemented)
    return new RpcError('NotImplementedError', 501, Code.Unimplemented, 'Not available yet', { cause: thrown })
  const classAndStatus = classByCode.get(thrown.code)
  if (!classAndStatus) return new InternalServerError(undefined, { cause: thrown })
  // The text of a transport error names addresses and sockets, so clients get the class alone.
  const message = classAndStatus[1] === 503 ? 'Service unavailable, try again' : thrown.rawMessage
  return new RpcError(classAndStatus[0], classAndStatus[1], thrown.code, message, { cause: thrown })
}
