import { STATUS_CODES } from 'node:http'
import { ConnectError } from '@connectrpc/connect'
import type { ErrorRequestHandler, Express, Request, Response } from 'express'
import { ErrorInfoSchema } from '../../gen/platform/common/v1/common_pb.ts'
import { Dialect } from '../../gen/platform/options/v1/options_pb.ts'
import {
  invalid,
  PayloadTooLargeError,
  RpcError,
  retryAfterField,
  toRpcError,
  UnsupportedMediaTypeError,
} from '../../services/kernel/base/errors.ts'
import { reportError } from '../../services/kernel/process/error-reports.ts'
import { copyLimitHeaders } from '../../services/kernel/rpc/limits/quota.ts'
import { requestIdFrom } from './request-id.ts'

type Body = Record<string, unknown>

/** The code by which the legacy version knows an error. */
const legacyCodeOf = ({ info }: RpcError): string => info.msg || 'NO_MSG'

/** An error's body in the documented form (docs/contract.md). */
function errorBody(error: RpcError, dialect: Dialect, requestId: string): Body {
  const { class: className, status, violations } = error.info
  if (dialect === Dialect.LEGACY) return { msg: legacyCodeOf(error), success: false }
  const list = violations.map(({ path, message, rule }) => ({ path, message, rule }))
  if (list.length > 0) return { error: list }
  return { statusCode: status, error: className, message: error.rawMessage, requestId }
}

/** The error as problem details (RFC 9457), for clients that ask for them. */
function problemOf(error: RpcError, dialect: Dialect, requestId: string): Body {
  const { class: className, status, violations, reason, permission } = error.info
  const msg = dialect === Dialect.LEGACY ? legacyCodeOf(error) : error.info.msg
  const errors = violations.map(({ path, message, rule }) => ({ path, message, rule }))
  return {
    type: `urn:platform:error:${className}`,
    title: STATUS_CODES[status] ?? className,
    status,
    detail: error.rawMessage,
    requestId,
    ...(msg ? { msg } : {}),
    ...(reason ? { reason } : {}),
    ...(permission ? { permission } : {}),
    ...(errors.length > 0 ? { errors } : {}),
  }
}

const problemType = 'application/problem+json'
/** Whether Accept names problem details with a weight above zero. */
const wantsProblem = ({ req }: Response): boolean =>
  (req.headers.accept ?? '').split(',').some(range => {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
    return type === problemType && !parameters.some(one => /^q\s*=\s*0(\.0*)?$/.test(one))
  })

const isPlatformError = (thrown: unknown): boolean =>
  thrown instanceof RpcError || (thrown instanceof ConnectError && thrown.findDetails(ErrorInfoSchema).length > 0)

/** The Retry-After header of an error, if it has one. */
export function retryAfterOf({ metadata }: RpcError): { 'Retry-After'?: string } {
  const seconds = metadata.get(retryAfterField)
  return seconds ? { 'Retry-After': seconds } : {}
}

/** The challenge of a 401, with why its credential is refused, and of a 403, with the missing permission (RFC 6750). */
export function challengeOf({ info: { status, reason, permission } }: RpcError): { 'WWW-Authenticate'?: string } {
  if (permission) return { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${permission}"` }
  if (status !== 401) return {}
  return { 'WWW-Authenticate': reason ? `Bearer error="invalid_token", error_description="${reason}"` : 'Bearer' }
}

/** The dialect of an address, which is known before its route. */
type DialectOf = (url: string) => Dialect

/** Sets the dialects of an app's errors, which hold unless `sendError` gets another. */
export function setDialects(app: Express, dialectOf: DialectOf): void {
  app.locals['dialectOf'] = dialectOf
}

function dialectAround({ app, url }: Request): Dialect {
  const dialectOf = app.locals['dialectOf'] as DialectOf | undefined
  return dialectOf?.(url) ?? Dialect.UNSPECIFIED
}

/** Answers with an error, whatever was thrown. */
export function sendError(
  response: Response,
  thrown: unknown,
  requestId: string,
  dialect = dialectAround(response.req),
): void {
  const error = toRpcError(thrown)
  // Services have reported their own errors already.
  if (error.info.status === 500 && !isPlatformError(thrown)) reportError(thrown, { source: 'edge', requestId })
  if (response.headersSent) {
    // The status is sent already: only a cut connection shows the client that a file is incomplete.
    response.destroy()
    return
  }
  const { status } = error.info
  response.set(retryAfterOf(error))
  if (thrown instanceof ConnectError) copyLimitHeaders(thrown.metadata, { set: response.setHeader.bind(response) })
  response.set(challengeOf(error))
  response.setHeader('Cache-Control', 'no-store')
  response.status(status)
  if (wantsProblem(response)) response.type(problemType).json(problemOf(error, dialect, requestId))
  else response.json(errorBody(error, dialect, requestId))
}

/**
 * Answers errors that Express and its parsers throw outside the routes; Express's own answer would be a page with a
 * stack.
 */
export const answerAnyError: ErrorRequestHandler = (error: { status?: number }, request, response, _next) => {
  sendError(response, toRequestError(error), requestIdFrom(request))
}

function toRequestError(error: { status?: number }): unknown {
  const { status = 500 } = error
  if (status === 413) return new PayloadTooLargeError()
  if (status === 415) return new UnsupportedMediaTypeError()
  return status < 500 ? invalid('request', 'could not be read', 'request') : error
}
