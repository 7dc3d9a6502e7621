import { Code, ConnectError } from '@connectrpc/connect'
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import { ErrorInfoSchema } from '../../gen/platform/common/v1/common_pb.ts'

export type Log = Logger

const secretPaths = [
  'password',
  'newPassword',
  'oldPassword',
  'token',
  'accessToken',
  'refreshToken',
  'apiSecret',
  'apiKey',
]

/**
 * An error as the log has it. One of an RPC, here or within another, comes without its headers and without the descriptors
 * of its details' messages.
 */
function errorOf(error: Error, around: readonly Error[] = []): Record<string, unknown> {
  const within = [...around, error]
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(each => (each instanceof Error ? shown(each) : each))
    if (!(value instanceof Error)) return value
    return within.includes(value) ? value.message : errorOf(value, within)
  }
  const { type, message, stack, aggregateErrors, ...others } = stdSerializers.err(error)
  const cause = causeOf(error)
  const said = {
    type,
    message,
    stack,
    ...(aggregateErrors && { aggregateErrors: shown(Reflect.get(error, 'errors')) }),
    // Its words and its stack are in those above.
    ...(cause &&
      !within.includes(cause) && { cause: { ...errorOf(cause, within), message: undefined, stack: undefined } }),
  }
  if (!(error instanceof ConnectError))
    return { ...said, ...Object.fromEntries(Object.keys(others).map(key => [key, shown(Reflect.get(error, key))])) }
  const info = error.findDetails(ErrorInfoSchema)[0]
  const violations = info?.violations.map(({ path, message: text, rule }) => ({ path, message: text, rule }))
  return { ...said, code: Code[error.code], class: info?.class, violations }
}

/** The nearest cause that says more than words: an error of an RPC, or several errors at once. */
function causeOf(error: Error): Error | undefined {
  const passed = new Set<unknown>([error])
  for (let at = error.cause; at instanceof Error && !passed.has(at); at = at.cause) {
    if (at instanceof ConnectError || at instanceof AggregateError) return at
    passed.add(at)
  }
  return undefined
}

/** The process log: JSON lines on standard output, secrets removed. LOG_LEVEL sets how much. */
export function createLog(
  name: string,
  level: string = process.env['LOG_LEVEL'] ?? 'info',
  to: DestinationStream = pino.destination(1),
): Log {
  const redact = [
    'authorization',
    '*.authorization',
    ...secretPaths,
    ...secretPaths.map(path => `*.${path}`),
    'headers["x-api-key"]',
  ]
  const base = { name, pid: process.pid }
  const serializers = { err: (thrown: unknown) => (thrown instanceof Error ? errorOf(thrown) : thrown) }
  return pino({ name, level, redact: { paths: redact, censor: '[removed]' }, base, serializers }, to)
}

/** A log that says nothing, for tests that do not read it. */
export const silentLog: Log = pino({ level: 'silent' })
