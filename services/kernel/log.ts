import { type DestinationStream, type Logger, pino } from 'pino'

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
  return pino({ name, level, redact: { paths: redact, censor: '[removed]' }, base: { name, pid: process.pid } }, to)
}

/** A log that says nothing, for tests that do not read it. */
export const silentLog: Log = pino({ level: 'silent' })
