import { Writable } from 'node:stream'
import { toBinary } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ErrorInfo, ErrorInfoSchema } from '../../../gen/platform/common/v1/common_pb.ts'
import { invalid } from '../base/errors.ts'
import { createLog } from './log.ts'

const test = suite('the process log')
const canary = 'canary-7f3a'

/** The output of one log call. */
function captureOutput(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, callback) {
      text += chunk.toString()
      callback()
    },
  })
  write(createLog('test', 'trace', stream))
  return text
}

test('secrets are removed at the top level and one level down', () => {
  const names = [
    'password',
    'newPassword',
    'oldPassword',
    'token',
    'accessToken',
    'refreshToken',
    'apiSecret',
    'apiKey',
    'authorization',
  ]
  const secrets = Object.fromEntries(names.map(name => [name, canary]))
  const text = captureOutput(log =>
    log.info({ ...secrets, body: secrets, headers: { 'x-api-key': canary } }, 'signed in'),
  )
  assert.not.match(text, canary)
  assert.match(text, 'signed in')
})

test('a line break in a value stays within its line', () => {
  const text = captureOutput(log => log.info({ name: 'a\r\n{"level":60}' }, 'b\nc'))
  assert.is(text.trimEnd().split('\n').length, 1)
})

test('an error has its message and stack only in the log', () => {
  assert.match(
    captureOutput(log => log.error({ err: new Error('the cause') }, 'failed')),
    'the cause',
  )
})

test('an RPC error is logged with code, class and invalid fields, without the descriptors of its messages', () => {
  const violation = { path: 'name', message: 'is too long', rule: 'string.max_len' }
  const ownError = invalid(violation.path, violation.message, violation.rule)
  const remoteError = new ConnectError('away', Code.Unavailable, { authorization: canary })
  // Like an error from another process, with a detail of an unknown type.
  const [info] = ownError.details as [{ desc: typeof ErrorInfoSchema; value: ErrorInfo }]
  remoteError.details = [
    { type: ErrorInfoSchema.typeName, value: toBinary(ErrorInfoSchema, info.value), debug: { descriptor: canary } },
    { type: 'other.Detail', value: new Uint8Array(9) },
  ]
  for (const [error, code] of [
    [ownError, 'InvalidArgument'],
    [remoteError, 'Unavailable'],
  ] as const) {
    const text = captureOutput(log => log.child({ rpc: 'x' }).error({ err: error }, 'failed'))
    const { type: _, message, stack, ...rest } = JSON.parse(text).err
    assert.equal([message, stack.includes('log.test.ts')], [error.message, true])
    assert.equal(rest, { code, class: 'ValidationError', violations: [violation] })
    assert.not.match(text, canary)
  }
  const { err } = JSON.parse(captureOutput(log => log.error(new ConnectError('gone', Code.NotFound))))
  assert.equal([err.message, err.code, err.details], ['[not_found] gone', 'NotFound', undefined])
})

test('an RPC error nested in another, as its cause or one of several, is logged in the same way', () => {
  const inner = invalid('name', 'is too long', 'string.max_len')
  inner.details.push({ type: 'other.Detail', value: new Uint8Array(9), debug: { descriptor: canary } })
  const expectedFacts = {
    code: 'InvalidArgument',
    class: 'ValidationError',
    violations: [{ path: 'name', message: 'is too long', rule: 'string.max_len' }],
  }
  const facts = ({ type: _, message: _said, stack: _stack, ...rest }: Record<string, unknown>) => rest
  const logError = (error: Error) => {
    const text = captureOutput(log => log.error({ err: error }, 'failed'))
    assert.not.match(text, canary)
    assert.not.match(text, '"details"')
    return JSON.parse(text).err
  }
  const several = new AggregateError([inner, new Error('away'), 'text'], 'both failed')
  const { aggregateErrors } = logError(several)
  assert.equal(facts(aggregateErrors[0]), expectedFacts)
  assert.equal([aggregateErrors[1].message, aggregateErrors[2].message], ['away', 'text'])

  const caused = logError(new Error('outer', { cause: new Error('middle', { cause: inner }) }))
  assert.match(caused.message, /^outer: middle: .*is too long/)
  assert.equal(facts(caused.cause), expectedFacts)
  assert.equal(
    facts(logError(new ConnectError('far', Code.Internal, undefined, undefined, several)).cause.aggregateErrors[0]),
    expectedFacts,
  )

  const loggedError = logError(
    Object.assign(new Error('tried'), { last: inner, tries: [inner, 7], config: canary, cause: inner }),
  )
  assert.equal(Object.keys(loggedError), ['type', 'message', 'stack', 'cause'])
  assert.equal(facts(loggedError.cause), expectedFacts)

  const round = Object.assign(new Error('round'), { cause: inner })
  inner.cause = round
  assert.equal(facts(logError(round).cause), expectedFacts)
})

test.run()
