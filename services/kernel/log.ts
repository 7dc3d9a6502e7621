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

/** An error as the log has it: one of an RPC without its headers, and without the descriptors of its details' messages. */
function errorOf(error: Error): object {
  const all = stdSerializers.err(error)
  if (!(error instanceof ConnectError)) return all
  const { type, message, stack } = all
  const info = error.findDetails(ErrorInfoSchema)[0]
  const violations = info?.violations.map(({ path, message: said, rule }) => ({ path, message: said, rule }))
  return { type, message, stack, code: Code[error.code], class: info?.class, violations }
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
  return pino({ name, level, redact: { paths: redact, censor: '[removed]' }, base, serializers: { err: errorOf } }, to)
}

/** A log that says nothing, for tests that do not read it. */
export const silentLog: Log = pino({ level: 'silent' })
