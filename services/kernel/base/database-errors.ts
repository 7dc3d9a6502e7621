// Errors are told apart here without the driver: an edge of its own has no database.

const UNREACHABLE_CODES = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'POOL_CLOSED',
  // Cut off in the middle of it, or shown a certificate that is not accepted.
  'HANDSHAKE_SSL_ERROR',
  'HANDSHAKE_NO_SSL_SUPPORT',
])
const SOCKET_CODES = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT$)/
/** Too many connections, no quorum, shutting down, read-only after a failover, connection killed. */
const UNREACHABLE_NUMBERS = new Set([1040, 1203, 1047, 1053, 1290, 1836, 1927, 2006, 2013])

/** Deadlock, lock wait that timed out, lost certification at commit: the same work may succeed a moment later. */
const CONTENTION_NUMBERS = new Set([1213, 1205, 1020])

/** Whether others were in the way of the statement: tried again in transactions, and a 503 where that does not help. */
export const isContention = (error: unknown): boolean => CONTENTION_NUMBERS.has(numberOf(error))

/** Whether the statement met a taken unique key, optionally one of that name. */
export function isDuplicateKey(error: unknown, keyName?: string): boolean {
  if (numberOf(error) !== 1062) return false
  if (keyName === undefined) return true
  // MySQL 8 prints table.key, MariaDB key. Only the end counts: the entry before it is what a caller sent.
  const named = /for key '(?:[^']*\.)?([^'.]+)'$/.exec(error instanceof Error ? error.message : '')
  return named?.[1] === keyName
}

/** Whether the database could not be reached, was lost on the way or cannot take work now: answer 503 and try later. */
export function isUnavailable(error: unknown): boolean {
  if (UNREACHABLE_NUMBERS.has(numberOf(error))) return true
  if (!(error instanceof Error)) return false
  const { code, fatal } = error as Error & { code?: unknown; fatal?: unknown }
  if (typeof code === 'string' && UNREACHABLE_CODES.has(code)) return true
  if (/closed state|Pool is closed|driver has already been destroyed/.test(error.message)) return true
  // Only the driver marks its errors fatal; a refused HTTP call inside a handler is not a missing database.
  return fatal === true && typeof code === 'string' && SOCKET_CODES.test(code)
}

/** The server's number of an error; 0 for what is none of its errors. */
export function numberOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('errno' in error)) return 0
  return typeof error.errno === 'number' ? error.errno : 0
}
