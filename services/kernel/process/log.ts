import { type DestinationStream, type Logger, pino } from 'pino'
import { factsOf } from './error-facts.ts'

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

const errorAlone = (value: unknown): unknown => (value instanceof Error ? factsOf(value) : value)

/**
 * The process log: JSON lines on standard output, with secrets removed and errors reduced to their facts. LOG_LEVEL
 * sets the level.
 */
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
  const others = { error: errorAlone, reason: errorAlone, cause: errorAlone }
  const serializers = { ...others, err: (thrown: unknown) => (thrown === undefined ? undefined : factsOf(thrown)) }
  return pino({ name, level, redact: { paths: redact, censor: '[removed]' }, base, serializers }, to)
}

/** A log without output, for tests. */
export const silentLog: Log = pino({ level: 'silent' })
