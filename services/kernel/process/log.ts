import { type DestinationStream, type Logger, pino } from 'pino'
import { z } from 'zod'
import { errorFacts } from './error-facts.ts'

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

const errorAlone = (value: unknown): unknown => (value instanceof Error ? errorFacts(value) : value)

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
/** LOG_LEVEL, checked at start. */
export const logLevel = z.enum(levels, `must be one of ${levels.join(', ')}`).optional()

/**
 * The process log: JSON lines on standard output, with secrets removed and errors reduced to their facts. LOG_LEVEL
 * sets the level, info for one that doesn't exist.
 */
export function createLog(
  name: string,
  level: string = process.env['LOG_LEVEL'] || 'info',
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
  const errorSerializers = { error: errorAlone, reason: errorAlone, cause: errorAlone }
  const serializers = {
    ...errorSerializers,
    err: (thrown: unknown) => (thrown === undefined ? undefined : errorFacts(thrown)),
  }
  // Another value ends the start (process.ts), which this log must be able to tell.
  const isKnown = levels.some(levelName => levelName === level)
  return pino(
    { name, level: isKnown ? level : 'info', redact: { paths: redact, censor: '[removed]' }, base, serializers },
    to,
  )
}

/** SIGUSR2 switches a log, and with it its children, between its level and debug [D554]. */
export function switchLevelOnSignal(log: Log): void {
  const { level: configuredLevel } = log
  process.on('SIGUSR2', () => {
    const level = log.level === configuredLevel ? 'debug' : configuredLevel
    // This line is written at every level.
    log.level = 'debug'
    log.info(`the log level is ${level}; SIGUSR2 switches it`)
    log.level = level
  })
}

/** A log without output, for tests. */
export const silentLog: Log = pino({ level: 'silent' })
