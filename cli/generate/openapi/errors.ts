import { getOption } from '@bufbuild/protobuf'
import type { Route } from '../../../edge/rest/routes.ts'
import { MessageCodeSchema, meaning } from '../../../gen/platform/legacyauth/v1/codes_pb.ts'
import { type Access, Caller, Dialect, Scope } from '../../../gen/platform/options/v1/options_pb.ts'
import { refTo, type Schema } from './schema.ts'

/** Statuses with their meaning and the class in the body. */
const statuses: Record<number, { name: string; text: string; message: string }> = {
  400: { name: 'ValidationError', text: 'The request is invalid; every invalid field is listed.', message: '' },
  401: { name: 'UnauthorizedError', text: 'The credential is missing or invalid.', message: 'Unauthorized' },
  403: {
    name: 'ForbiddenError',
    text: 'The caller lacks the permission or access to the tenant.',
    message: 'Permission denied',
  },
  404: { name: 'NotFoundError', text: 'The record does not exist in the tenants of the caller.', message: 'Not found' },
  409: { name: 'ConflictError', text: 'The state of the record does not allow the call.', message: 'Conflict' },
  410: { name: 'GoneError', text: 'The record has expired.', message: 'No longer available' },
  412: { name: 'PreconditionFailedError', text: 'If-Match names another version.', message: 'The record has changed' },
  413: { name: 'PayloadTooLargeError', text: 'The body or the file is too large.', message: 'Payload too large' },
  415: {
    name: 'UnsupportedMediaTypeError',
    text: 'The media type of the body is not supported.',
    message: 'Unsupported media type',
  },
  416: { name: 'RangeNotSatisfiableError', text: 'The file has no such range.', message: 'The file has no such range' },
  422: {
    name: 'UnprocessableError',
    text: 'The request is valid but cannot be processed.',
    message: 'Cannot be processed',
  },
  429: {
    name: 'TooManyRequestsError',
    text: 'Too many calls; retry after Retry-After seconds.',
    message: 'Too many requests',
  },
  502: { name: 'ExternalServiceError', text: 'An external provider failed.', message: 'Upstream service failed' },
  503: {
    name: 'ServiceUnavailableError',
    text: 'Temporarily unavailable; retry after Retry-After seconds.',
    message: 'Service unavailable',
  },
}

/** The message codes of legacy refusals: code, status, text. */
const legacyCodes = MessageCodeSchema.values.flatMap(value => {
  const { status, error, text } = getOption(value, meaning)
  return error === '' ? [] : [{ code: value.localName, status, text }]
})

const requestId = 'c0ffee00-1111-4222-8333-444455556666'
const violation = { path: 'email', message: 'must be a valid email address', rule: 'string.email' }

/** Statuses of an RPC's refusals: those its rule implies, and those its comment names by class or number. */
function refusals(route: Route, access: Access, comment: string): number[] {
  // Every route refuses an invalid query.
  const refusedStatuses = new Set([400])
  if (!access.callers.includes(Caller.PUBLIC)) refusedStatuses.add(401).add(403)
  if (access.scope === Scope.RECORD) refusedStatuses.add(404)
  // Each service counts its callers, other services aside [R26].
  if (access.callers.some(caller => caller !== Caller.SERVICE)) refusedStatuses.add(429)
  if (route.hasBody) refusedStatuses.add(413).add(415)
  for (const [status, { name }] of Object.entries(statuses))
    if (new RegExp(`\\b(${name}|${status})\\b`).test(comment)) refusedStatuses.add(Number(status))
  for (const { code, status } of legacyCodes) if (comment.includes(code)) refusedStatuses.add(status)
  return [...refusedStatuses].toSorted((a, b) => a - b)
}

/** The error responses of an operation, by status. */
export function failureResponses(route: Route, access: Access, comment: string): Record<string, Schema> {
  const isLegacy = route.restOptions.dialect === Dialect.LEGACY
  const prefix = isLegacy ? 'Legacy' : ''
  const entries = refusals(route, access, comment).map(status => {
    const codes = legacyCodes.filter(one => one.status === status && comment.includes(one.code))
    if (codes.length > 0) return [status, legacyResponse(codes)] as const
    return [status, refTo('responses', prefix + (statuses[status]?.name ?? ''))] as const
  })
  return Object.fromEntries([...entries, ['default', refTo('responses', `${prefix}Failure`)]])
}

/** A legacy error response that documents its message codes. */
const legacyResponse = (codes: { code: string; text: string }[]): Schema => ({
  description: codes.map(({ code, text }) => `\`${code}\` ${text}`).join('; '),
  content: {
    'application/json': {
      schema: refTo('schemas', 'LegacyError'),
      examples: Object.fromEntries(codes.map(({ code }) => [code, { value: { msg: code, success: false } }])),
    },
  },
})

const text = { type: 'string' }

/** Schemas of the error bodies in both dialects. */
export const errorSchemas = {
  Error: {
    type: 'object',
    description: 'An error. `error` is machine-readable, `message` human-readable.',
    required: ['statusCode', 'error', 'message', 'requestId'],
    properties: { statusCode: { type: 'integer' }, error: text, message: text, requestId: text },
  },
  ValidationErrors: {
    type: 'object',
    description: 'All invalid fields.',
    required: ['error'],
    properties: { error: { type: 'array', minItems: 1, items: refTo('schemas', 'FieldError') } },
  },
  FieldError: {
    type: 'object',
    description:
      'An invalid field: its path as the client wrote it, a human-readable message, a machine-readable rule.',
    required: ['path', 'message', 'rule'],
    properties: { path: text, message: text, rule: text },
  },
  LegacyError: {
    type: 'object',
    description: 'An error of the legacy version: a message code. The request id is in the header `X-Request-Id`.',
    required: ['msg', 'success'],
    properties: {
      msg: { type: 'string', enum: ['NO_MSG', ...legacyCodes.map(({ code }) => code)] },
      success: { type: 'boolean', enum: [false] },
    },
  },
}

/** Shared error responses in both dialects. */
export function errorResponses(): Record<string, Schema> {
  const responses: Record<string, Schema> = {}
  for (const [status, { name, text: description, message }] of Object.entries(statuses)) {
    const statusCode = Number(status)
    const list = { error: [violation] }
    const plain = { statusCode, error: name, message, requestId }
    responses[name] = response(
      description,
      status === '400' ? 'ValidationErrors' : 'Error',
      status === '400' ? list : plain,
    )
    responses[`Legacy${name}`] = response(description, 'LegacyError', { msg: 'NO_MSG', success: false })
    if (status === '429' || status === '503')
      for (const key of [name, `Legacy${name}`]) {
        const headers = { 'Retry-After': retryAfter, ...(status === '429' ? rateLimit : {}) }
        responses[key] = { ...responses[key], headers }
      }
  }
  const failure = 'Any other error. A 500 contains only the request id, which is in the log.'
  const example = { statusCode: 500, error: 'InternalServerError', message: 'Internal server error', requestId }
  responses['Failure'] = response(failure, 'Error', example)
  responses['LegacyFailure'] = response(failure, 'LegacyError', { msg: 'NO_MSG', success: false })
  return responses
}

const retryAfter = { description: 'Seconds to wait.', schema: { type: 'integer' } }

/** Other responses of limited routes have these headers as well. */
const rateLimit = {
  'RateLimit-Policy': {
    description: 'Limits that apply to the call: name, number of calls (q) in a window of seconds (w).',
    schema: { type: 'string' },
    example: '"sign-in";q=20;w=900',
  },
  RateLimit: {
    description: 'Remaining calls (r), and seconds until more are available (t).',
    schema: { type: 'string' },
    example: '"sign-in";r=0;t=42',
  },
}

const response = (description: string, name: string, example: unknown): Schema => ({
  description,
  content: { 'application/json': { schema: refTo('schemas', name), example } },
})
