import { Code, ConnectError } from '@connectrpc/connect'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as errors from './errors.ts'

const test = suite('error classes')

const table: [string, number, Code][] = [
  ['UnauthorizedError', 401, Code.Unauthenticated],
  ['ForbiddenError', 403, Code.PermissionDenied],
  ['NotFoundError', 404, Code.NotFound],
  ['ConflictError', 409, Code.AlreadyExists],
  ['TooManyRequestsError', 429, Code.ResourceExhausted],
  ['InternalServerError', 500, Code.Internal],
  ['ServiceUnavailableError', 503, Code.Unavailable],
  ['DatabaseError', 500, Code.Internal],
  ['ExternalServiceError', 502, Code.Unavailable],
  ['GoneError', 410, Code.FailedPrecondition],
  ['PreconditionFailedError', 412, Code.FailedPrecondition],
  ['PayloadTooLargeError', 413, Code.ResourceExhausted],
  ['UnsupportedMediaTypeError', 415, Code.InvalidArgument],
  ['UnprocessableError', 422, Code.InvalidArgument],
]

test('each documented class has its status and Connect code', () => {
  for (const [name, status, code] of table) {
    const Class = errors[name as 'NotFoundError']
    const error = new Class()
    assert.equal([error.info.class, error.info.status, error.code], [name, status, code])
  }
  const classes = Object.keys(errors).filter(name => name.endsWith('Error') && /^[A-Z]/.test(name))
  const baseClasses = ['RpcError', 'ValidationError']
  assert.equal(classes.toSorted(), [...table.map(([name]) => name), ...baseClasses].toSorted())
  const validation = errors.invalid('email', 'must be an address', 'string.email')
  assert.equal([validation.info.class, validation.info.status], ['ValidationError', 400])
})

test('the text of an unknown error is never revealed', () => {
  const error = errors.toRpcError(new Error('select * from users'))
  assert.is(error.info.status, 500)
  assert.not.match(error.rawMessage, 'select')
  assert.is(
    errors.toRpcError(new ConnectError('host db-1 down', Code.Unavailable)).rawMessage,
    'Service unavailable, try again',
  )
})

test('a platform error is unchanged', () => {
  const error = new errors.NotFoundError('Group not found')
  assert.is(errors.toRpcError(error), error)
})

test('an error from another process keeps every detail', () => {
  const details = { msg: 'MSG_601', retryAfterSeconds: 7, reason: 'expired', permission: 'publish_content' }
  const violations = [{ path: 'email', message: 'is required', rule: 'required' }]
  const original = new errors.RpcError('ForbiddenError', 403, Code.PermissionDenied, 'No', { ...details, violations })
  const arrived = errors.toRpcError(
    new ConnectError(original.rawMessage, original.code, undefined, original.details as []),
  )
  assert.not(arrived === original)
  assert.equal({ ...arrived.info }, { ...original.info })
})

test.run()
